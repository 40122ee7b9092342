"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { ApiFailure } from "@/lib/api/client";
import { routes } from "@/lib/api/routes";
import type { ImportResult } from "@/lib/api/schemas";
import { upload } from "@/lib/api/upload";

export type ImportState =
  | { step: "choose" }
  | { step: "sending"; sent: number; total: number }
  | { step: "done"; agent: string; result: ImportResult }
  | { step: "failed"; agent: string; failure: ApiFailure };

/** choose -> sending -> done | failed; stopping goes back to choose. */
export function useImport(project: string) {
  const cache = useQueryClient();
  const [state, setState] = useState<ImportState>({ step: "choose" });
  const running = useRef<AbortController | null>(null);

  const start = async (agent: string, file: File, acceptDamage: boolean) => {
    const stop = new AbortController();
    running.current = stop;
    setState({ step: "sending", sent: 0, total: file.size });
    const url = routes.traces(project, agent) + (acceptDamage ? "?accept_damage=1" : "");
    const result = await upload<ImportResult>(url, file, {
      type: "application/x-ndjson",
      signal: stop.signal,
      onProgress: (sent, total) => {
        if (!stop.signal.aborted) setState({ step: "sending", sent, total });
      },
    });
    if (!result) return setState({ step: "choose" });
    if (!result.ok) return setState({ step: "failed", agent, failure: result.error });
    setState({ step: "done", agent, result: result.data });
    void cache.invalidateQueries({ queryKey: ["traces", project, agent] });
    void cache.invalidateQueries({ queryKey: ["sessions", project, agent] });
  };

  return {
    state,
    start,
    stop: () => running.current?.abort(),
    reset: () => setState({ step: "choose" }),
  };
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
