import { describe, expect, it } from "vitest";
import type { ThinkingLevel } from "../omni/message";
import { THINKING_LEVELS } from "../omni/values";
import { CLIENT_TYPES, type ClientType } from "./protocol";
import { sentThinking, thinkingForm } from "./thinking";

describe("thinking levels as they are sent", () => {
  it.each<[ClientType, string, string[]]>([
    ["openai-chat", "any", THINKING_LEVELS.map((level) => `reasoning_effort: "${level}"`)],
    [
      "openai-responses",
      "gpt-x",
      [
        'reasoning: {"effort":"none"}',
        ...["low", "medium", "high", "xhigh", "max"].map((x) => `reasoning: {"effort":"${x}","summary":"auto"}`),
      ],
    ],
    [
      "anthropic-messages",
      "claude-opus-5-5",
      [
        'thinking: {"type":"disabled"}',
        ...["low", "medium", "high", "xhigh", "max"].map(
          (x) => `thinking: {"type":"adaptive","display":"summarized"}, output_config: {"effort":"${x}"}`,
        ),
      ],
    ],
    [
      "anthropic-messages",
      "claude-haiku-4-5-20251001",
      [
        'thinking: {"type":"disabled"}',
        ...[2048, 8192, 16_384, 24_576, 32_000].map((x) => `thinking: {"type":"enabled","budget_tokens":${x}}`),
      ],
    ],
    [
      "gemini",
      "gemini-3.8-flash",
      [
        'thinkingConfig: {"thinkingLevel":"MINIMAL"}',
        ...["LOW", "MEDIUM", "HIGH", "HIGH", "HIGH"].map(
          (x) => `thinkingConfig: {"thinkingLevel":"${x}","includeThoughts":true}`,
        ),
      ],
    ],
    [
      "gemini",
      "gemini-2.5-pro",
      [
        'thinkingConfig: {"thinkingBudget":0}',
        ...[1024, 8192, 24_576, 24_576, 24_576].map(
          (x) => `thinkingConfig: {"thinkingBudget":${x},"includeThoughts":true}`,
        ),
      ],
    ],
    ["gemini", "gemma-3-27b", ["", "", "", "", "", ""]],
  ])("%s %s", (client_type, model_id, sent) => {
    expect(THINKING_LEVELS.map((level) => sentThinking(client_type, model_id, level).sent)).toEqual(sent);
  });

  it("a level that is not known becomes the nearest one, and the answer says so", () => {
    const told = (level: ThinkingLevel, supported: ThinkingLevel[]) =>
      sentThinking("openai-responses", "m", level, { supported });
    expect(told("max", ["low", "high"])).toMatchObject({ level: "high", degraded_to: "high" });
    expect(told("medium", ["none", "high"])).toMatchObject({ level: "high", degraded_to: "high" });
    expect(told("none", ["low", "high"])).toMatchObject({ level: "low", degraded_to: "low" });
    expect(told("high", ["low", "high"])).not.toHaveProperty("degraded_to");
    expect(sentThinking("gemini", "gemini-3-pro", "max")).toMatchObject({ level: "high", degraded_to: "high" });
    expect(sentThinking("gemini", "gemma-3", "max")).toMatchObject({ level: null, degraded_to: null });
    expect(sentThinking("gemini", "gemma-3", "none")).not.toHaveProperty("degraded_to");
    expect(sentThinking("openai-chat", "m", "low", { refused: THINKING_LEVELS })).toMatchObject({ degraded_to: null });
  });

  it("a budget leaves room for the answer, or there is none", () => {
    const budget = (max_tokens: number) =>
      sentThinking("anthropic-messages", "kimi-k2", "high", { max_tokens }).fields.thinking;
    expect([budget(100_000), budget(4096), budget(1500)]).toEqual([
      { type: "enabled", budget_tokens: 16_384 },
      { type: "enabled", budget_tokens: 3072 },
      undefined,
    ]);
  });

  it("names tell the form", () => {
    const forms = ["claude-3-7-sonnet-20250219", "claude-sonnet-4-6", "claude-sonnet-5", "claude-mythos-preview"];
    expect(forms.map((id) => thinkingForm("anthropic-messages", id))).toEqual([
      "budget",
      "adaptive",
      "adaptive",
      "adaptive",
    ]);
    expect(CLIENT_TYPES.map((type) => thinkingForm(type, "x"))).toEqual(["effort", "effort", "budget", "level"]);
  });
});
