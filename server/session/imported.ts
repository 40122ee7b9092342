/** An imported Session is not trusted: it goes on only after one confirmation of its Workspace and system prompt. */
import { z } from "zod";
import { AppError } from "../../lib/api/errors";
import type { SessionRef } from "../../lib/api/routes";
import type { SessionMetaPayload } from "../../lib/omni/message";
import { appendLine, readText } from "../files";
import { acceptWorkspace } from "../workspace/workspace";
import { refOfAgent, type SessionHost } from "./open";

/** A line of `.imports.jsonl` beside the marks of the imports themselves. */
const confirmation = z.object({ session_id: z.string(), confirmed_by: z.string(), at: z.string() });
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Throws `import_unconfirmed` with what is to be confirmed, or why its Workspace may not be used. A confirmation is
 * kept, so it is asked for once.
 */
export async function requireConfirmed(
  host: SessionHost,
  ref: SessionRef,
  meta: SessionMetaPayload,
  given: { confirm: boolean; by: string },
): Promise<void> {
  const agent = refOfAgent(ref);
  const facts = await host.store.session(agent, ref.session);
  if (!facts?.imported || (await isConfirmed(host, ref))) return;
  const accepted = await acceptWorkspace(meta.workspace ?? "", {
    layout: host.layout,
    ref: agent,
    roots: await host.workspaceRoots(ref.project),
  });
  if (!accepted.ok) {
    if (accepted.code === "workspace_not_found") throw new AppError("workspace_missing");
    throw new AppError(accepted.code);
  }
  if (!given.confirm) {
    const { workspace = "", system_prompt = "" } = meta;
    throw new AppError("import_unconfirmed", undefined, { workspace, system_prompt });
  }
  const line = { session_id: ref.session, confirmed_by: given.by, at: new Date().toISOString() };
  await appendLine(host.layout.imports(agent), JSON.stringify(line));
}

async function isConfirmed(host: SessionHost, ref: SessionRef): Promise<boolean> {
  const text = (await readText(host.layout.imports(refOfAgent(ref)), MAX_BYTES)) ?? "";
  return text.split("\n").some((line) => {
    if (!line.includes("confirmed_by")) return false;
    try {
      const parsed = confirmation.safeParse(JSON.parse(line));
      return parsed.success && parsed.data.session_id === ref.session;
    } catch {
      return false;
    }
  });
}
