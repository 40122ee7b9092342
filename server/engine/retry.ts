/** What follows a model call that did not complete: a pure function of (attempt, outcome), announced and then slept. */
import type { LlmOutcome } from "./ports";

export const MAX_RETRIES = 5;
const LADDER_MS = [2_000, 4_000, 8_000, 16_000, 30_000];
const LONGEST_WAIT_MS = 60_000;

export type RetryStep =
  | { retry: true; delay_ms: number }
  /** `reason` is what the `abort` record says. */
  | { retry: false; kind: "auth" | "refused" | "too_long" | "failed"; reason: string };

/**
 * EN4. `attempt` is 1-based and counts the call that just ended with `outcome` (never `completed`, never `aborted`).
 * A provider that names a time is obeyed, up to a minute. `compactable`: a context that is too long can be compacted.
 */
export function afterFailure(outcome: LlmOutcome, attempt: number, compactable = false): RetryStep {
  const detail = outcome.error_message ?? outcome.status;
  if (outcome.status === "auth") return { retry: false, kind: "auth", reason: `llm request error: ${detail}` };
  if (outcome.context_too_long && compactable) {
    return { retry: false, kind: "too_long", reason: `llm request error: ${detail}` };
  }
  if (outcome.over_budget) return { retry: false, kind: "refused", reason: detail };
  if (outcome.refused || outcome.context_too_long) {
    return { retry: false, kind: "refused", reason: `llm request error: ${detail}` };
  }
  if (attempt <= MAX_RETRIES) {
    const asked = outcome.retry_after_ms;
    const ladder = LADDER_MS[attempt - 1] ?? LONGEST_WAIT_MS;
    return { retry: true, delay_ms: asked === undefined ? ladder : Math.min(Math.max(asked, 0), LONGEST_WAIT_MS) };
  }
  return { retry: false, kind: "failed", reason: exhausted(outcome, detail) };
}

function exhausted(outcome: LlmOutcome, detail: string): string {
  if (outcome.status === "malformed") return `malformed response failed after ${MAX_RETRIES} retries: ${detail}`;
  if (outcome.status === "timeout") return `reconnect failed after ${MAX_RETRIES} retries: ${detail}`;
  return `llm request failed after ${MAX_RETRIES} retries: ${detail}`;
}

/** The wait between two attempts: it elapses, is skipped ("retry now"), or ends with the Task's signal ("give up"). */
export class RetryWait {
  #skip: (() => void) | null = null;

  /** Resolves when the next attempt may go out or `signal` aborted; the caller looks at the signal. */
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        this.#skip = null;
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener("abort", done);
      this.#skip = done;
    });
  }

  /** Ends the current wait at once; false when nothing waits. */
  skip(): boolean {
    const skip = this.#skip;
    skip?.();
    return skip !== null;
  }
}
