"use client";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { ask } from "@/lib/api/client";
import { queries } from "@/lib/api/queries";
import { routes, type SessionRef } from "@/lib/api/routes";
import type { TraceOpening, TraceOverview } from "@/lib/api/trace-overview";
import type { SessionAnalysis } from "@/lib/trace/analysis";
import { QUICK_BYTES } from "@/lib/trace/rows-window";
import { rowsQuery } from "./use-rows";

/** How often a Trace is looked at again while it is in sight. Milliseconds. */
const RUNNING_MS = 1000;
const IDLE_MS = 4000;

/** What a Session's files are, kept up to date: another process may write them as well. */
export function useTrace(ref: SessionRef, opening: Promise<string | null> | undefined) {
  const [wanted, setWanted] = useState(false);
  const overview = useQuery({
    ...queries.traceOverview(ref),
    enabled: useOpened(ref, opening),
    refetchInterval: ({ state }) => (state.data?.state === "running" ? RUNNING_MS : IDLE_MS),
    structuralSharing: true,
  });
  const version = versionOf(overview.data);
  const bytes = (overview.data?.files ?? []).reduce((sum, file) => sum + file.bytes, 0);
  const wantTasks = useCallback(() => setWanted(true), []);
  const analysis = useQuery({
    queryKey: ["trace-analysis", ref.project, ref.agent, ref.session, version],
    queryFn: ({ signal }) => ask<SessionAnalysis>(routes.traceAnalysis(ref), signal),
    enabled: overview.data !== undefined && (wanted || bytes <= QUICK_BYTES),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
  });
  const files = useMemo(() => overview.data?.files ?? [], [overview.data]);
  return { overview, analysis, files, wantTasks };
}

/** Those that have been used: a page that comes back brings what is old by then. */
const USED = new WeakSet<Promise<string | null>>();

/** Puts what came with the page where queries read it. True from then on: the rest is asked for. */
function useOpened(ref: SessionRef, opening: Promise<string | null> | undefined): boolean {
  const client = useQueryClient();
  const [opened, setOpened] = useState(opening === undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that is drawn again brings another one, too late
  useEffect(() => {
    if (!opening || USED.has(opening)) {
      setOpened(true);
      return;
    }
    USED.add(opening);
    const take = (text: string | null) => {
      if (text) {
        const { overview, rows }: TraceOpening = JSON.parse(text);
        client.setQueryData(queries.traceOverview(ref).queryKey, overview);
        const file = overview.files.find(({ index }) => index === rows?.index);
        if (file && rows)
          client.setQueryData(rowsQuery({ ...ref, index: file.index }, file, rows.window).queryKey, rows.page);
      }
      setOpened(true);
    };
    opening.then(take, () => take(null));
  }, []);
  return opened;
}

function versionOf(overview: TraceOverview | undefined): string {
  return (overview?.files ?? []).map(({ index, bytes }) => `${index}:${bytes}`).join(" ");
}
