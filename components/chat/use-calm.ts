"use client";
import { useRef } from "react";
import type { SessionState } from "./session-store";

/**
 * The state without its restlessness: the same object as long as nothing but the text that streams has changed. What
 * stands around the conversation reads this one, and is not drawn again with every word.
 */
export function useCalm(state: SessionState): SessionState {
  const calm = useRef(state);
  if (!isOnlyText(calm.current, state)) calm.current = state;
  return calm.current;
}

export function isOnlyText(before: SessionState, now: SessionState): boolean {
  if (before === now) return true;
  const { transcript: old, ...rest } = before;
  const { transcript: fresh, ...others } = now;
  return (
    sameMembers(rest, others) &&
    sameMembers({ ...old, tasks: null }, { ...fresh, tasks: null }) &&
    old.tasks.length === fresh.tasks.length &&
    old.tasks.at(-2) === fresh.tasks.at(-2) &&
    sameMembers({ ...old.tasks.at(-1), open: null }, { ...fresh.tasks.at(-1), open: null })
  );
}

function sameMembers(a: object, b: object): boolean {
  const values = new Map(Object.entries(b));
  const entries = Object.entries(a);
  return entries.length === values.size && entries.every(([key, value]) => Object.is(value, values.get(key)));
}
