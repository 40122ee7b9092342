"use client";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** This close to the end, the view follows again. Pixels. */
const NEAR_PX = 80;

export interface Follow {
  box: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** The newest line is not in view: a button offers to go there. */
  away: boolean;
  toEnd: () => void;
}

/**
 * Keeps the newest line in view until a person scrolls up, and again once they are back near the end. Anything above the
 * view that changes its height (older messages, late layout) leaves what is being read where it is.
 */
export function useFollow(key: string): Follow {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const lastTop = useRef(0);
  const [away, setAway] = useState(false);

  const stick = useCallback(() => {
    const view = box.current;
    if (!view || !following.current) return;
    view.scrollTop = view.scrollHeight;
    lastTop.current = view.scrollTop;
  }, []);
  const toEnd = useCallback(() => {
    following.current = true;
    setAway(false);
    stick();
  }, [stick]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation opens at its end
  useLayoutEffect(toEnd, [key, toEnd]);

  useEffect(() => {
    const view = box.current;
    const inner = content.current;
    if (!view || !inner) return;
    const onScroll = () => {
      const rest = view.scrollHeight - view.scrollTop - view.clientHeight;
      // Only an upward movement stops it: growing content moves the end away, not the person.
      if (view.scrollTop < lastTop.current - 1 && rest > 2) following.current = false;
      else if (rest < NEAR_PX) following.current = true;
      lastTop.current = view.scrollTop;
      setAway(!following.current);
    };
    const release = (event: WheelEvent) => {
      if (event.deltaY < 0 && view.scrollTop > 0) {
        following.current = false;
        setAway(true);
      }
    };
    view.addEventListener("scroll", onScroll, { passive: true });
    view.addEventListener("wheel", release, { passive: true });
    const sizes = new ResizeObserver(stick);
    sizes.observe(inner);
    sizes.observe(view);
    return () => {
      view.removeEventListener("scroll", onScroll);
      view.removeEventListener("wheel", release);
      sizes.disconnect();
    };
  }, [stick]);
  return { box, content, away, toEnd };
}

/** Leaves the first visible block where it is when something is put in front of it. `version` changes with that. */
export function useKeepPlace(box: RefObject<HTMLDivElement | null>, version: string): void {
  const place = useRef<{ id: string; top: number } | null>(null);
  const seen = useRef(version);
  useLayoutEffect(() => {
    const view = box.current;
    if (!view) return;
    if (seen.current !== version) {
      seen.current = version;
      const kept = place.current;
      const block = kept && view.querySelector(`[data-task="${CSS.escape(kept.id)}"]`);
      if (block) view.scrollTop += block.getBoundingClientRect().top - kept.top;
    }
  });
  useEffect(() => {
    const view = box.current;
    if (!view) return;
    const note = () => {
      const edge = view.getBoundingClientRect().top;
      const blocks = [...view.querySelectorAll<HTMLElement>("[data-task]")];
      // The first one may be joined with older records and get another name.
      const visible = blocks.slice(1).find((block) => block.getBoundingClientRect().bottom > edge) ?? blocks[0];
      if (visible?.dataset.task) place.current = { id: visible.dataset.task, top: visible.getBoundingClientRect().top };
    };
    note();
    view.addEventListener("scroll", note, { passive: true });
    return () => view.removeEventListener("scroll", note);
  }, [box]);
}
