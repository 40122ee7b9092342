/** What a Session used: its own, with its subagents, and Task by Task; of `newest` Tasks only, when that is given. */
import { z } from "zod";
import { AppError } from "@/lib/api/errors";
import { handle, json } from "@/server/http";
import { maySee } from "@/server/session/access";

const query = z.object({ newest: z.coerce.number().int().min(1).optional() });

export const GET = handle(
  { right: "read", params: ["project", "agent", "session"], query },
  async ({ params, query, person, runtime }) => {
    if (!(await maySee(runtime.sessions, params, person.id))) throw new AppError("not_found");
    return json(await runtime.usage.session(params, person.id, query.newest));
  },
);
