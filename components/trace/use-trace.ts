"use client";
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { use, useCallback, useMemo, useState } from "react";
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

/** `TraceOpening` as JSON, or null: the page asks by itself. `later`: it follows behind the page. */
export type Opening = { text: string | null } | { later: Promise<string | null> };

/**
 * Who has used them: a page that comes back brings what is old by then. The first drawing of a page may be begun a
 * second time, with nothing of the first left, its client neither.
 */
const USED = new WeakMap<Opening, QueryClient>();
/** What came of each; null also when the rest of the page never came. */
const ARRIVED = new WeakMap<Promise<string | null>, Promise<string | null>>();

function arrived(later: Promise<string | null>): Promise<string | null> {
  // Not `catch`: what React gives is a promise in its `then` alone, which returns nothing.
  const known = ARRIVED.get(later) ?? new Promise<string | null>((resolve) => later.then(resolve, () => resolve(null)));
  ARRIVED.set(later, known);
  return known;
}

/** Puts what comes with the page where queries read it. Suspends until it is there. */
export function useOpening(ref: SessionRef, opening: Opening | undefined): void {
  const client = useQueryClient();
  if (!opening) return;
  const text = "later" in opening ? use(arrived(opening.later)) : opening.text;
  if (USED.get(opening) === client) return;
  USED.set(opening, client);
  if (!text) return;
  const { overview, rows, linked }: TraceOpening = JSON.parse(text);
  client.setQueryData(queries.traceOverview(ref).queryKey, overview);
  const file = overview.files.find(({ index }) => index === rows?.index);
  if (file && rows)
    client.setQueryData(rowsQuery({ ...ref, index: file.index }, file, rows.window).queryKey, rows.page);
  if (linked) client.setQueryData(queries.traceRow({ ...ref, index: linked.index }, linked.line).queryKey, linked.page);
}

function versionOf(overview: TraceOverview | undefined): string {
  return (overview?.files ?? []).map(({ index, bytes }) => `${index}:${bytes}`).join(" ");
}
