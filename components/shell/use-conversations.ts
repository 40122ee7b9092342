"use client";
import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { failureFrom } from "@/lib/api/client";
import { isFollowed } from "@/lib/api/live/followed";
import { queries } from "@/lib/api/queries";
import { refreshSessions } from "@/lib/api/refresh";
import type { AgentView, ProjectStatus, SessionCategory, SessionsPage, SessionView } from "@/lib/api/schemas";
import { keyOf, type LiveState, liveStates, newestFirst } from "./conversations";

const PAGE = 40;
const NONE: AgentView[] = [];
const NO_PAGES: SessionsPage[] = [];

/** The conversations of all Agents of a Project, newest activity first, with their live state. */
export function useConversations(project: string) {
  const [limit, setLimit] = useState(PAGE);
  const agents = useQuery(queries.agents(project));
  const status = useProjectStatus(project);
  const list = useSessionPages(project, agents.data ?? NONE, { limit, category: "active" });
  useRefreshOnChange(project, status.data, list.sessions);
  return {
    agents: agents.data ?? NONE,
    sessions: list.sessions,
    counts: list.counts,
    live: liveStates(status.data),
    loading: agents.isPending || list.loading,
    failure: agents.error ? failureFrom(agents.error) : list.failure,
    more: list.more,
    showMore: () => setLimit((now) => now + PAGE),
    retry: () => {
      void agents.refetch();
      list.refetch();
    },
  };
}

interface PagesQuery {
  limit: number;
  category?: SessionCategory;
  q?: string;
  enabled?: boolean;
}

/** One page of each Agent's Sessions, as one list. */
export function useSessionPages(
  project: string,
  agents: readonly AgentView[],
  { enabled = true, ...query }: PagesQuery,
) {
  const lists = useQueries({
    queries: agents.map((agent) => ({
      ...queries.sessions(project, agent.id, query),
      staleTime: 10_000,
      enabled,
      placeholderData: (before: SessionsPage | undefined) => before,
    })),
  });
  // One list, not one that is sorted anew with every Agent's answer. An Agent that is added later makes nobody wait.
  const pending = lists.some((list) => list.isPending);
  const whole = useRef(false);
  if (!pending && agents.length > 0) whole.current = true;
  const pages = whole.current ? lists.flatMap((list) => list.data ?? []) : NO_PAGES;
  const sessions = pages.flatMap((page) => page.sessions);
  const failed = lists.find((list) => list.error)?.error;
  return {
    // A draft whose first message was never accepted is no conversation yet.
    sessions: newestFirst(sessions.filter(({ has_trace, status }) => has_trace || status !== "idle")),
    counts: sum(pages),
    loading: enabled && pending,
    failure: failed ? failureFrom(failed) : null,
    more: pages.some((page) => page.next_cursor !== undefined),
    refetch: () => {
      for (const list of lists) void list.refetch();
    },
  };
}

function sum(pages: readonly SessionsPage[]): SessionsPage["counts"] {
  const counts = { active: 0, archived: 0, subagent: 0, schedule: 0 };
  for (const page of pages) {
    for (const [kind, count] of Object.entries(page.counts)) counts[kind as SessionCategory] += count;
  }
  return counts;
}

/** States and waiting approvals; asked more often while something runs. */
export function useProjectStatus(project: string) {
  return useQuery({
    ...queries.status(project),
    refetchInterval: (query) => {
      if (isFollowed(project)) return 60_000;
      const busy = query.state.data?.sessions.some((s) => s.state !== "idle" || s.pending_approvals > 0);
      return busy ? 3_000 : 12_000;
    },
    refetchIntervalInBackground: true,
    staleTime: 2_000,
  });
}

/** A Session that began, ended or appeared elsewhere changes order and titles: the lists are read again then. */
function useRefreshOnChange(project: string, status: ProjectStatus | undefined, loaded: readonly SessionView[]): void {
  const client = useQueryClient();
  const before = useRef<Map<string, LiveState> | null>(null);
  const lists = useRef<number | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: compares successive answers only
  useEffect(() => {
    if (!status) return;
    const now = liveStates(status);
    const known = new Set(loaded.map(keyOf));
    const changed =
      before.current !== null &&
      ([...now].some(([key, live]) => !known.has(key) || before.current?.get(key)?.state !== live.state) ||
        [...before.current.keys()].some((key) => !now.has(key)));
    const renamed = lists.current !== undefined && lists.current !== status.lists;
    lists.current = status.lists;
    const asked = [...now].some(([key, live]) => before.current?.get(key)?.approvals !== live.approvals);
    before.current = now;
    if (changed || renamed) void refreshSessions(client, project);
    if (changed || asked) void client.invalidateQueries({ queryKey: ["approvals", project] });
  }, [status]);
}
