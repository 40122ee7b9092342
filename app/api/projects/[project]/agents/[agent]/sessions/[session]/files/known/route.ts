/** Which names in an answer are files that can be opened. */
import { type ErrorCode, isAppError } from "@/lib/api/errors";
import { knownFilesBody } from "@/lib/api/files";
import { handle, json } from "@/server/http";
import { SessionFiles } from "@/server/session/files";

const NO_WORKSPACE: readonly ErrorCode[] = ["workspace_missing", "workspace_not_allowed", "import_unconfirmed"];

export const POST = handle(
  { right: "read", params: ["project", "agent", "session"], body: knownFilesBody },
  async ({ params, body, person, runtime }) => {
    const files = await SessionFiles.of(runtime.sessions, params, person).catch((error: unknown) => {
      // Without a Workspace that may be read there are no files to name.
      if (isAppError(error) && NO_WORKSPACE.includes(error.code)) return null;
      throw error;
    });
    return json({ files: (await files?.known(body.names)) ?? [] });
  },
);
