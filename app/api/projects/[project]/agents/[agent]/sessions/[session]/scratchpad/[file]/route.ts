/** A file that was attached to a message, or that the Agent left in the Session's scratchpad. */
import { AppError } from "@/lib/api/errors";
import { handle } from "@/server/http";
import { maySee } from "@/server/session/access";
import { scratchpadFile } from "@/server/session/scratchpad-file";

export const GET = handle(
  { right: "read", params: ["project", "agent", "session", "file"] },
  async ({ params, person, runtime }) => {
    if (!(await maySee(runtime.sessions, params, person.id))) throw new AppError("not_found");
    const secrets = Object.values(await runtime.agents.vault(params));
    return scratchpadFile(runtime.layout, params, params.file, secrets);
  },
);
