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

/** The first visible block, and how far from the top of the page it stands. */
interface Anchor {
  id: string;
  top: number;
}

/**
 * Keeps the newest line in view until a person scrolls up, and again once they are back near the end. While somebody
 * reads further up, whatever changes its height above the view (older messages, late layout) leaves what is being read
 * where it is. `first` names the first block: when it changes, something was put in front.
 */
export function useFollow(key: string, first: string | undefined): Follow {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const lastTop = useRef(0);
  const anchor = useRef<Anchor | null>(null);
  const [away, setAway] = useState(false);

  const settle = useCallback(() => {
    const view = box.current;
    if (!view) return;
    if (following.current) view.scrollTop = view.scrollHeight;
    else if (anchor.current) view.scrollTop += driftOf(view, anchor.current);
    lastTop.current = view.scrollTop;
  }, []);
  const toEnd = useCallback(() => {
    following.current = true;
    setAway(false);
    settle();
  }, [settle]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation opens at its end
  useLayoutEffect(toEnd, [key, toEnd]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: older messages came in front
  useLayoutEffect(settle, [first, settle]);

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
      anchor.current = anchorOf(view);
      setAway(!following.current);
    };
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY >= 0 || view.scrollTop === 0) return;
      following.current = false;
      anchor.current = anchorOf(view);
      setAway(true);
    };
    view.addEventListener("scroll", onScroll, { passive: true });
    view.addEventListener("wheel", onWheel, { passive: true });
    const sizes = new ResizeObserver(settle);
    sizes.observe(inner);
    sizes.observe(view);
    return () => {
      view.removeEventListener("scroll", onScroll);
      view.removeEventListener("wheel", onWheel);
      sizes.disconnect();
    };
  }, [settle]);
  return { box, content, away, toEnd };
}

function anchorOf(view: HTMLElement): Anchor | null {
  const edge = view.getBoundingClientRect().top;
  const blocks = [...view.querySelectorAll<HTMLElement>("[data-task]")];
  // The first one may be joined with older records and get another name.
  const visible = blocks.slice(1).find((block) => block.getBoundingClientRect().bottom > edge) ?? blocks[0];
  const id = visible?.dataset.task;
  return visible && id ? { id, top: visible.getBoundingClientRect().top } : null;
}

/** How far the block has moved since it was noted, pixels. */
function driftOf(view: HTMLElement, { id, top }: Anchor): number {
  const block = view.querySelector(`[data-task="${CSS.escape(id)}"]`);
  return block ? block.getBoundingClientRect().top - top : 0;
}
