"use client";
import { useMemo, useSyncExternalStore } from "react";
import type { SessionRef } from "@/lib/api/routes";
import { type SessionState, SessionStore } from "./session-store";

/** The open conversation and its store. One subscription; what did not change keeps its identity. */
export function useSession({ project, agent, session }: SessionRef): { state: SessionState; store: SessionStore } {
  const store = useMemo(() => new SessionStore({ project, agent, session }), [project, agent, session]);
  const state = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getSnapshot);
  return { state, store };
}
