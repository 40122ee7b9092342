/** Compaction by hand. */
import { AppError } from "@/lib/api/errors";
import { handle } from "@/server/http";
import { foundSession } from "@/server/session/found";

export const POST = handle(
  { right: "work", params: ["project", "agent", "session"] },
  async ({ params, person, runtime }) => {
    await foundSession(runtime.sessions, params, person);
    throw new AppError("not_supported", "Compaction is not available in this version.");
  },
);
