"use client";
import { startTransition, useEffect, useLayoutEffect, useMemo, useState } from "react";
import type { SessionRef } from "@/lib/api/routes";
import { openStream } from "./event-stream";
import { type SessionState, SessionStore } from "./session-store";

/**
 * The open conversation and its store. One subscription; what did not change keeps its identity. What comes over the
 * stream is drawn in slices: a key or a click that comes meanwhile goes first.
 */
export function useSession(
  { project, agent, session }: SessionRef,
  opening?: Promise<string | null>,
): { state: SessionState; store: SessionStore } {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that is drawn again brings another opening, too late
  const store = useMemo(
    () => new SessionStore({ project, agent, session }, openStream, opening),
    [project, agent, session],
  );
  // The server draws no messages: a page begins with what it drew, and the store tells more once it is listened to.
  const [shown, setShown] = useState({ store, state: store.getSnapshot() });
  const state = shown.store === store ? shown.state : store.getSnapshot();
  useEffect(() => {
    const draw = () => {
      const state = store.getSnapshot();
      setShown((now) => (now.store === store && now.state === state ? now : { store, state }));
    };
    const stop = store.subscribe((streamed) => {
      if (streamed) {
        store.drawing();
        startTransition(draw);
      } else draw();
    });
    draw();
    return stop;
  }, [store]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each state that is on the page
  useLayoutEffect(() => store.drawn(), [store, state]);
  return { state, store };
}
