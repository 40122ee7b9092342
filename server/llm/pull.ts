/** Waiting for upstream without ever hanging: the pull is raced against the abort and the idle limit. */

export type Pulled<T> =
  | { kind: "value"; value: T }
  | { kind: "error"; error: unknown }
  | { kind: "aborted" }
  | { kind: "idle" };

/** Longest delay a timer can hold. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Settles with the first of: the work, `signal`, `limitMs` (<= 0: no limit). Work that loses is left alone; its late
 * failure is swallowed. Never rejects.
 */
export function pull<T>(work: Promise<T>, signal: AbortSignal, limitMs: number): Promise<Pulled<T>> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const settle = (result: Pulled<T>) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve(result);
    };
    const onAbort = () => settle({ kind: "aborted" });
    work.then(
      (value) => settle({ kind: "value", value }),
      (error: unknown) => settle({ kind: "error", error }),
    );
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    if (limitMs > 0) timer = setTimeout(() => settle({ kind: "idle" }), Math.min(limitMs, MAX_TIMER_MS));
  });
}
