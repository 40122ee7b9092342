import { describe, expect, it } from "vitest";
import { type ModelView, modelEntryBody } from "@/lib/api/schemas";
import { draftOf, emptyDraft, entryOf, entryOfDraft, hostChanges, parseCount } from "./draft";

const view: ModelView = {
  provider: "openai",
  model_id: "gpt-x",
  display_name: "GPT X",
  client_type: "openai-chat",
  base_url: "https://api.example/v1",
  context_window: 128000,
  max_tokens: 4096,
  vision: true,
  pricing: { cache_read: 0.1, cache_write: 1, output: 4, cache_creation: 1.25 },
  api_key_masked: "sk-1…9999",
  key_created_at: "2026-01-01T00:00:00Z",
  is_default: true,
};

describe("the form of a model", () => {
  it("an unchanged edit sends what the server showed, and leaves the key alone", () => {
    const edited = entryOfDraft(draftOf(view), view);
    expect(edited).toEqual({ ok: true, entry: entryOf(view) });
    expect(entryOf(view)).not.toHaveProperty("api_key");
    expect(modelEntryBody.safeParse(entryOf(view)).success).toBe(true);
  });

  it("a new entry needs a provider and a model id; the rest may stay empty", () => {
    const empty = entryOfDraft(emptyDraft(true));
    expect(empty).toEqual({
      ok: false,
      errors: { provider: "models.error_provider", model_id: "models.error_model_id" },
    });
    const least = entryOfDraft({ ...emptyDraft(true), provider: "local", model_id: " qwen " });
    expect(least).toEqual({ ok: true, entry: { provider: "local", model_id: "qwen", client_type: "openai-chat" } });
  });

  it("a key is kept, replaced or cleared, never sent back masked", () => {
    const key = (change: object) => {
      const result = entryOfDraft({ ...draftOf(view), ...change }, view);
      return result.ok ? result.entry.api_key : "refused";
    };
    expect(key({})).toBeUndefined();
    expect(key({ api_key: " sk-new " })).toBe("sk-new");
    expect(key({ clear_key: true })).toBeNull();
  });

  it("prices come in pairs; cached input costs as much as input when it is not given", () => {
    const price = (change: object) => entryOfDraft({ ...emptyDraft(true), provider: "p", model_id: "m", ...change });
    expect(price({ price_input: "1.5", price_output: "$6" })).toMatchObject({
      entry: { pricing: { cache_read: 1.5, cache_write: 1.5, output: 6 } },
    });
    expect(price({ price_input: "1" })).toEqual({ ok: false, errors: { price_output: "models.error_price_pair" } });
    expect(price({ price_input: "-1", price_output: "2" })).toMatchObject({
      errors: { price_input: "models.error_price" },
    });
    expect(price({ price_input: "0", price_output: "0" })).toMatchObject({ entry: { pricing: { output: 0 } } });
  });

  it.each([
    ["", undefined],
    ["128000", 128000],
    ["128,000", 128000],
    ["128k", 128000],
    ["1.05M", 1050000],
    ["0", null],
    ["many", null],
  ])("parseCount(%s)", (text, value) => expect(parseCount(text)).toBe(value));

  it("says when saving moves the model to another host", () => {
    expect(hostChanges(view, draftOf(view))).toBe(false);
    expect(hostChanges(view, { ...draftOf(view), base_url: "https://api.example/v2" })).toBe(false);
    expect(hostChanges(view, { ...draftOf(view), base_url: "http://127.0.0.1:1/v1" })).toBe(true);
  });
});
