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
  /** Puts a block at the top of the view. */
  toTask: (id: string) => void;
  /** The block that is being read. */
  current: () => string | null;
}

/**
 * A block in view and where it stands in the content. Not where it stands on the screen: a person who scrolls moves
 * that, often before the page hears of it.
 */
interface Anchor {
  id: string;
  offset: number;
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
    const [view, inner] = [box.current, content.current];
    if (!view || !inner) return;
    if (following.current) view.scrollTop = view.scrollHeight;
    else if (anchor.current) {
      const offset = offsetOf(inner, anchor.current.id);
      const grown = offset === null ? 0 : offset - anchor.current.offset;
      if (Math.abs(grown) >= 1) view.scrollTop += grown;
      if (offset !== null) anchor.current.offset = offset;
    }
    lastTop.current = view.scrollTop;
  }, []);
  const toEnd = useCallback(() => {
    following.current = true;
    setAway(false);
    settle();
  }, [settle]);
  const toTask = useCallback((id: string) => {
    const [view, inner] = [box.current, content.current];
    const offset = inner && offsetOf(inner, id);
    if (!view || !inner || offset === null) return;
    following.current = false;
    anchor.current = { id, offset };
    view.scrollTop = offset;
    setAway(true);
    const block = blockOf(inner, id);
    block?.focus({ preventScroll: true });
  }, []);

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
      anchor.current = following.current ? null : anchorOf(view, inner);
      setAway(!following.current);
    };
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY >= 0 || view.scrollTop === 0) return;
      following.current = false;
      anchor.current = anchorOf(view, inner);
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
  const current = useCallback(
    () => (box.current && content.current && anchorOf(box.current, content.current)?.id) ?? null,
    [],
  );
  return { box, content, away, toEnd, toTask, current };
}

function blockOf(inner: HTMLElement, id: string): HTMLElement | null {
  return inner.querySelector<HTMLElement>(`[data-task="${CSS.escape(id)}"]`);
}

/** From the top of the content to the block, pixels. */
function offsetOf(inner: HTMLElement, id: string): number | null {
  const block = blockOf(inner, id);
  return block && block.getBoundingClientRect().top - inner.getBoundingClientRect().top;
}

/** The first block whose end is below the upper edge of the view: found in the middle of the middle, there may be many. */
function anchorOf(view: HTMLElement, inner: HTMLElement): Anchor | null {
  const edge = view.getBoundingClientRect().top;
  const blocks = inner.querySelectorAll<HTMLElement>("[data-task]");
  let [low, high] = [0, blocks.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const block = blocks[middle];
    if (block && block.getBoundingClientRect().bottom > edge) high = middle;
    else low = middle + 1;
  }
  // The very first one may be joined with older records and get another name.
  const cut = Math.max(low, blocks.length > 1 ? 1 : 0);
  const next = blocks[cut + 1];
  // A block that is cut by the edge may still be drawn for the first time and change: the next one is what is read.
  const whole = next && next.getBoundingClientRect().top < edge + view.clientHeight * 0.6;
  const found = whole ? next : blocks[cut];
  const id = found?.dataset.task;
  return found && id ? { id, offset: found.getBoundingClientRect().top - inner.getBoundingClientRect().top } : null;
}
