import fc from "fast-check";
import { expect, it } from "vitest";
import { translate } from "@/lib/i18n/areas";
import { request, usageView } from "./fixtures";
import { METRICS } from "./metrics";
import { kindData, looksOf, MOST, REST, seriesTotals, splitData, splitSeries } from "./series";

const t: Parameters<typeof splitSeries>[0] = (key, params) => translate("en", key, params);

const row = fc.record({
  model: fc.constantFrom(..."abcdefghij".split("").map((name) => `p/${name}`)),
  user: fc.constantFrom("ann", "ben", "cy"),
  at: fc.constantFrom("2026-07-17T03:00:00.000Z", "2026-07-18T10:00:00.000Z", "2026-07-19T23:59:59.999Z"),
  tokens: fc.tuple(fc.nat(1e6), fc.nat(1e6), fc.nat(1e6)).map(([cache_read, cache_write, output]) => ({
    cache_read,
    cache_write,
    output,
    total: cache_read + cache_write + output,
  })),
});

it("US2: every chart adds up to the total of the range, by split and by kind, whatever is in it", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), fc.constantFrom("model" as const, "user" as const), (rows, split) => {
      const view = usageView(
        rows.map((given) => request(given)),
        { group_by: split },
      );
      const series = splitSeries(t, view, split);
      const sum = (data: ReturnType<typeof splitData>) =>
        seriesTotals(data, METRICS.tokens).reduce<number>((all, value) => all + (value ?? 0), 0);
      const whole = view.totals.range.tokens.total;
      const data = splitData(view, series, METRICS.tokens);
      expect(sum(data)).toBe(whole);
      for (const { values, total } of data.rows)
        expect(values.reduce<number>((all, value) => all + (value ?? 0), 0)).toBe(total);
      expect(sum(kindData(view, { cache_read: "r", cache_write: "w", output: "o" }, METRICS.tokens))).toBe(whole);
    }),
    { numRuns: 60 },
  );
});

it("many groups: the largest have a series each, the others share one; rates have no shared one", () => {
  const names = "abcdefgh".split("");
  const view = usageView(names.map((name, i) => request({ model: `p/${name}`, usd: 1 + i })));
  const series = splitSeries(t, view, "model");
  expect(series.map(({ key }) => key)).toEqual(["p/h", "p/g", "p/f", "p/e", "p/d", REST]);
  expect(series).toHaveLength(MOST);
  expect(splitData(view, series, METRICS.cost).rows[1]?.values).toEqual([8, 7, 6, 5, 4, 6]);
  expect(splitData(view, series, METRICS.success).series.map(({ key }) => key)).not.toContain(REST);
});

it("a look belongs to its key: filters change none, and no two that are shown share one", () => {
  const all = "abcdefghijkl".split("");
  const whole = looksOf(all, ["a", "c", "e"]);
  expect(looksOf(all, ["e"]).get("e")).toBe(whole.get("e"));
  expect(looksOf(all, ["c", "a"]).get("a")).toBe(whole.get("a"));
  const crowded = looksOf(all, ["a", "g", "b", "h"]);
  expect(new Set([...crowded.values()].map(({ colour }) => colour)).size).toBe(4);
});

it("where nothing was measured a rate is empty, not 0", () => {
  const view = usageView([request({ at: "2026-07-18T10:00:00.000Z" })]);
  const series = splitSeries(t, view, "model");
  expect(splitData(view, series, METRICS.success).rows.map(({ values }) => values[0])).toEqual([null, 1, null]);
  expect(splitData(view, series, METRICS.requests).rows.map(({ values }) => values[0])).toEqual([0, 1, 0]);
});
