import { describe, expect, it } from "vitest";
import { modelEntryBody } from "@/lib/api/model-bodies";
import type { ModelView } from "@/lib/api/schemas";
import { catalogModelOf } from "@/lib/model/catalog";
import { draftOf, draftOfPick, emptyDraft, entryOf, entryOfDraft, hostChanges, parseCount } from "./draft";
import { nextTable } from "./use-models";

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
  has_key: true,
  is_default: true,
};

describe("the form of a model", () => {
  it("an unchanged edit sends what the server showed, and leaves the key alone", () => {
    const edited = entryOfDraft(draftOf(view), { before: view });
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
    expect(least).toEqual({
      ok: true,
      entry: { provider: "local", model_id: "qwen", client_type: "openai-chat", vision: false },
    });
  });

  it("a key is kept, replaced or cleared, never sent back masked", () => {
    const key = (change: object) => {
      const result = entryOfDraft({ ...draftOf(view), ...change }, { before: view });
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

describe("what the catalog fills", () => {
  const known = catalogModelOf("anthropic", "claude-opus-5-5");
  const filled: ModelView = {
    provider: "anthropic",
    model_id: "claude-opus-5-5",
    client_type: "anthropic-messages",
    address: "https://api.anthropic.com",
    context_window: 1_000_000,
    vision: true,
    pricing: { cache_read: 0.2, cache_write: 4, output: 20 },
    from_catalog: ["context_window", "vision", "pricing"],
    has_key: true,
    is_default: false,
  };

  it("is never written into the Project's file by an edit", () => {
    const bare = { provider: "anthropic", model_id: "claude-opus-5-5", client_type: "anthropic-messages" };
    expect(entryOf(filled)).toEqual(bare);
    expect(entryOfDraft(draftOf(filled), { before: filled, known })).toEqual({ ok: true, entry: bare });
    const blind = entryOfDraft({ ...draftOf(filled), vision: false }, { before: filled, known });
    expect(blind).toMatchObject({ entry: { vision: false } });
  });

  it("a listed model brings its own figures where the catalog has none", () => {
    const where = { provider: "gate", base_url: "https://g.test/v1", client_type: "openai-chat" as const };
    const pick = { id: "m", context_window: 8192, pricing: { cache_read: 0.1, cache_write: 1, output: 2 } };
    const made = entryOfDraft(draftOfPick(where, pick, undefined), { key_from: { provider: "gate", model_id: "a" } });
    expect(made).toEqual({
      ok: true,
      entry: {
        ...where,
        model_id: "m",
        key_from: { provider: "gate", model_id: "a" },
        context_window: 8192,
        vision: false,
        pricing: pick.pricing,
      },
    });
    const vendor = draftOfPick({ provider: "anthropic" }, { id: "claude-opus-5-5", context_window: 5 }, known);
    expect(vendor).toMatchObject({ display_name: "Claude Opus 5.5", context_window: "", vision: true });
  });
});

describe("the table of a PUT", () => {
  const model = (model_id: string): ModelView => ({
    provider: "p",
    model_id,
    client_type: "openai-chat",
    has_key: true,
    is_default: false,
  });
  const ref = (model_id: string) => ({ provider: "p", model_id });
  const table = {
    default_model: ref("a"),
    vision_model: ref("b"),
    thinking_level: null,
    models: [model("a"), model("b"), { ...model("demo"), provider: "demo", demo: true }],
  };
  const ids = (body: { models: { model_id: string }[] }) => body.models.map(({ model_id }) => model_id);

  it("replaces, adds and removes; the demo is not a part of it", () => {
    const put = [{ ...ref("b"), display_name: "B" }, ref("c")];
    expect(nextTable(table, { put }).models).toEqual([entryOf(model("a")), put[0], put[1]]);
    expect(ids(nextTable(table, { remove: ref("a") }))).toEqual(["b"]);
  });

  it("never points to a model that is gone, or that does not see any more", () => {
    expect(nextTable(table, { remove: ref("a") })).toMatchObject({ default_model: null });
    expect(nextTable(table, { remove: ref("b") })).toMatchObject({ vision_model: null });
    expect(nextTable(table, { put: [{ ...ref("b"), vision: false }] })).toMatchObject({ vision_model: null });
    expect(nextTable(table, { put: [ref("c")] })).not.toHaveProperty("vision_model");
  });
});
