/** Code that comes behind the first view, and a server that may be away by then. */
import type { ComponentType } from "react";

/** A component by itself; when it cannot be had the page goes on without it, instead of ending in an error. */
export function behind<P>(load: () => Promise<ComponentType<P>>): () => Promise<ComponentType<P>> {
  return () => load().catch(() => () => null);
}

/** Fetched once the page has nothing else to do: what tells of a server that is away cannot come from it. */
export function soon(load: () => Promise<unknown>): void {
  if (typeof window === "undefined") return;
  const go = () => void load().catch(() => {});
  if (typeof requestIdleCallback === "function") requestIdleCallback(go, { timeout: 3_000 });
  else setTimeout(go, 500);
}
