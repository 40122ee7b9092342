"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { ApiFailure } from "@/lib/api/client";
import { routes } from "@/lib/api/routes";
import type { ImportResult } from "@/lib/api/schemas";
import type { BundleResult } from "@/lib/api/trace-bundle";
import { upload } from "@/lib/api/upload";

/** One file on its way: waiting -> sending -> done | failed. */
export type ImportEntry = { id: number; file: File; agent: string } & (
  | { step: "waiting" }
  | { step: "sending"; sent: number }
  | { step: "done"; session: string; sessions: number; damaged: number }
  | { step: "failed"; failure: ApiFailure }
);

export const isBundle = (file: File): boolean => /\.(tar\.gz|tgz)$/i.test(file.name);

/** Files are sent one after the other, so that each has its own progress and its own outcome. */
export function useImport(project: string) {
  const cache = useQueryClient();
  const [entries, setEntries] = useState<ImportEntry[]>([]);
  const [busy, setBusy] = useState(false);
  const running = useRef<AbortController | null>(null);
  const serial = useRef(0);

  const set = (id: number, next: (entry: ImportEntry) => ImportEntry) =>
    setEntries((now) => now.map((entry) => (entry.id === id ? next(entry) : entry)));

  /** false: it was stopped. */
  const sendOne = async ({ id, file, agent }: ImportEntry, acceptDamage: boolean, stop: AbortController) => {
    const base = isBundle(file) ? routes.traceBundles(project, agent) : routes.traces(project, agent);
    set(id, ({ file }) => ({ id, file, agent, step: "sending", sent: 0 }));
    const result = await upload<ImportResult | BundleResult>(`${base}${acceptDamage ? "?accept_damage=1" : ""}`, file, {
      type: isBundle(file) ? "application/gzip" : "application/x-ndjson",
      signal: stop.signal,
      onProgress: (sent) => !stop.signal.aborted && set(id, () => ({ id, file, agent, step: "sending", sent })),
    });
    if (!result) {
      set(id, () => ({ id, file, agent, step: "waiting" }));
      return false;
    }
    set(id, () => ({ id, file, agent, ...outcome(result) }));
    return true;
  };
  const run = async (list: ImportEntry[], acceptDamage: boolean) => {
    const stop = new AbortController();
    running.current = stop;
    setBusy(true);
    for (const entry of list) if (!(await sendOne(entry, acceptDamage, stop))) break;
    setBusy(false);
    for (const agent of new Set(list.map((entry) => entry.agent))) {
      void cache.invalidateQueries({ queryKey: ["traces", project, agent] });
      void cache.invalidateQueries({ queryKey: ["sessions", project, agent] });
    }
  };

  return {
    entries,
    busy,
    add: (files: readonly File[], agent: string) =>
      setEntries((now) => [
        ...now,
        ...files.map((file): ImportEntry => ({ id: ++serial.current, file, agent, step: "waiting" })),
      ]),
    remove: (id: number) => setEntries((now) => now.filter((entry) => entry.id !== id)),
    chooseAgent: (agent: string) =>
      setEntries((now) => now.map((entry) => (entry.step === "done" ? entry : { ...entry, step: "waiting", agent }))),
    start: () =>
      run(
        entries.filter(({ step }) => step === "waiting"),
        false,
      ),
    anyway: (entry: ImportEntry) => run([entry], true),
    stop: () => running.current?.abort(),
  };
}

type Outcome =
  | { step: "done"; session: string; sessions: number; damaged: number }
  | { step: "failed"; failure: ApiFailure };

function outcome(result: { ok: true; data: ImportResult | BundleResult } | { ok: false; error: ApiFailure }): Outcome {
  if (!result.ok) return { step: "failed", failure: result.error };
  const { data } = result;
  const sessions = "sessions" in data ? data.sessions.length : 1;
  return { step: "done", session: data.session_id, sessions, damaged: data.damaged.length };
}

/** The damaged lines that a refusal names; null when it is another refusal. */
export function damagedLines(failure: ApiFailure): { lines: { line: number; error: string }[]; total: number } | null {
  if (failure.code !== "damaged_trace" || !Array.isArray(failure.details.damaged)) return null;
  const lines = failure.details.damaged.flatMap((entry: unknown) => {
    if (typeof entry !== "object" || entry === null || !("line" in entry) || typeof entry.line !== "number") return [];
    return [{ line: entry.line, error: "error" in entry && typeof entry.error === "string" ? entry.error : "" }];
  });
  const { total } = failure.details;
  return { lines, total: typeof total === "number" ? total : lines.length };
}
