/** What a Trace says is data: numbers that cannot be are not added up (US5, US7). */
import { expect, it } from "vitest";
import type { TokenCounts } from "../omni/message";
import { UsageFold } from "./usage-fold";

const COUNTS = { cache_read: 10, cache_write: 20, output: 5, total: 35 };
const PRICE = { cache_read: 0.1, cache_write: 1, output: 2 };
const NOW = Date.UTC(2026, 10, 30);

function counted(request: TokenCounts = COUNTS, price = PRICE, at = NOW) {
  const fold = new UsageFold();
  const spot = (line: number) => ({ line, start: line * 100, length: 90 });
  fold.begin(at, spot(1));
  fold.usage({ request, price }, at, spot(2));
  fold.end(at, spot(3), { status: "completed" });
  return fold.requests[0];
}

it("US5: counts and prices as providers have them are taken as they are", () => {
  expect(counted()).toMatchObject({ tokens: COUNTS, price: PRICE, at: NOW });
});

it.each([-5, 0.5, 1e10, 1e308, Number.POSITIVE_INFINITY])("US5: %d tokens are not known", (output) => {
  expect(counted({ ...COUNTS, output })?.tokens).toBeNull();
});

it.each([0, 34, 36, 1e9])("US2: a total of %d that its parts do not add up to is made anew of them", (total) => {
  expect(counted({ ...COUNTS, total })?.tokens).toEqual(COUNTS);
});

it("US5: a total of nothing is not known, and neither is more written into the cache than was sent", () => {
  expect(counted({ cache_read: 0, cache_write: 0, output: 0, total: 900 })?.tokens).toBeNull();
  expect(counted({ ...COUNTS, cache_creation: 21 })?.tokens).toBeNull();
  expect(counted({ ...COUNTS, cache_creation: 20 })?.tokens).toMatchObject({ total: 35, cache_creation: 20 });
  const nothing = { cache_read: 0, cache_write: 0, output: 0, total: 0 };
  expect(counted(nothing)?.tokens).toEqual(nothing);
});

it.each([-1e6, 1e308, Number.NaN])("US5: a price of %d is none", (output) => {
  expect(counted(COUNTS, { ...PRICE, output })?.price).toBeNull();
});

it.each(["0001-01-01", "9999-12-31", "+275760-09-12"])("US5: the time %s is as good as unreadable", (day) => {
  expect(counted(COUNTS, PRICE, Date.parse(`${day}T00:00:00.000Z`))).toMatchObject({
    at: Number.NaN,
    begin: Number.NaN,
    end: Number.NaN,
  });
});
