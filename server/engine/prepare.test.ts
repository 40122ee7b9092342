import { describe, expect, it } from "vitest";
import { buildRequest } from "./prepare";
import { freshState, prompt, ScriptedLlm, scriptedDeps } from "./testing/script";

const limit = (more: { max_tokens?: number; context_window?: number }, said = 0, known = 0) => {
  const conversation = [prompt("x".repeat(said)).payload];
  const state = { ...freshState(), last_request_total: known };
  return buildRequest(conversation, state, scriptedDeps(new ScriptedLlm([]), more)).max_tokens;
};

describe("FF 5.1: max_tokens fits into what the window leaves", () => {
  it("is sent as it is while there is room, and not at all when none is set", () => {
    expect(limit({ max_tokens: 32_000, context_window: 200_000 })).toBe(32_000);
    expect(limit({ max_tokens: 32_000 }, 400_000)).toBe(32_000);
    expect(limit({ context_window: 8_192 }, 400_000)).toBeUndefined();
  });

  it("shrinks to window − input − 1,024, never below 512; the provider's own count wins when it is larger", () => {
    const model = { max_tokens: 32_000, context_window: 32_768 };
    const left = limit(model, 40_000) ?? 0;
    expect(left).toBeLessThanOrEqual(32_768 - 10_000 - 1_024);
    expect(left).toBeGreaterThan(32_768 - 10_000 - 1_024 - 200);
    expect(limit(model, 40_000, 20_000)).toBe(32_768 - 20_000 - 1_024);
    expect(limit(model, 400_000)).toBe(512);
  });

  it("leaves a window below 4,096 alone", () => {
    expect(limit({ max_tokens: 32_000, context_window: 2_048 }, 40_000)).toBe(32_000);
  });
});
