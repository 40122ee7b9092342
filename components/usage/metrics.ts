/** What the charts and tables show of a sum: one definition of each figure, with its unit. Pure. */
import type { Figures } from "@/lib/api/usage";
import { duration, money, percent, shortCount } from "@/lib/format";
import type { WordKey } from "@/lib/i18n/areas";

/** What an amount lacks: it has no price at all, is not known at all, or some of its Requests are so. */
export type Lack = "unpriced" | "unknown" | "some";

export interface Metric {
  name: string;
  title: WordKey;
  /** null: there is nothing to measure. */
  value: (figures: Figures) => number | null;
  format: (value: number) => string;
  /** With every digit that counts. */
  exact: (value: number) => string;
  /** Amounts stack and add up; rates do not. */
  kind: "amount" | "rate";
  /** A share of 1. */
  share?: boolean;
  /** null: nothing. */
  lack?: (figures: Figures) => Lack | null;
}

const whole = new Intl.NumberFormat("en");
const count = { format: shortCount, exact: (value: number) => whole.format(value) };
const share = {
  format: percent,
  exact: (value: number) => `${(value * 100).toFixed(2).replace(/\.?0+$/, "")}%`,
  share: true,
};

/** US dollars to 1e-9, without zeros that say nothing. */
export function exactMoney(usd: number): string {
  if (usd === 0) return "$0";
  const [head = "0", tail = ""] = usd.toFixed(9).split(".");
  return `$${head}.${tail.replace(/0+$/, "").padEnd(2, "0")}`;
}

/** A missing price is never 0. */
function costLack({ cost: { stamped, today, estimated, free, unpriced, unknown } }: Figures): Lack | null {
  if (unpriced.requests + unknown.requests === 0) return null;
  if (stamped.requests + today.requests + estimated.requests + free.requests > 0) return "some";
  return unpriced.requests > 0 ? "unpriced" : "unknown";
}

export const METRICS = {
  cost: {
    name: "cost",
    title: "usage.cost",
    value: (figures) => (costLack(figures) === "some" || !costLack(figures) ? figures.cost.usd : null),
    format: money,
    exact: exactMoney,
    kind: "amount",
    lack: costLack,
  },
  tokens: { name: "tokens", title: "usage.tokens", value: ({ tokens }) => tokens.total, ...count, kind: "amount" },
  requests: { name: "requests", title: "usage.requests", value: ({ requests }) => requests, ...count, kind: "amount" },
  success: {
    name: "success",
    title: "usage.success_rate",
    value: ({ success_rate }) => success_rate,
    ...share,
    kind: "rate",
  },
  cache: {
    name: "cache",
    title: "usage.cache_hit_rate",
    value: ({ cache_hit_rate }) => cache_hit_rate,
    ...share,
    kind: "rate",
  },
  time: {
    name: "time",
    title: "usage.time_per_request",
    value: ({ ms_per_request }) => ms_per_request,
    format: duration,
    exact: duration,
    kind: "rate",
  },
  speed: {
    name: "speed",
    title: "usage.tokens_per_second",
    value: ({ tokens_per_second }) => tokens_per_second,
    format: (value) => value.toFixed(value < 10 ? 1 : 0),
    exact: (value) => value.toFixed(2),
    kind: "rate",
  },
} as const satisfies Record<string, Metric>;

/** A figure, or a dash when there is nothing to measure. */
export function shown(metric: Metric, figures: Figures): string {
  const value = metric.value(figures);
  return value === null ? "–" : metric.format(value);
}
