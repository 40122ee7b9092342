"use client";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type Anchor, anchorAt, anchorOn, movedBy } from "./anchor";

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
  /** To be called once something was drawn: puts the view where it belongs before anybody sees it elsewhere. */
  settle: () => void;
}

/**
 * Keeps the newest line in view until a person scrolls up, and again once they are back near the end. While somebody
 * reads further up, whatever changes its height above the view (older messages, late layout) leaves what is being read
 * where it is.
 *
 * An anchor says where something stands in the content, not on the screen: a person who scrolls moves the latter, often
 * before the page hears of it.
 */
export function useFollow(key: string): Follow {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const lastTop = useRef(0);
  const anchor = useRef<Anchor | null>(null);
  const [away, setAway] = useState(false);

  const take = useCallback((at: Anchor | null) => {
    anchor.current = at;
    following.current = at === null;
    setAway(at !== null);
  }, []);
  const settle = useCallback(() => {
    const [view, inner] = [box.current, content.current];
    if (!view || !inner) return;
    if (following.current) view.scrollTop = view.scrollHeight;
    else if (anchor.current) {
      const moved = movedBy(anchor.current, inner);
      if (Math.abs(moved) >= 0.5) {
        const before = view.scrollTop;
        view.scrollTop = before + moved;
        // Browsers round, and stop at the ends: what was not done is done with the next change.
        anchor.current = shifted(anchor.current, view.scrollTop - before);
      }
    }
    lastTop.current = view.scrollTop;
  }, []);
  const toEnd = useCallback(() => {
    take(null);
    settle();
  }, [take, settle]);
  const toTask = useCallback(
    (id: string) => {
      const [view, inner] = [box.current, content.current];
      const block = inner?.querySelector<HTMLElement>(`[data-task="${CSS.escape(id)}"]`);
      if (!view || !inner || !block) return;
      const edge = view.getBoundingClientRect().top;
      const by = block.getBoundingClientRect().top - edge;
      take(anchorOn(block, inner, Number.NEGATIVE_INFINITY));
      view.scrollTop += by;
      block.focus({ preventScroll: true });
    },
    [take],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation opens at its end
  useLayoutEffect(toEnd, [key, toEnd]);

  useEffect(() => {
    const [view, inner] = [box.current, content.current];
    if (!view || !inner) return;
    const onScroll = () => {
      const rest = view.scrollHeight - view.scrollTop - view.clientHeight;
      // Only an upward movement stops it: growing content moves the end away, not the person.
      if (view.scrollTop < lastTop.current - 1 && rest > 2) following.current = false;
      else if (rest < NEAR_PX) following.current = true;
      lastTop.current = view.scrollTop;
      take(following.current ? null : anchorAt(view, inner));
    };
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0 && view.scrollTop > 0) take(anchorAt(view, inner));
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
  }, [settle, take]);
  useToggled({ content, box, following, take });
  const current = useCallback(() => {
    const at = box.current && content.current && anchorAt(box.current, content.current);
    return at?.chain.at(-1)?.element.getAttribute("data-task") ?? null;
  }, []);
  return { box, content, away, toEnd, toTask, current, settle };
}

function shifted({ chain }: Anchor, by: number): Anchor {
  return { chain: chain.map(({ element, offset }) => ({ element, offset: offset + by })) };
}

interface Toggled extends Pick<Follow, "box" | "content"> {
  following: RefObject<boolean>;
  take: (at: Anchor | null) => void;
}

/** What a person opens or closes stays under the pointer, also at the end, where the view would follow what grew. */
function useToggled({ box, content, following, take }: Toggled): void {
  useEffect(() => {
    const [view, inner] = [box.current, content.current];
    if (!view || !inner) return;
    const onClick = ({ target }: MouseEvent) => {
      const button = target instanceof Element ? target.closest("[aria-expanded]") : null;
      if (!button || !following.current) return;
      take(anchorOn(button, inner, Number.NEGATIVE_INFINITY));
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (view.scrollHeight - view.scrollTop - view.clientHeight < NEAR_PX) take(null);
        }),
      );
    };
    // Before React draws what was opened.
    inner.addEventListener("click", onClick, { capture: true });
    return () => inner.removeEventListener("click", onClick, { capture: true });
  }, [box, content, following, take]);
}
