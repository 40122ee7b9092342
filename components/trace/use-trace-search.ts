"use client";
import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from "react";
import { type ApiFailure, failureFrom } from "@/lib/api/client";
import { readLines } from "@/lib/api/lines";
import { routes } from "@/lib/api/routes";
import type { FoundSession, SearchLine, SearchProgress, TraceHit } from "@/lib/api/trace-search";
import { type Asked, queryOf } from "./asked";

export interface FoundTrace {
  session: FoundSession;
  hits: TraceHit[];
}
export interface SearchState {
  step: "idle" | "searching" | "done" | "stopped" | "failed";
  found: FoundTrace[];
  progress?: SearchProgress;
  hits: number;
  more: boolean;
  /** `found` is what the search before found: this one has found nothing yet. */
  stale: boolean;
  failure?: ApiFailure;
}
const IDLE: SearchState = { step: "idle", found: [], hits: 0, more: false, stale: false };
/** Rest after the last key before the files are read; between two updates of the page. Milliseconds. */
const REST_MS = 300;
const UPDATE_MS = 120;

/**
 * A search over all Traces of a Project; a new one ends the one before. What that one found stays in sight until there
 * is something new, so that the page does not empty with every key.
 */
export function useTraceSearch(project: string, asked: Asked) {
  const [state, setState] = useState<SearchState>(IDLE);
  const running = useRef<AbortController | null>(null);
  const query = queryOf(asked);
  useEffect(() => {
    if (query === "") return setState(IDLE);
    const stop = new AbortController();
    running.current = stop;
    setState(({ found, hits }) => ({ ...IDLE, step: "searching", found, hits, stale: found.length > 0 }));
    const timer = setTimeout(() => void run(project, query, stop.signal, setState), REST_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [project, query]);
  const stop = () => {
    running.current?.abort();
    setState((now) => ({ ...(now.stale ? IDLE : now), step: "stopped" }));
  };
  return { state, stop };
}

async function run(
  project: string,
  query: string,
  signal: AbortSignal,
  tell: Dispatch<SetStateAction<SearchState>>,
): Promise<void> {
  const found: FoundTrace[] = [];
  let progress: SearchProgress | undefined;
  let hits = 0;
  let told = 0;
  const now = (step: SearchState["step"], rest: Partial<SearchState> = {}) =>
    tell({ ...IDLE, step, found: found.map((one) => ({ ...one })), progress, hits, ...rest });
  const goOn = () => (found.length > 0 ? now("searching") : tell((before) => ({ ...before, progress })));
  try {
    const url = `${routes.projectTraceSearch(project)}?${query}&tz=${new Date().getTimezoneOffset()}`;
    for await (const line of readLines<SearchLine>(url, signal)) {
      if ("session" in line) found.push({ session: line.session, hits: [] });
      else if ("hit" in line) {
        found.at(-1)?.hits.push(line.hit);
        hits++;
      } else if ("progress" in line) progress = line.progress;
      else return now("done", { more: line.done.more });
      if (performance.now() - told < UPDATE_MS) continue;
      told = performance.now();
      goOn();
    }
    now("done");
  } catch (error) {
    if (!signal.aborted) now("failed", { failure: failureFrom(error) });
  }
}
