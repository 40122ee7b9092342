import { afterEach, expect, it } from "vitest";
import { CLIENT_TYPES, type ClientType } from "../../lib/model/protocol";
import type { ThinkingLevel } from "../../lib/omni/message";
import { createLlm } from "./adapters";
import { collect, request } from "./fixtures/collect";
import { startVendor, type Vendor } from "./testing/vendor";

const vendors: Vendor[] = [];
afterEach(async () => {
  await Promise.all(vendors.splice(0).map((vendor) => vendor.close()));
});

/** What is sent, try by try, to a vendor that refuses in these words and then answers; the last one is remembered. */
async function tries(client_type: ClientType, model_id: string, thinking_level: ThinkingLevel, refusals: string[]) {
  const vendor = await startVendor(client_type);
  vendors.push(vendor);
  for (const words of refusals) vendor.fail(400, "refused", words);
  vendor.say([{ text: "ok" }]);
  const model = { provider: "p", model_id, client_type, base_url: vendor.baseUrl, api_key: "k-1234" };
  const asked = request({ thinking_level, max_tokens: 20_000, idle_timeout_ms: 30_000 });
  for (const _ of [1, 2]) expect((await collect(createLlm(model), asked)).outcome).toEqual({ status: "completed" });
  expect(vendor.violations).toEqual([]);
  expect(vendor.sent).toHaveLength(refusals.length + 2);
  const bodies = vendor.sent.map(({ body }) => body);
  expect(bodies.at(-1)).toEqual(bodies.at(-2));
  return bodies.slice(0, -1);
}

const ADAPTIVE_ONLY =
  '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort".';
const SUMMARY = "Your organization must be verified to generate reasoning summaries.";

it.each<[string, ClientType, string, ThinkingLevel, string[], unknown[]]>([
  [
    "a budget where thinking is adaptive",
    "anthropic-messages",
    "claude-haiku-4-5",
    "high",
    [ADAPTIVE_ONLY],
    [
      { type: "enabled", budget_tokens: 16_384 },
      { type: "adaptive", display: "summarized" },
    ],
  ],
  [
    "an effort that the model does not know",
    "anthropic-messages",
    "claude-opus-4-6",
    "max",
    [
      "output_config.effort: must be one of low, medium, high",
      "output_config.effort: must be one of low, medium, high",
    ],
    Array(3).fill({ type: "adaptive", display: "summarized" }),
  ],
  [
    "a server of the protocol that knows no effort",
    "anthropic-messages",
    "claude-x",
    "low",
    ["output_config: Extra inputs are not permitted"],
    [
      { type: "adaptive", display: "summarized" },
      { type: "enabled", budget_tokens: 2048 },
    ],
  ],
  [
    "thinking that cannot be switched off",
    "anthropic-messages",
    "claude-fable-5",
    "none",
    ['"thinking.type.disabled" is not supported for this model.'],
    [{ type: "disabled" }, { type: "adaptive", display: "summarized" }],
  ],
  [
    "no thinking at all",
    "anthropic-messages",
    "m",
    "high",
    ["This model does not support thinking."],
    [{ type: "enabled", budget_tokens: 16_384 }, undefined],
  ],
])("PR5, PR4: %s", async (_, type, model, level, refusals, expected) => {
  expect((await tries(type, model, level, refusals)).map((body) => body.thinking)).toEqual(expected);
});

it("PR5: Messages without cache marks, within the model's bound of output", async () => {
  const words = ["max_tokens: 20000 > 8192, which is the maximum", "system.0.cache_control: not supported here"];
  const bodies = await tries("anthropic-messages", "old-model", "none", words);
  expect(bodies.map(({ max_tokens }) => max_tokens)).toEqual([20_000, 8192, 8192]);
  expect(bodies.map((body) => JSON.stringify(body).includes("cache_control"))).toEqual([true, true, false]);
});

it("PR5, PR4: Responses without a summary, with the effort that is left, then without reasoning", async () => {
  const value =
    "reasoning.effort: unsupported value: 'max' is not supported with this model. Supported values are: 'low' and 'xhigh'.";
  const bodies = await tries("openai-responses", "m", "max", [SUMMARY, value]);
  expect(bodies.map(({ reasoning }) => reasoning)).toEqual([
    { effort: "max", summary: "auto" },
    { effort: "max" },
    { effort: "xhigh" },
  ]);
  const none = await tries("openai-responses", "n", "high", ["Unsupported parameter: 'reasoning.effort'."]);
  expect(none.map(({ reasoning }) => reasoning)).toEqual([{ effort: "high", summary: "auto" }, undefined]);
});

it("PR5, PR4: Gemini by level, by budget, not at all", async () => {
  const config = async (model: string, level: ThinkingLevel, refusal: string) =>
    (await tries("gemini", model, level, [refusal])).map((body) => {
      const { generationConfig } = body;
      return (
        typeof generationConfig === "object" && generationConfig && Reflect.get(generationConfig, "thinkingConfig")
      );
    });
  expect(await config("tuned", "low", "Thinking level is not supported for this model.")).toEqual([
    { thinkingLevel: "LOW", includeThoughts: true },
    { thinkingBudget: 1024, includeThoughts: true },
  ]);
  const only = "Budget 0 is invalid. This model only works in thinking mode.";
  expect(await config("gemini-2.5-pro", "none", only)).toEqual([
    { thinkingBudget: 0 },
    { thinkingBudget: 1024, includeThoughts: true },
  ]);
  expect(await config("gemini-2.5-lite", "high", "Thinking is not supported by this model")).toEqual([
    { thinkingBudget: 24_576, includeThoughts: true },
    undefined,
  ]);
});

it.each(CLIENT_TYPES)("PR5 %s: a refusal about something else teaches nothing", async (client_type) => {
  const vendor = await startVendor(client_type);
  vendors.push(vendor);
  vendor.fail(400, "refused", "Please include a better prompt.");
  const model = { provider: "p", model_id: "m", client_type, base_url: vendor.baseUrl, api_key: "k-1234" };
  const { outcome } = await collect(createLlm(model), request({ thinking_level: "high", idle_timeout_ms: 30_000 }));
  expect(outcome).toMatchObject({ status: "failed", refused: true });
  expect(vendor.sent).toHaveLength(1);
});
