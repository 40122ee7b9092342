"use client";
import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { failureFrom } from "@/lib/api/client";
import { queries } from "@/lib/api/queries";
import type { TraceRef } from "@/lib/api/routes";
import type { TraceRow } from "@/lib/api/schemas";

/** Physical lines per request. */
export const WINDOW = 100;

/**
 * The rows of one file for the lines in view. A file of any size is read window by window; what was read stays.
 * `first` and `last` are 0-based positions; position i is line i + 1.
 */
export function useTraceRows(ref: TraceRef, first: number, last: number, startLine: number) {
  // The window around the linked line (or the first one) tells how long the file is.
  const start = Math.max(0, Math.floor((startLine - 1) / WINDOW));
  const head = useQuery({ ...queries.traceRows(ref, start * WINDOW, WINDOW), placeholderData: keepPreviousData });
  const total = head.data?.total ?? 0;

  const from = Math.floor(first / WINDOW);
  const to = Math.floor(Math.max(first, last) / WINDOW);
  const wanted = total === 0 ? [] : Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const windows = useQueries({
    queries: wanted.map((window) => ({ ...queries.traceRows(ref, window * WINDOW, WINDOW), staleTime: 60_000 })),
  });

  const rows = new Map<number, TraceRow>();
  const loaded = new Set<number>();
  windows.forEach((answer, i) => {
    const window = wanted[i];
    if (!answer.data || window === undefined) return;
    loaded.add(window);
    for (const row of answer.data.records) rows.set(row.line, row);
  });
  const failed = windows.find((answer) => answer.error);

  return {
    total,
    pending: head.isPending,
    failure: head.error ? failureFrom(head.error) : null,
    windowFailure: failed?.error ? failureFrom(failed.error) : null,
    /** The row of a position; null: a blank line; undefined: not loaded yet. */
    rowAt: (position: number): TraceRow | null | undefined =>
      rows.get(position + 1) ?? (loaded.has(Math.floor(position / WINDOW)) ? null : undefined),
    retry: () => {
      void head.refetch();
      for (const answer of windows) if (answer.isError) void answer.refetch();
    },
  };
}
