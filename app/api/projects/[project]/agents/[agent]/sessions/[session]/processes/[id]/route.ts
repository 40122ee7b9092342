/** Ends a command, when it still runs, and forgets it with its output. */
import { AppError } from "@/lib/api/errors";
import { handle, noContent } from "@/server/http";
import { foundSession } from "@/server/session/found";

export const DELETE = handle(
  { right: "work", params: ["project", "agent", "session", "id"] },
  async ({ params, person, runtime }) => {
    const session = await foundSession(runtime.sessions, params, person);
    if (!(await session.processes?.removeProcess(params.id))) throw new AppError("not_found");
    return noContent();
  },
);
