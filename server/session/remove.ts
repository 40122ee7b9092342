/** What goes with a Session: Trace files, queue, scratchpad with its recovery files, and a Workspace nobody else uses. */
import { realpath, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { SessionRef } from "../../lib/api/routes";
import { refOfAgent, type SessionHost } from "./open";
import { agentsOf, sessionsIn } from "./workspaces";

/** `live`: Workspaces of the Sessions in memory, this one not among them. */
export async function removeSession(
  host: SessionHost,
  ref: SessionRef,
  workspace: string | undefined,
  live: readonly (string | undefined)[],
): Promise<void> {
  const { layout, store } = host;
  const agent = refOfAgent(ref);
  const folder = workspace ?? (await store.session(agent, ref.session))?.meta?.workspace;
  // Newest first: what a crash leaves over is still a Session that can be deleted.
  for (const file of (await store.files(agent, ref.session)).toReversed()) {
    await rm(layout.traceFile(agent, file.date, ref.session, file.index), { force: true });
  }
  await rm(layout.queue(agent, ref.session), { force: true });
  await rm(layout.scratchpad(agent, ref.session), { recursive: true, force: true });
  if (!folder || live.includes(folder) || !(await isTemporary(host, ref.project, folder))) return;
  // A Workspace goes along when a conversation goes on with another model or another Agent.
  if ((await sessionsIn(host, ref.project, folder)).length > 0) return;
  await rm(folder, { recursive: true, force: true });
}

/** Only a folder that the server made: `workspaces/tmp-<8hex>` of an Agent of this Project. */
async function isTemporary(host: SessionHost, project: string, folder: string): Promise<boolean> {
  if (!/^tmp-[0-9a-f]{8}$/.test(basename(folder))) return false;
  const real = await realpath(folder).catch(() => null);
  if (real !== folder) return false;
  for (const agent of await agentsOf(host, project)) {
    const home = await realpath(host.layout.workspaces(agent)).catch(() => null);
    if (home === dirname(folder)) return true;
  }
  return false;
}
