/** Ends a command with everything it started; what it wrote stays readable for the model. */
import { AppError } from "@/lib/api/errors";
import { handle, noContent } from "@/server/http";
import { foundSession } from "@/server/session/found";

export const POST = handle(
  { right: "work", params: ["project", "agent", "session", "id"] },
  async ({ params, person, runtime }) => {
    const session = await foundSession(runtime.sessions, params, person);
    if (!(await session.processes?.stopProcess(params.id))) throw new AppError("not_found");
    return noContent();
  },
);
