/** Which Traces and scratchpads a Session may read beside its own: those it came from, followed to the end, and their subagents'. */
import { basename, dirname, relative, sep } from "node:path";
import type { SessionRef } from "../../lib/api/routes";
import type { SessionMetaPayload } from "../../lib/omni/message";
import { isSessionId, parseTraceFileName } from "../../lib/trace/name";
import { listNames } from "../files";
import { type AgentRef, isGenericId, type Layout } from "../paths";
import type { SessionFacts } from "../trace/catalog";
import type { TraceStore } from "../trace/store";
import { isVisible } from "../trace/visible";

/** A chain longer than this is not followed: nobody switches that often, and a loop must end. */
const MAX_LINEAGE = 32;
/** Each is bound by itself; a command line has an end. */
const MAX_LISTED = 1_000;

type Store = Pick<TraceStore, "session"> & Partial<Pick<TraceStore, "privateByDefault">>;
const same = (a: SessionRef, b: SessionRef) =>
  a.project === b.project && a.agent === b.agent && a.session === b.session;
const factsOf = (store: Store, { project, agent, session }: SessionRef) =>
  store.session({ project, agent }, session).catch(() => null);

/**
 * Answers for a real path: does it belong to this Session, to one it was switched or forked from, or to a subagent of
 * one of these? What others made counts only as far as this Session's creator may read it now.
 */
export async function readablePaths(
  { layout, store }: { layout: Layout; store: Store },
  ref: SessionRef,
  meta: SessionMetaPayload,
): Promise<(path: string) => Promise<boolean>> {
  const members = await lineageOf(store, ref, meta);
  const reaches = async (owner: SessionRef): Promise<boolean> => {
    let at = owner;
    for (let steps = 0; steps < MAX_LINEAGE; steps++) {
      if (members.some((member) => same(member, at))) return true;
      const facts = await factsOf(store, at);
      const parent = facts?.imported ? undefined : facts?.meta?.parent;
      if (!parent) return false;
      at = { project: ref.project, agent: parent.agent, session: parent.session_id };
    }
    return false;
  };
  return async (path) => {
    const owner = ownerOf(layout, ref.project, path);
    if (!owner) return false;
    if (same(owner, ref)) return true;
    if (!(await reaches(owner))) return false;
    const facts = await factsOf(store, owner);
    return facts !== null && isVisible(store, { project: ref.project, agent: owner.agent }, facts, creator(meta));
  };
}

/** The same as a list, for a room: all Trace files, and the scratchpads of others. */
export async function readableList(
  { layout, store }: { layout: Layout; store: TraceStore },
  ref: SessionRef,
  meta: SessionMetaPayload,
): Promise<string[]> {
  const all = new Map<string, Map<string, SessionFacts>>();
  for (const agent of (await listNames(layout.agents(ref.project))).filter(isGenericId)) {
    const sessions = await store.sessions({ project: ref.project, agent });
    all.set(agent, new Map(sessions.map((facts) => [facts.session_id, facts])));
  }
  // Each was just looked at: to ask about all of them looks at none again.
  const looked: Store = {
    session: async ({ agent }, id) => all.get(agent)?.get(id) ?? null,
    privateByDefault: store.privateByDefault,
  };
  const mayRead = await readablePaths({ layout, store: looked }, ref, meta);
  const found: string[] = [];
  for (const [agent, sessions] of all) {
    const at: AgentRef = { project: ref.project, agent };
    for (const { session_id, files } of sessions.values()) {
      const scratchpad = layout.scratchpad(at, session_id);
      if (!(await mayRead(scratchpad))) continue;
      found.push(...files.map(({ date, index }) => layout.traceFile(at, date, session_id, index)));
      if (!same({ ...at, session: session_id }, ref)) found.push(scratchpad);
    }
  }
  return found.slice(-MAX_LISTED);
}

const creator = (meta: SessionMetaPayload): string => meta.created_by ?? "";

/** The Session itself and those it came from. What an imported file says of its source opens nothing. */
async function lineageOf(store: Store, ref: SessionRef, meta: SessionMetaPayload): Promise<SessionRef[]> {
  const members = [ref];
  const own = await factsOf(store, ref);
  for (let at: SessionMetaPayload | null = own?.imported ? null : meta; at && members.length < MAX_LINEAGE; ) {
    const source: { agent: string; session_id: string } | undefined = at.forked_from ?? at.switched_from;
    if (!source) break;
    const member = { project: ref.project, agent: source.agent, session: source.session_id };
    members.push(member);
    const facts = await factsOf(store, member);
    at = facts?.imported ? null : (facts?.meta ?? null);
  }
  return members;
}

/** Whose Trace file or scratchpad this path is, or lies in; null: no Session's. */
function ownerOf(layout: Layout, project: string, path: string): SessionRef | null {
  const agent = below(layout.agents(project), path)?.[0];
  if (agent === undefined || !isGenericId(agent)) return null;
  const at: AgentRef = { project, agent };
  const session = below(layout.traces(at), path)
    ? parseTraceFileName(basename(path))?.session_id
    : below(dirname(layout.scratchpad(at, "any")), path)?.[0];
  return session !== undefined && isSessionId(session) ? { project, agent, session } : null;
}

/** The names from a folder down to a path; null when it does not lie below. */
function below(folder: string, path: string): string[] | null {
  const rest = relative(folder, path);
  return rest === "" || rest === ".." || rest.startsWith(`..${sep}`) ? null : rest.split(sep);
}

/** Did this server start that Session as a subagent of this one? A pointer in an imported file proves nothing. */
export async function isChildOf(store: Store, parent: SessionRef, child: SessionRef): Promise<boolean> {
  const facts = await factsOf(store, child);
  const claim = facts?.imported ? undefined : facts?.meta?.parent;
  return child.project === parent.project && claim?.agent === parent.agent && claim.session_id === parent.session;
}
