import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLine } from "../trace/jsonl";
import { keepFidelity, memberSourceOf, sourceOf } from "./spelling";

const record = (fidelity: string, before = "") =>
  `{"timestamp":"2026-01-01T00:00:00.000Z","type":"model_msg","payload":{"type":"thinking",${before}"role":"assistant","thinking":"say \\"fidelity\\":{\\"a\\":1.0}","fidelity":${fidelity}}}`;

function fidelityOf(line: string): Record<string, unknown> {
  const parsed = parseLine(line);
  if (!parsed || !("message" in parsed) || parsed.message.type !== "model_msg") throw new Error("no record");
  const { payload } = parsed.message;
  return "fidelity" in payload && payload.fidelity ? (payload.fidelity as Record<string, unknown>) : {};
}

/** Any JSON, spelt with white space and numbers as other writers spell them. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("null", "true", '"x"', '"\\u002b}\\"]"', '""'),
    fc.constantFrom("1", "1.0", "1e3", "-0", "0.10", "12345678901234567890", "1E-2", "1e999"),
    fc.array(tie("json"), { maxLength: 3 }).map((items) => `[ ${items.join(" ,")}]`),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom("a", "é", "2", "1", "x\\ny", "fidelity"), tie("json")), {
        selector: ([key]) => key,
        maxLength: 3,
      })
      .map((pairs) => `{ ${pairs.map(([key, value]) => `"${key}" : ${value}`).join(",")} }`),
  ),
}));

describe("RS8: spellings of numbers inside fidelity", () => {
  it("remembers what JSON.stringify would write otherwise, and nothing else", () => {
    const fidelity = fidelityOf(record('{"id":"a","index":1.0,"list":[{"n":1},{"n":1e3}],"plain":{"k":[2]}}'));
    expect(sourceOf(fidelity)).toContain('"index":1.0');
    expect([memberSourceOf(fidelity, "index"), memberSourceOf(fidelity, "id")]).toEqual(["1.0", undefined]);
    const list = fidelity.list;
    if (!Array.isArray(list)) throw new Error("no list");
    expect([list, ...list, fidelity.plain].map((x: object) => sourceOf(x))).toEqual([
      '[{"n":1},{"n":1e3}]',
      undefined,
      '{"n":1e3}',
      undefined,
    ]);
  });

  it("is told apart from other members of that name, and from text that looks like it", () => {
    const other = '"extra":{"fidelity":{"a":2.0}},"fidelity_":{"a":3.0},';
    expect(sourceOf(fidelityOf(record('{"a":1.0}', other)))).toBe('{"a":1.0}');
  });

  it("any JSON: what is remembered is the value's own source; nothing remembered means that stringify is right", () => {
    fc.assert(
      fc.property(json, (source) => {
        const text = `{"m":${source}}`;
        const fidelity = fidelityOf(record(text));
        const known = sourceOf(fidelity);
        if (known !== undefined) expect(known).toBe(text);
        else expect(JSON.stringify(fidelity)).toBe(JSON.stringify(JSON.parse(text)));
        // Spelt in the compact way, a source that nothing was remembered for comes back letter by letter.
        const compact = JSON.stringify(JSON.parse(text));
        expect(sourceOf(fidelityOf(record(compact)))).toBeUndefined();
        const numbers = /-?\d[\d.eE+-]*/g;
        const spelt = (s: string) => s.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(numbers) ?? [];
        if (known === undefined) expect(spelt(text)).toEqual(spelt(compact));
      }),
      { numRuns: 300 },
    );
  });

  it("takes the source that was found elsewhere", () => {
    const parsed = parseLine(record('{"a":1}'));
    if (!parsed || !("message" in parsed) || parsed.message.type !== "model_msg") throw new Error("no record");
    keepFidelity(parsed.message, '{"a":1.00}');
    const { payload } = parsed.message;
    expect("fidelity" in payload && payload.fidelity && memberSourceOf(payload.fidelity, "a")).toBe("1.00");
  });
});
