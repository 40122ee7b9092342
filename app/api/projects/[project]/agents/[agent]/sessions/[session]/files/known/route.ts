/** Which names in an answer are files that can be opened. */
import { knownFilesBody } from "@/lib/api/files";
import { handle, json } from "@/server/http";
import { SessionFiles } from "@/server/session/files";

export const POST = handle(
  { right: "read", params: ["project", "agent", "session"], body: knownFilesBody },
  async ({ params, body, person, runtime }) => {
    const files = await SessionFiles.of(runtime.sessions, params, person);
    return json({ files: await files.known(body.names) });
  },
);
