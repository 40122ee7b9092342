/** A new Session from a point of this one. */
import { AppError } from "@/lib/api/errors";
import { forkBody } from "@/lib/api/schemas";
import { handle } from "@/server/http";
import { foundSession } from "@/server/session/found";

export const POST = handle(
  { right: "work", params: ["project", "agent", "session"], body: forkBody },
  async ({ params, person, runtime }) => {
    await foundSession(runtime.sessions, params, person);
    throw new AppError("not_supported", "Forks are not available in this version.");
  },
);
