import { describe, expect, it } from "vitest";
import { modelEntryBody } from "./model-bodies";

const entry = { provider: "gate", model_id: "m" };
const prices = { cache_read: 1, cache_write: 1, output: 1 };
const refusal = (values: object) => {
  const parsed = modelEntryBody.safeParse({ ...entry, ...values });
  return parsed.success ? null : parsed.error.issues.map(({ message }) => message).join(" ");
};

describe("the limits of a model's entry", () => {
  it("takes a key without what comes along when it is copied", () => {
    expect(modelEntryBody.parse({ ...entry, api_key: " sk-abc\n" }).api_key).toBe("sk-abc");
    expect(refusal({ api_key: null })).toBeNull();
  });

  it.each([
    [{ api_key: "sk-one\r\nx-admin: 1" }, /Copy it again/],
    [{ api_key: "sk-\u0000" }, /Copy it again/],
    [{ api_key: "sk-ключ" }, /Copy it again/],
    [{ api_key: "sk-one sk-two" }, /Copy it again/],
    [{ api_key: "k".repeat(4_097) }, /longer than 4,096/],
    [{ api_key: "   " }, /empty/],
    [{ max_tokens: 0 }, /whole number from 1 to 10,000,000/],
    [{ max_tokens: 1.5 }, /whole number/],
    [{ max_tokens: 1e12 }, /whole number/],
    [{ context_window: -1 }, /whole number from 1/],
    [{ pricing: { ...prices, output: -1 } }, /from 0 to 1,000,000/],
    [{ pricing: { ...prices, cache_read: Number.POSITIVE_INFINITY } }, /from 0 to 1,000,000/],
    [{ pricing: { ...prices, cache_creation: 1e9 } }, /from 0 to 1,000,000/],
    [{ provider: "a\nb" }, /Type it instead/],
    [{ provider: " " }, /Name the provider/],
    [{ model_id: "safe\u202egnp.exe" }, /Type it instead/],
    [{ model_id: "zero\u200bwidth" }, /Type it instead/],
    [{ model_id: "m".repeat(201) }, /longer than 200/],
    [{ display_name: "x\u2066y" }, /Type it instead/],
    [{ display_name: "n".repeat(121) }, /longer than 120/],
    [{ base_url: `https://a.test/${"x".repeat(2_000)}` }, /longer than 2,000/],
    [{ base_url: "https://a.test/\u0007" }, /Type it instead/],
  ])("refuses %j with what is wrong and what to do", (values, words) => {
    const said = refusal(values);
    expect(said).toMatch(words);
    // Never the value: it may be a key.
    for (const value of Object.values(values))
      if (typeof value === "string" && value.trim()) expect(said).not.toContain(value);
  });

  it.each([
    { api_key: `eyJ${"a".repeat(2_000)}.b_c-d/e+f=` },
    { max_tokens: 1 },
    { pricing: { cache_read: 0, cache_write: 0, output: 0 } },
    { model_id: "org/model-7b:free@q4_K_M 模型" },
    { display_name: "モデル 👩‍💻 é" },
  ])("takes %j", (values) => expect(refusal(values)).toBeNull());
});
