/** A folder of the Session's Workspace. */
import { z } from "zod";
import { handle, json } from "@/server/http";
import { SessionFiles } from "@/server/session/files";

const query = z.object({ path: z.string().max(4_096).default("") });

export const GET = handle(
  { right: "read", params: ["project", "agent", "session"], query },
  async ({ params, query, person, runtime }) => {
    const files = await SessionFiles.of(runtime.sessions, params, person);
    return json(await files.list(query.path));
  },
);
