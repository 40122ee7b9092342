"use client";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { failureFrom } from "@/lib/api/client";
import { queries } from "@/lib/api/queries";
import type { SessionView } from "@/lib/api/schemas";
import { type LiveState, liveStates, newestFirst } from "./conversations";
import { isFollowed } from "./use-live-status";

const PAGE = 40;

/** The conversations of all Agents of a Project, newest activity first, with their live state. */
export function useConversations(project: string) {
  const [limit, setLimit] = useState(PAGE);
  const agents = useQuery(queries.agents(project));
  const status = useProjectStatus(project);
  const lists = useQueries({
    queries: (agents.data ?? []).map((agent) => ({ ...queries.sessions(project, agent.id, limit), staleTime: 10_000 })),
  });
  const pages = lists.map((list) => list.data);
  const loaded = pages.flatMap((page) => page?.sessions ?? []);
  const sessions = newestFirst(loaded.filter((session) => !session.archived));
  const archived = newestFirst(loaded.filter((session) => session.archived));

  useRefreshOnChange(status.data, loaded, () => {
    for (const list of lists) void list.refetch();
  });

  return {
    agents: agents.data ?? [],
    sessions,
    archived,
    live: liveStates(status.data),
    loading: agents.isPending || lists.some((list) => list.isPending),
    failure: agents.error ? failureFrom(agents.error) : firstFailure(lists),
    more: pages.some((page) => page?.next_cursor !== undefined),
    showMore: () => setLimit((now) => now + PAGE),
    retry: () => {
      void agents.refetch();
      for (const list of lists) void list.refetch();
    },
  };
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

function firstFailure(lists: { error: Error | null }[]) {
  const failed = lists.find((list) => list.error);
  return failed?.error ? failureFrom(failed.error) : null;
}

/** A Session that began, ended or appeared elsewhere changes order and titles: the lists are read again then. */
function useRefreshOnChange(
  status: Parameters<typeof liveStates>[0],
  loaded: SessionView[],
  refresh: () => void,
): void {
  const before = useRef<Map<string, LiveState> | null>(null);
  const run = useRef(refresh);
  run.current = refresh;
  // biome-ignore lint/correctness/useExhaustiveDependencies: compares successive answers only
  useEffect(() => {
    if (!status) return;
    const now = liveStates(status);
    const known = new Set(loaded.map((session) => `${session.agent}/${session.id}`));
    const changed =
      before.current !== null &&
      ([...now].some(([key, live]) => !known.has(key) || before.current?.get(key)?.state !== live.state) ||
        [...before.current.keys()].some((key) => !now.has(key)));
    before.current = now;
    if (changed) run.current();
  }, [status]);
}
