/** What the list of conversations shows, as pure functions. */
import type { AgentView, Marks, ProjectStatus, SessionView } from "@/lib/api/schemas";
import { type DayGroup, dayGroup } from "@/lib/format";

export interface LiveState {
  state: ProjectStatus["sessions"][number]["state"];
  approvals: number;
}

/** How marks, pins and states name a Session of a Project. */
export const keyOf = ({ agent, id }: Pick<SessionView, "agent" | "id">): string => `${agent}/${id}`;

/** Live state by "agent/session". */
export function liveStates(status: Pick<ProjectStatus, "sessions"> | undefined): Map<string, LiveState> {
  return new Map(
    (status?.sessions ?? []).map((s) => [
      `${s.agent}/${s.session_id}`,
      { state: s.state, approvals: s.pending_approvals },
    ]),
  );
}

export function newestFirst(sessions: SessionView[]): SessionView[] {
  return sessions.toSorted((a, b) => b.last_active_at.localeCompare(a.last_active_at) || b.id.localeCompare(a.id));
}

export const GROUPINGS = ["date", "workspace", "agent"] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** What a group is called: by a day, by the name of an Agent, by a folder, or "temporary" for all folders of that kind. */
export type GroupName = { day: DayGroup } | { name: string; path?: string } | { temporary: true };
export interface Group {
  id: string;
  name: GroupName;
  sessions: SessionView[];
}

const DAYS: DayGroup[] = ["today", "yesterday", "week", "month", "older"];
const TEMPORARY = /[\\/]tmp-[0-9a-f]{8}$/;

/** Groups in the order of their newest conversation (days: in theirs), the order inside kept. `now` in ms. */
export function groupBy(
  sessions: readonly SessionView[],
  grouping: Grouping,
  { now, agents }: { now: number; agents: readonly AgentView[] },
): Group[] {
  const groups = new Map<string, Group>();
  for (const session of sessions) {
    const { id, name } = groupOf(session, grouping, now, agents);
    const group = groups.get(id) ?? { id, name, sessions: [] };
    group.sessions.push(session);
    groups.set(id, group);
  }
  if (grouping !== "date") return [...groups.values()];
  return DAYS.flatMap((day) => groups.get(day) ?? []);
}

function groupOf(
  session: SessionView,
  grouping: Grouping,
  now: number,
  agents: readonly AgentView[],
): Pick<Group, "id" | "name"> {
  if (grouping === "date") {
    const day = dayGroup(session.last_active_at, now);
    return { id: day, name: { day } };
  }
  if (grouping === "agent") {
    return { id: session.agent, name: { name: agents.find(({ id }) => id === session.agent)?.name ?? session.agent } };
  }
  const { workspace } = session;
  if (workspace === "" || TEMPORARY.test(workspace)) return { id: "", name: { temporary: true } };
  return {
    id: workspace,
    name: { name: workspace.split(/[\\/]/).filter(Boolean).at(-1) ?? workspace, path: workspace },
  };
}

/** Did something happen in it that this person has not seen? */
export function isUnread(session: SessionView, marks: Marks | undefined): boolean {
  if (!marks) return false;
  const seen = marks.seen[keyOf(session)] ?? marks.read_before;
  return seen !== undefined && session.last_active_at > seen;
}

/** What changed between two answers that a person away from the window wants to know. */
export interface News {
  key: string;
  kind: "approval" | "ended";
}
export function newsBetween(before: ReadonlyMap<string, LiveState>, now: ReadonlyMap<string, LiveState>): News[] {
  const asks = [...now]
    .filter(([key, { approvals }]) => approvals > (before.get(key)?.approvals ?? 0))
    .map(([key]): News => ({ key, kind: "approval" }));
  const ends = [...before]
    .filter(([key, { state }]) => state !== "idle" && (now.get(key)?.state ?? "idle") === "idle")
    .map(([key]): News => ({ key, kind: "ended" }));
  return [...asks, ...ends];
}

/** How many approvals wait in the Project. */
export function waitingApprovals(status: Pick<ProjectStatus, "sessions"> | undefined): number {
  return (status?.sessions ?? []).reduce((sum, session) => sum + session.pending_approvals, 0);
}
