import { describe, expect, it } from "vitest";
import { afterFailure, RetryWait } from "./retry";

describe("afterFailure", () => {
  it("EN4: 2, 4, 8, 16, 30 s, then the end with the provider's words", () => {
    const steps = [1, 2, 3, 4, 5, 6].map((attempt) =>
      afterFailure({ status: "timeout", error_message: "busy" }, attempt),
    );
    expect(steps.map((step) => (step.retry ? step.delay_ms : step.reason))).toEqual([
      2_000,
      4_000,
      8_000,
      16_000,
      30_000,
      "reconnect failed after 5 retries: busy",
    ]);
  });
  it("EN4: the provider's retry-after counts instead, up to a minute", () => {
    expect(afterFailure({ status: "timeout", retry_after_ms: 7_000 }, 1)).toEqual({ retry: true, delay_ms: 7_000 });
    expect(afterFailure({ status: "timeout", retry_after_ms: 600_000 }, 1)).toEqual({ retry: true, delay_ms: 60_000 });
    expect(afterFailure({ status: "timeout", retry_after_ms: 0 }, 3)).toEqual({ retry: true, delay_ms: 0 });
  });
  it("EN4: auth and refusals are never retried", () => {
    expect(afterFailure({ status: "auth", error_message: "bad key" }, 1)).toEqual({
      retry: false,
      kind: "auth",
      reason: "llm request error: bad key",
    });
    expect(afterFailure({ status: "failed", refused: true, error_message: "no" }, 1)).toMatchObject({
      kind: "refused",
    });
    expect(afterFailure({ status: "failed", context_too_long: true }, 1)).toMatchObject({ kind: "refused" });
  });
  it("names the kind of failure when the attempts are used up", () => {
    expect(afterFailure({ status: "malformed" }, 6)).toMatchObject({ reason: /^malformed response failed after 5/ });
    expect(afterFailure({ status: "failed" }, 6)).toMatchObject({ reason: /^llm request failed after 5/ });
  });
});

describe("RetryWait", () => {
  it("ends early by skip, and by the Task's end", async () => {
    const wait = new RetryWait();
    expect(wait.skip()).toBe(false);
    const skipped = wait.sleep(60_000, new AbortController().signal);
    expect(wait.skip()).toBe(true);
    await skipped;
    const stop = new AbortController();
    const stopped = wait.sleep(60_000, stop.signal);
    stop.abort();
    await stopped;
    expect(wait.skip()).toBe(false);
  });
});
