import { describe, expect, it } from "vitest";
import { costOf, requestCost } from "./price";

const tokens = { cache_read: 17_817, cache_write: 86, output: 50, total: 17_953 };
const price = { cache_read: 0.1, cache_write: 1, output: 4 };

describe("cost of a Request", () => {
  it("2.3: each kind of token has its own price, per million", () => {
    expect(costOf(tokens, price)).toBeCloseTo((17_817 * 0.1 + 86 * 1 + 50 * 4) / 1e6, 12);
  });

  it("2.3: cache creation is a part of cache_write with its own price, else the price of input (UC11)", () => {
    const created = { cache_read: 13_216, cache_write: 28, cache_creation: 25, output: 12, total: 13_256 };
    const rates = { cache_read: 0.3, cache_write: 3, cache_creation: 3.75, output: 15 };
    expect(costOf(created, rates)).toBeCloseTo((13_216 * 0.3 + 3 * 3 + 25 * 3.75 + 12 * 15) / 1e6, 12);
    expect(costOf(created, { ...rates, cache_creation: undefined })).toBeCloseTo(
      (13_216 * 0.3 + 28 * 3 + 12 * 15) / 1e6,
      12,
    );
  });

  it("US3: a stamp wins over today's price; 2.3: no price is not 0, and 0 is free", () => {
    const stamped = requestCost(tokens, price, { cache_read: 9, cache_write: 9, output: 9 });
    expect(stamped).toEqual({ kind: "stamped", usd: costOf(tokens, price) });
    expect(requestCost(tokens, undefined, price)).toEqual({ kind: "today", usd: costOf(tokens, price) });
    expect(requestCost(tokens, undefined)).toEqual({ kind: "unpriced" });
    expect(requestCost(tokens, { cache_read: 0, cache_write: 0, output: 0 })).toEqual({ kind: "free" });
  });
});
