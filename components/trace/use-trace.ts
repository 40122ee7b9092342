"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { ask } from "@/lib/api/client";
import { queries } from "@/lib/api/queries";
import { routes, type SessionRef } from "@/lib/api/routes";
import type { TraceOverview } from "@/lib/api/trace-overview";
import type { SessionAnalysis } from "@/lib/trace/analysis";

/** How often a Trace is looked at again while it is in sight. Milliseconds. */
const RUNNING_MS = 1000;
const IDLE_MS = 4000;

/** A Trace above this many bytes opens with its records: its Tasks are asked for when somebody wants to see them. */
export const QUICK_BYTES = 32 * 1024 * 1024;

/** What a Session's files are, kept up to date: another process may write them as well. */
export function useTrace(ref: SessionRef) {
  const [wanted, setWanted] = useState(false);
  const overview = useQuery({
    ...queries.traceOverview(ref),
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

function versionOf(overview: TraceOverview | undefined): string {
  return (overview?.files ?? []).map(({ index, bytes }) => `${index}:${bytes}`).join(" ");
}
