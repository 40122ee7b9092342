import { describe, expect, it } from "vitest";
import { catalog, catalogModelOf, vendorOf } from "./catalog";
import { CLIENT_TYPES } from "./protocol";

describe("the catalog of models", () => {
  const { vendors, models } = catalog();

  it("names every pair once, under a vendor it knows", () => {
    const pairs = models.map(({ provider, model_id }) => `${provider} ${model_id}`);
    expect(new Set(pairs).size).toBe(pairs.length);
    expect(new Set(models.map(({ provider }) => provider))).toEqual(new Set(vendors.map(({ id }) => id)));
    expect(new Set(models.map(({ client_type }) => client_type))).toEqual(new Set(CLIENT_TYPES));
  });

  it("has a vendor for each environment variable of FF 7.1", () => {
    const names = vendors.map(({ env }) => `${env}_API_KEY`).sort();
    expect(names).toEqual([
      "ANTHROPIC_API_KEY",
      "DEEPSEEK_API_KEY",
      "GEMINI_API_KEY",
      "MOONSHOT_API_KEY",
      "OPENAI_API_KEY",
      "ZAI_API_KEY",
    ]);
  });

  it("prices make sense: cached input is the cheapest, output the dearest, a note never stands without a price", () => {
    for (const { model_id, price, price_note } of models) {
      expect(price_note && !price, model_id).toBeFalsy();
      if (!price) continue;
      expect(price.cache_read, model_id).toBeLessThan(price.cache_write);
      expect(price.cache_creation ?? price.cache_write, model_id).toBeGreaterThanOrEqual(price.cache_write);
      expect(price.output, model_id).toBeGreaterThan(price.cache_write);
    }
  });

  it("an output never exceeds the window", () => {
    for (const { model_id, context_window, max_tokens } of models) {
      if (context_window && max_tokens) expect(max_tokens, model_id).toBeLessThan(context_window);
    }
  });

  it("is asked by pair", () => {
    expect(catalogModelOf("anthropic", "claude-opus-5-5")?.price).toMatchObject({ cache_creation: 5 });
    expect(catalogModelOf("openai", "claude-opus-5-5")).toBeUndefined();
    expect(vendorOf("gateway")).toBeUndefined();
  });
});
