/** Sums of one Task for the line under its answer. */
import type { PriceStamp, TokenCounts, TokenUsagePayload } from "../omni/message";

export interface TaskStats {
  /** Requests that ended, retried ones among them. */
  requests: number;
  tokens: TokenCounts;
  /** USD of the Requests that carry a price. */
  cost: number;
  priced: number;
  /** Requests with usage and no price: their cost is not known. */
  unpriced: number;
  /** Requests that sent no usage: their tokens are not known. */
  unknown: number;
  /** Some usage was estimated because the provider gave none. */
  estimated: boolean;
  /** Milliseconds that people were waited for. */
  waited_ms: number;
  /** ISO times of the first and the last record. */
  started_at: string;
  ended_at: string;
}

export const NO_TOKENS: TokenCounts = { cache_read: 0, cache_write: 0, output: 0, total: 0 };

export function emptyStats(at: string): TaskStats {
  return {
    requests: 0,
    tokens: NO_TOKENS,
    cost: 0,
    priced: 0,
    unpriced: 0,
    unknown: 0,
    estimated: false,
    waited_ms: 0,
    started_at: at,
    ended_at: at,
  };
}

function addTokens(a: TokenCounts, b: TokenCounts): TokenCounts {
  return {
    cache_read: a.cache_read + b.cache_read,
    cache_write: a.cache_write + b.cache_write,
    output: a.output + b.output,
    total: a.total + b.total,
  };
}

/** USD of one Request at the price stamped in it (product rule 2.3). */
function costOf(tokens: TokenCounts, price: PriceStamp): number {
  const creation = price.cache_creation === undefined ? 0 : (tokens.cache_creation ?? 0);
  return (
    (tokens.cache_read * price.cache_read +
      (tokens.cache_write - creation) * price.cache_write +
      creation * (price.cache_creation ?? 0) +
      tokens.output * price.output) /
    1e6
  );
}

export function addUsage(stats: TaskStats, usage: TokenUsagePayload): TaskStats {
  const { price, request } = usage;
  return {
    ...stats,
    tokens: addTokens(stats.tokens, request),
    cost: price ? stats.cost + costOf(request, price) : stats.cost,
    priced: stats.priced + (price ? 1 : 0),
    unpriced: stats.unpriced + (price ? 0 : 1),
    estimated: stats.estimated || usage.estimated === true,
  };
}

/** Milliseconds between two ISO times; 0 when either is unreadable or they run backwards. */
export function spanMs(from: string, to: string): number {
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}
