/**
 * Which Projects can be seen in some window of this browser. Each window that is visible holds a lock that many may hold;
 * one that is hidden, closed or crashed has none. Browsers without locks have no notifications either (plain HTTP).
 */
const lockOf = (project: string) => `penguin-in-sight:${project}`;

/** Keeps the others informed about this window; the result ends that. */
export function keepInSight(project: string): () => void {
  const { locks } = navigator;
  if (!locks) return () => {};
  let held: AbortController | null = null;
  const look = () => {
    const visible = document.visibilityState === "visible";
    if (visible === (held !== null)) return;
    held?.abort();
    held = visible ? new AbortController() : null;
    if (held) void hold(locks, lockOf(project), held.signal);
  };
  look();
  document.addEventListener("visibilitychange", look);
  return () => {
    document.removeEventListener("visibilitychange", look);
    held?.abort();
  };
}

async function hold(locks: LockManager, name: string, end: AbortSignal): Promise<void> {
  const whenOver = () =>
    new Promise<void>((resolve) => {
      if (end.aborted) resolve();
      else end.addEventListener("abort", () => resolve(), { once: true });
    });
  // Where a browser gives none, each window tells for itself.
  await locks.request(name, { mode: "shared" }, whenOver).catch(() => {});
}

/** Can this Project be seen in any window? */
export async function isInSight(project: string): Promise<boolean> {
  const state = await navigator.locks?.query().catch(() => null);
  return state?.held?.some(({ name }) => name === lockOf(project)) ?? false;
}
