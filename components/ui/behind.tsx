/** Code that comes behind the first view, and a server that may be away by then. */
import { type ComponentType, useEffect, useState } from "react";

/**
 * A component by itself. When it cannot be had, the page goes on with `Meanwhile` in its place instead of ending in an
 * error, and asks for it again whenever it is to be shown.
 */
export function behind<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Meanwhile: ComponentType<NoInfer<P>> = () => null,
): () => Promise<ComponentType<P>> {
  function Again(props: P) {
    const [Loaded, setLoaded] = useState<ComponentType<P> | null>(null);
    useEffect(() => {
      load().then(
        (loaded) => setLoaded(() => loaded),
        () => {},
      );
    }, []);
    return Loaded ? <Loaded {...props} /> : <Meanwhile {...props} />;
  }
  return () => load().catch(() => Again);
}

/** Fetched once the page has nothing else to do: what tells of a server that is away cannot come from it. */
export function soon(load: () => Promise<unknown>): void {
  if (typeof window === "undefined") return;
  const go = () => void load().catch(() => {});
  if (typeof requestIdleCallback === "function") requestIdleCallback(go, { timeout: 3_000 });
  else setTimeout(go, 500);
}
