/** Tokens x price -> cost. The only place where money is computed; product rules in SPEC.md, "Cost". */
import type { PriceStamp, TokenCounts } from "../omni/message";

const PER = 1_000_000;

/** USD for these tokens at these prices (USD per million tokens). Cache creation without a price of its own costs like other input. */
export function costOf(tokens: TokenCounts, price: PriceStamp): number {
  const created = Math.min(tokens.cache_creation ?? 0, tokens.cache_write);
  const usd =
    tokens.cache_read * price.cache_read +
    (tokens.cache_write - created) * price.cache_write +
    created * (price.cache_creation ?? price.cache_write) +
    tokens.output * price.output;
  return usd / PER;
}

export type Cost =
  /** `stamped`: at the price in force when it ran; `today`: none was stamped, at today's price, and shown so. */
  | { kind: "stamped" | "today"; usd: number }
  /** Every price is 0: shown as "free". */
  | { kind: "free" }
  /** No price is known: shown as "no price", never as 0. */
  | { kind: "unpriced" };

/** Cost of one Request. A stamp in its `token_usage` wins over today's table (US3). */
export function requestCost(tokens: TokenCounts, stamp: PriceStamp | undefined, today?: PriceStamp): Cost {
  const price = stamp ?? today;
  if (price === undefined) return { kind: "unpriced" };
  const rates = [price.cache_read, price.cache_write, price.output, price.cache_creation ?? 0];
  if (rates.every((rate) => rate === 0)) return { kind: "free" };
  return { kind: stamp ? "stamped" : "today", usd: costOf(tokens, price) };
}
