"use client";
import { useMemo, useSyncExternalStore } from "react";
import type { SessionRef } from "@/lib/api/routes";
import { openStream } from "./event-stream";
import { type SessionState, SessionStore } from "./session-store";

/** The open conversation and its store. One subscription; what did not change keeps its identity. */
export function useSession(
  { project, agent, session }: SessionRef,
  opening?: Promise<string | null>,
): { state: SessionState; store: SessionStore } {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that is drawn again brings another opening, too late
  const store = useMemo(
    () => new SessionStore({ project, agent, session }, openStream, opening),
    [project, agent, session],
  );
  // The server draws no messages: the page begins with what it drew.
  const state = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getInitial);
  return { state, store };
}
