/**
 * The words of lib/api/usage that a browser needs as values: here no validator comes along.
 */

export const RANGES = ["today", "7d", "30d", "90d", "month", "last_month", "all", "custom"] as const;
export type UsageRange = (typeof RANGES)[number];
export const BUCKETS = ["hour", "day", "week", "month"] as const;
export type UsageBucket = (typeof BUCKETS)[number];
/** What Requests are told apart by. A Session is counted with its subagents, an Agent with what ran under it. */
export const GROUPS = ["model", "agent", "user", "session"] as const;
export type UsageGroup = (typeof GROUPS)[number];
export const REQUEST_STATUSES = ["completed", "failed", "timeout", "malformed", "auth", "aborted", "open"] as const;

/**
 * How sure the cost of a Request is; each Request has exactly one.
 *   stamped    at the price in force when it ran: never changes
 *   today      no price was stamped: at today's price
 *   free       every price is 0
 *   estimated  the provider sent no usage and it was estimated; priced by stamp or today's price
 *   unpriced   tokens are known, a price is not: "no price", never 0
 *   unknown    no usage was sent (stopped, failed, cut off): tokens and cost are not known
 */
export const CERTAINTIES = ["stamped", "today", "free", "estimated", "unpriced", "unknown"] as const;
export type Certainty = (typeof CERTAINTIES)[number];

/** Key of a row of `by.user`: Requests that name nobody. */
export const NOBODY = "-";
/** Key of a group of the series: all that are too many to be told one by one. */
export const OTHERS = "*";

/** Is this a time zone that times can be shown in? */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const DAY = /^(\d{4})-\d{2}-\d{2}$/;
const [FIRST_YEAR, LAST_YEAR] = [1970, 2199];
const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** `YYYY-MM-DD`, and a day that the calendar has: 2026-02-30 is none. */
export function isDay(text: string): boolean {
  const year = Number(DAY.exec(text)?.[1]);
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** ISO 8601 with its zone, on a day that the calendar has. */
export function isInstant(text: string): boolean {
  const day = INSTANT.exec(text)?.[1];
  return day !== undefined && isDay(day) && !Number.isNaN(Date.parse(text));
}

/**
 * Key of a row of `by.model`: `<provider>/<model_id>`. A slash in the name of a provider is escaped, so that two models
 * never share a key.
 */
export function modelKey(provider = "", model_id = ""): string {
  return `${provider.replace(/[%/]/g, encodeURIComponent)}/${model_id}`;
}
/** Provider and model of a key. */
export function splitModel(key: string): [provider: string, model_id: string] {
  const at = key.indexOf("/");
  if (at === -1) return ["", key];
  const provider = key.slice(0, at).replaceAll("%2F", "/").replaceAll("%25", "%");
  return [provider, key.slice(at + 1)];
}
