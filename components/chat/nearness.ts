import type { RefObject } from "react";
import { flushSync } from "react-dom";

/** Blocks this far from the view are drawn before they come into it; while somebody scrolls, only the closer ones. Pixels. */
const AHEAD_PX = 2_400;
const CLOSE_PX = 1_200;
/** So long after the last movement the view is at rest. Milliseconds. */
const REST_MS = 120;
/** For drawing, of each frame. Milliseconds. */
const FRAME_MS = 4;

type Tell = (near: boolean, height: number) => void;

/**
 * Tells blocks whether they are near the view. What comes near is drawn a few blocks per frame, so that no frame has to
 * draw many; what is far away is only as high as it was.
 */
export class Nearness {
  readonly #told = new Map<Element, Tell>();
  readonly #queue = new Set<Element>();
  /** Watched since blocks were last put in front. */
  #fresh: Element[] = [];
  #frame = 0;
  #moved = 0;
  #observer: IntersectionObserver | null = null;

  constructor(
    private readonly root: RefObject<HTMLElement | null>,
    private readonly settle: () => void,
  ) {}

  /**
   * Watches until the function it gives is called. Once the view is on the page, not with the first block: blocks are
   * there before the view around them is, and without it "near" would be "visible".
   */
  attach(): () => void {
    const root = this.root.current;
    const onScroll = () => {
      this.#moved = performance.now();
    };
    root?.addEventListener("scroll", onScroll, { passive: true });
    const observer = new IntersectionObserver((entries) => this.#seen(entries), {
      root,
      rootMargin: `${AHEAD_PX}px 0px`,
    });
    this.#observer = observer;
    for (const element of this.#told.keys()) observer.observe(element);
    return () => {
      root?.removeEventListener("scroll", onScroll);
      observer.disconnect();
      this.#observer = null;
    };
  }

  watch(element: Element, tell: Tell): () => void {
    this.#told.set(element, tell);
    this.#fresh.push(element);
    this.#observer?.observe(element);
    return () => {
      this.#told.delete(element);
      this.#queue.delete(element);
      this.#observer?.unobserve(element);
    };
  }

  /** What was put into the view itself is drawn in the same step: nobody sees it empty. */
  drawVisible(): void {
    const fresh = this.#fresh;
    this.#fresh = [];
    const view = this.root.current?.getBoundingClientRect();
    if (!view) return;
    for (const element of fresh) {
      const { top, bottom } = element.getBoundingClientRect();
      if (bottom > view.top && top < view.bottom) this.#told.get(element)?.(true, 0);
    }
  }

  #seen(entries: IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      if (isIntersecting) this.#queue.add(target);
      // What has the focus stays.
      else if (!target.contains(document.activeElement)) {
        this.#queue.delete(target);
        this.#told.get(target)?.(false, boundingClientRect.height);
      }
    }
    this.#next();
  }

  #next(): void {
    if (this.#frame !== 0 || this.#queue.size === 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
      this.#next();
    });
  }

  #draw(): void {
    const began = performance.now();
    const reach = began - this.#moved < REST_MS ? CLOSE_PX : Number.POSITIVE_INFINITY;
    let drawn = false;
    do {
      const nearest = this.#nearest(reach);
      if (!nearest) break;
      this.#queue.delete(nearest);
      flushSync(() => this.#told.get(nearest)?.(true, 0));
      drawn = true;
    } while (performance.now() - began < FRAME_MS);
    if (drawn) this.settle();
  }

  /** What is in view, or closest to it, comes first. */
  #nearest(reach: number): Element | null {
    const view = this.root.current?.getBoundingClientRect();
    if (!view) return null;
    let [best, distance]: [Element | null, number] = [null, reach];
    for (const element of this.#queue) {
      const { top, bottom } = element.getBoundingClientRect();
      const away = Math.max(0, top - view.bottom, view.top - bottom);
      if (away < distance) [best, distance] = [element, away];
    }
    return best;
  }
}
