/** What the list of conversations shows, as pure functions. */
import type { ProjectStatus, SessionView } from "@/lib/api/schemas";
import { type DayGroup, dayGroup } from "@/lib/format";

export interface LiveState {
  state: ProjectStatus["sessions"][number]["state"];
  approvals: number;
}

/** Live state by "agent/session". */
export function liveStates(status: ProjectStatus | undefined): Map<string, LiveState> {
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

const ORDER: DayGroup[] = ["today", "yesterday", "week", "month", "older"];

/** Groups by day of last activity, keeping the order inside; empty groups are left out. `now` in ms. */
export function groupByDay(sessions: SessionView[], now: number): { group: DayGroup; sessions: SessionView[] }[] {
  return ORDER.flatMap((group) => {
    const members = sessions.filter((session) => dayGroup(session.last_active_at, now) === group);
    return members.length > 0 ? [{ group, sessions: members }] : [];
  });
}

/** Sessions whose title holds every word of the query, in any order and case. */
export function matchTitle(sessions: SessionView[], query: string): SessionView[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return sessions;
  return sessions.filter((session) => {
    const title = (session.title ?? "").toLocaleLowerCase();
    return words.every((word) => title.includes(word));
  });
}

/** How many approvals wait in the Project. */
export function waitingApprovals(status: ProjectStatus | undefined): number {
  return (status?.sessions ?? []).reduce((sum, session) => sum + session.pending_approvals, 0);
}
