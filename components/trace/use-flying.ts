"use client";
import type { Virtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";

/** Screens a second. Nothing can be read of what goes by faster. */
const TOO_FAST = 12;
/** How long a speed is measured. Milliseconds. */
const LOOK_MS = 80;

type Scrolled = Pick<Virtualizer<HTMLDivElement, Element>, "scrollOffset" | "scrollRect" | "isScrolling">;

/** Does the list go by faster than anybody reads? A jump does not: what is there is looked at. Asked with each drawing. */
export function useFlying(list: Scrolled): boolean {
  const state = useRef<{ at: number; offset: number; flying: boolean } | null>(null);
  if (!list.isScrolling) {
    state.current = null;
    return false;
  }
  const [at, offset] = [performance.now(), list.scrollOffset ?? 0];
  const last = state.current;
  if (!last) {
    state.current = { at, offset, flying: false };
    return false;
  }
  if (at - last.at < LOOK_MS) return last.flying;
  const screens = Math.abs(offset - last.offset) / (list.scrollRect?.height || 1);
  const flying = (screens * 1000) / (at - last.at) > TOO_FAST;
  state.current = { at, offset, flying };
  return flying;
}
