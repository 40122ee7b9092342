/** What a Session used: its own, with its subagents, and Task by Task. */
import { AppError } from "@/lib/api/errors";
import { handle, json } from "@/server/http";
import { maySee } from "@/server/session/access";

export const GET = handle(
  { right: "read", params: ["project", "agent", "session"] },
  async ({ params, person, runtime }) => {
    if (!(await maySee(runtime.sessions, params, person.id))) throw new AppError("not_found");
    return json(await runtime.usage.session(params, person.id));
  },
);
