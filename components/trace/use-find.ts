"use client";
import { useEffect, useState } from "react";
import { failureFrom } from "@/lib/api/client";
import { readLines } from "@/lib/api/lines";
import { routes, type SessionRef } from "@/lib/api/routes";
import type { SearchLine, TraceHit } from "@/lib/api/trace-search";

export interface Found {
  hits: TraceHit[];
  state: "idle" | "searching" | "done" | "failed";
  more: boolean;
  message?: string;
}
const NOTHING: Found = { hits: [], state: "idle", more: false };
/** Rest after the last key before the files are read. Milliseconds. */
const REST_MS = 150;

/** The records of a Session that hold a text, as they are found. `version` changes when the files do. */
export function useFind(ref: SessionRef, text: string): Found {
  const [found, setFound] = useState<Found>(NOTHING);
  const { project, agent, session } = ref;
  useEffect(() => {
    if (text === "") return setFound(NOTHING);
    const stop = new AbortController();
    const timer = setTimeout(() => void search({ project, agent, session }, text, stop.signal, setFound), REST_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [project, agent, session, text]);
  return found;
}

async function search(ref: SessionRef, text: string, signal: AbortSignal, tell: (found: Found) => void): Promise<void> {
  const hits: TraceHit[] = [];
  let told = 0;
  const now = (state: Found["state"], more = false, message?: string) =>
    tell({ hits: [...hits], state, more, ...(message === undefined ? {} : { message }) });
  now("searching");
  try {
    const url = `${routes.traceSearch(ref)}?q=${encodeURIComponent(text)}`;
    for await (const line of readLines<SearchLine>(url, signal)) {
      if ("hit" in line) hits.push(line.hit);
      if ("done" in line) return now("done", line.done.more);
      if (performance.now() - told < 100) continue;
      told = performance.now();
      now("searching");
    }
    now("done");
  } catch (error) {
    if (!signal.aborted) now("failed", false, failureFrom(error).message);
  }
}
