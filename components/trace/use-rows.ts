"use client";
import { useQueries } from "@tanstack/react-query";
import { useRef } from "react";
import { failureFrom } from "@/lib/api/client";
import { queries } from "@/lib/api/queries";
import type { SessionRef, TraceRef } from "@/lib/api/routes";
import type { RecordSummary, SummariesPage } from "@/lib/api/trace-summary";
import { type FileSize, windowSize, windowVersion } from "@/lib/trace/rows-window";

interface FileState extends FileSize {
  index: number;
}
interface Wanted {
  file: number;
  line: number;
}

/** A window of lines. */
export function rowsQuery(trace: TraceRef, file: FileSize, window: number, size = windowSize(file)) {
  return queries.traceSummaries(trace, window * size, size, windowVersion(file, window, size));
}

/**
 * The rows of the lines in view, whichever files they are in. A Trace of any size is read window by window; a window
 * that may still grow is read again when its file did, and shows what it had until then. `ask`: may new ones be read?
 */
export function useRows(ref: SessionRef, files: readonly FileState[], inView: readonly Wanted[], ask = true) {
  const byIndex = new Map(files.map((file) => [file.index, file]));
  // Decided once for each file: a file that grows keeps its windows.
  const sizes = useRef(new Map<number, number>());
  const sizeOf = (index: number) => {
    const file = byIndex.get(index);
    if (file && !sizes.current.has(index)) sizes.current.set(index, windowSize(file));
    return sizes.current.get(index) ?? windowSize({ lines: 0, bytes: 0 });
  };
  const keyOf = (file: number, line: number) => `${file}/${Math.floor((line - 1) / sizeOf(file))}`;
  const keys = [...new Set(inView.map(({ file, line }) => keyOf(file, line)))];
  const wanted = keys.map((key) => {
    const [file = 0, window = 0] = key.split("/").map(Number);
    return { key, file, window };
  });
  const kept = useRef(new Map<string, SummariesPage>());
  const answers = useQueries({
    queries: wanted.map(({ key, file, window }) => {
      const state = byIndex.get(file) ?? { lines: 0, bytes: 0 };
      return {
        ...rowsQuery({ ...ref, index: file }, state, window, sizeOf(file)),
        enabled: ask,
        staleTime: Number.POSITIVE_INFINITY,
        // Of a long Trace there are many: what is out of sight for a while is read again.
        gcTime: 60_000,
        placeholderData: () => kept.current.get(key),
      };
    }),
  });

  const rows = new Map<string, RecordSummary>();
  const loaded = new Map<string, SummariesPage>();
  for (const [i, { key, file }] of wanted.entries()) {
    const data = answers[i]?.data;
    if (!data) continue;
    loaded.set(key, data);
    for (const row of data.records) rows.set(`${file}:${row.line}`, row);
  }
  kept.current = loaded;
  const failed = answers.find((answer) => answer.error);
  return {
    failure: failed?.error ? failureFrom(failed.error) : null,
    /** null: a blank line; undefined: not loaded yet. */
    rowAt: (file: number, line: number): RecordSummary | null | undefined =>
      rows.get(`${file}:${line}`) ?? (loaded.has(keyOf(file, line)) ? null : undefined),
    retry: () => {
      for (const answer of answers) if (answer.isError) void answer.refetch();
    },
  };
}
