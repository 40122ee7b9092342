/** Which Traces and scratchpads a Session may read beside its own: those it came from, followed to the end. */
import { basename, relative, sep } from "node:path";
import type { SessionRef } from "../../lib/api/routes";
import type { SessionMetaPayload } from "../../lib/omni/message";
import { parseTraceFileName } from "../../lib/trace/name";
import type { AgentRef, Layout } from "../paths";
import type { TraceStore } from "../trace/store";

/** A chain longer than this is not followed: nobody switches that often, and a loop must end. */
const MAX_LINEAGE = 32;

interface Member {
  agent: AgentRef;
  session: string;
}

/** Answers for a real path: does it belong to this Session or to one it was switched or forked from? */
export async function readablePaths(
  { layout, store }: { layout: Layout; store: Pick<TraceStore, "session"> },
  ref: SessionRef,
  meta: SessionMetaPayload,
  /** Its subagents at the time of the question. */
  children: () => SessionRef[] = () => [],
): Promise<(path: string) => Promise<boolean>> {
  const members: Member[] = [{ agent: { project: ref.project, agent: ref.agent }, session: ref.session }];
  for (let at: SessionMetaPayload | null = meta; at && members.length < MAX_LINEAGE; ) {
    const source: { agent: string; session_id: string } | undefined = at.forked_from ?? at.switched_from;
    if (!source) break;
    const member: Member = { agent: { project: ref.project, agent: source.agent }, session: source.session_id };
    members.push(member);
    at = (await store.session(member.agent, member.session).catch(() => null))?.meta ?? null;
  }
  return async (path) => {
    if (members.some((member) => belongsTo(layout, member, path))) return true;
    const named = children().find(({ project, agent, session }) =>
      belongsTo(layout, { agent: { project, agent }, session }, path),
    );
    return named !== undefined && (await isChildOf(store, ref, named));
  };
}

/** Did this server start that Session as a subagent of this one? A pointer in an imported file proves nothing. */
export async function isChildOf(
  store: Pick<TraceStore, "session">,
  parent: SessionRef,
  { project, agent, session }: SessionRef,
): Promise<boolean> {
  const facts = await store.session({ project, agent }, session).catch(() => null);
  const claim = facts?.imported ? undefined : facts?.meta?.parent;
  return project === parent.project && claim?.agent === parent.agent && claim.session_id === parent.session;
}

function belongsTo(layout: Layout, { agent, session }: Member, path: string): boolean {
  const inside = (folder: string) => {
    const rest = relative(folder, path);
    return rest !== "" && rest !== ".." && !rest.startsWith(`..${sep}`);
  };
  if (inside(layout.scratchpad(agent, session))) return true;
  return inside(layout.traces(agent)) && parseTraceFileName(basename(path))?.session_id === session;
}
