"use client";
/** Drawing many rows over several frames: a jump in a long list brings a whole screen of them at once. */
import { useEffect, useLayoutEffect, useReducer, useRef } from "react";
import { flushSync } from "react-dom";

/**
 * Rows drawn in one frame. Fast scrolling brings eight or nine; a screen of forty took 60 ms, with styles, layout and
 * painting.
 */
const IN_ONE_FRAME = 10;

/** The frame that is being made: the same value in everything that belongs to it. */
const frameNow = () => document.timeline.currentTime;

/** Which of the rows in view are drawn; the others follow, so many in each frame. */
export function useDrawn(wanted: readonly string[]): ReadonlySet<string> {
  const drawn = useRef<ReadonlySet<string>>(new Set());
  const spent = useRef<{ frame: ReturnType<typeof frameNow>; rows: number }>({ frame: null, rows: 0 });
  const asked = useRef(0);
  const again = useReducer((times: number) => times + 1, 0)[1];

  const now = new Set(wanted.filter((key) => drawn.current.has(key)));
  const old = now.size;
  const left = old === wanted.length ? 0 : IN_ONE_FRAME - (spent.current.frame === frameNow() ? spent.current.rows : 0);
  for (const key of wanted) if (now.size < old + left) now.add(key);

  useLayoutEffect(() => {
    drawn.current = now;
    if (now.size > old) {
      const frame = frameNow();
      const before = spent.current.frame === frame ? spent.current.rows : 0;
      spent.current = { frame, rows: before + now.size - old };
    }
    if (now.size === wanted.length || asked.current !== 0) return;
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
