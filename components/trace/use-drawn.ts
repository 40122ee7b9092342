"use client";
/** Drawing many rows over several frames: a jump in a long list brings a whole screen of them at once. */
import { useEffect, useLayoutEffect, useReducer, useRef } from "react";
import { flushSync } from "react-dom";

/**
 * Rows drawn in one frame: at 60 frames a second 13,000 pixels, faster than anybody reads. A screen of forty at once took
 * 60 ms, with styles, layout and painting.
 */
const IN_ONE_FRAME = 6;
/** What the empty place of a row costs beside the row. */
const EMPTY = 0.25;

/** How many rows a frame still has time for that brings so many places. */
function room(places: number, spent: number): number {
  const rows = (IN_ONE_FRAME - spent - places * EMPTY) / (places > 0 ? 1 - EMPTY : 1);
  return Math.max(0, Math.min(IN_ONE_FRAME, Math.floor(rows)));
}

/** The frame that is being made: the same value in everything that belongs to it. */
const frameNow = () => document.timeline.currentTime;

/**
 * Which of the rows that are there are drawn; the others follow, so many in each frame. `inView`: also those to come.
 * `more`: all when they are in the page already, or there are no frames; none when nobody would see them.
 */
export function useDrawn(
  inView: readonly string[],
  wanted: readonly string[],
  more: "some" | "all" | "none" = "some",
): ReadonlySet<string> {
  const places = useRef<ReadonlySet<string>>(new Set());
  const drawn = useRef<ReadonlySet<string>>(new Set());
  const spent = useRef<{ frame: ReturnType<typeof frameNow>; work: number }>({ frame: null, work: 0 });
  const asked = useRef(0);
  const again = useReducer((times: number) => times + 1, 0)[1];

  const now = new Set(more === "all" ? wanted : wanted.filter((key) => drawn.current.has(key)));
  const old = now.size;
  const come = inView.reduce((sum, key) => sum + (places.current.has(key) ? 0 : 1), 0);
  const before = old === wanted.length || spent.current.frame !== frameNow() ? 0 : spent.current.work;
  const left = more === "none" ? 0 : room(come, before);
  for (const key of wanted) if (now.size < old + left) now.add(key);

  useLayoutEffect(() => {
    places.current = new Set(inView);
    drawn.current = now;
    const rows = now.size - old;
    const work = rows + Math.max(0, come - rows) * EMPTY;
    if (work > 0) {
      const frame = frameNow();
      spent.current = { frame, work: work + (spent.current.frame === frame ? spent.current.work : 0) };
    }
    if (now.size === wanted.length || more === "none" || asked.current !== 0) return;
    const next = () => {
      // Asked for while a frame was being made, this comes in the same frame.
      if (spent.current.frame === frameNow()) {
        asked.current = requestAnimationFrame(next);
        return;
      }
      asked.current = 0;
      flushSync(again);
    };
    asked.current = requestAnimationFrame(next);
  });
  useEffect(
    () => () => {
      cancelAnimationFrame(asked.current);
      asked.current = 0;
    },
    [],
  );
  return now;
}
