/** Sums of one Task for the line under its answer. */
import { requestCost } from "../model/price";
import type { TokenCounts, TokenUsagePayload } from "../omni/message";

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

export function addUsage(stats: TaskStats, usage: TokenUsagePayload): TaskStats {
  const cost = requestCost(usage.request, usage.price);
  const known = cost.kind !== "unpriced";
  return {
    ...stats,
    tokens: addTokens(stats.tokens, usage.request),
    cost: stats.cost + ("usd" in cost ? cost.usd : 0),
    priced: stats.priced + (known ? 1 : 0),
    unpriced: stats.unpriced + (known ? 0 : 1),
    estimated: stats.estimated || usage.estimated === true,
  };
}

/** Milliseconds between two ISO times; 0 when either is unreadable or they run backwards. */
export function spanMs(from: string, to: string): number {
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}
