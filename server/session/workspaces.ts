/** Which Sessions of a Project work in a folder, whichever Agent they belong to. */
import { listNames } from "../files";
import { type AgentRef, isGenericId } from "../paths";
import type { SessionFacts } from "../trace/catalog";
import { isVisible } from "../trace/visible";
import type { SessionHost } from "./open";

export async function agentsOf({ layout }: Pick<SessionHost, "layout">, project: string): Promise<AgentRef[]> {
  const names = (await listNames(layout.agents(project))).filter(isGenericId);
  return names.map((agent) => ({ project, agent }));
}

export async function sessionsIn(
  host: Pick<SessionHost, "layout" | "store">,
  project: string,
  folder: string,
): Promise<{ ref: AgentRef; facts: SessionFacts }[]> {
  const agents = await agentsOf(host, project);
  const found = await Promise.all(
    agents.map(async (ref) => (await host.store.sessions(ref)).map((facts) => ({ ref, facts }))),
  );
  return found.flat().filter(({ facts }) => facts.meta?.workspace === folder);
}

/** Does a Session that this person may read work there? Then the person may too. */
export async function isKnownWorkspace(
  host: Pick<SessionHost, "layout" | "store">,
  project: string,
  folder: string,
  person: string,
): Promise<boolean> {
  for (const { ref, facts } of await sessionsIn(host, project, folder)) {
    // What an imported file says of a Workspace opens none.
    if (!facts.imported && (await isVisible(host.store, ref, facts, person))) return true;
  }
  return false;
}

/** Workspaces of the Sessions that this person may read, latest activity first; temporary ones are left out. */
export async function recentWorkspaces(
  host: Pick<SessionHost, "layout" | "store">,
  project: string,
  person: string,
): Promise<string[]> {
  const latest = new Map<string, string>();
  for (const ref of await agentsOf(host, project)) {
    const temporary = host.layout.workspaces(ref);
    for (const facts of await host.store.sessions(ref)) {
      const folder = facts.meta?.workspace;
      if (!folder || facts.imported || folder.startsWith(temporary)) continue;
      if ((latest.get(folder) ?? "") >= facts.last_active_at) continue;
      if (await isVisible(host.store, ref, facts, person)) latest.set(folder, facts.last_active_at);
    }
  }
  return [...latest].sort(([, a], [, b]) => b.localeCompare(a)).map(([folder]) => folder);
}
