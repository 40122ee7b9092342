/** The days that a question of usage is about, and how they are cut. */
import { AppError } from "../../lib/api/errors";
import type { UsageFilter } from "../../lib/api/usage";
import type { UsageBucket, UsageRange } from "../../lib/api/usage-values";
import { addDays, addMonths, type Bucket, buckets, dayOf, dayStart, daysBetween, monthStart } from "../../lib/calendar";

export interface Range {
  preset: UsageRange;
  /** ms since 1970; `to` is not included. */
  from: number;
  to: number;
  from_day: string;
  to_day: string;
  tz: string;
}

/** More pieces than this are not cut: the next larger size is taken. */
const MOST_BUCKETS = 1100;
const SIZES: UsageBucket[] = ["hour", "day", "week", "month"];
const LENGTH: Record<UsageBucket, number> = { hour: 1 / 24, day: 1, week: 7, month: 28 };

type Asked = Pick<UsageFilter, "range" | "from" | "to" | "tz">;

/** When the first and the last call were. */
export interface Span {
  first: number;
  last: number;
}

/** `span`: for ranges that have all calls in them, also those that a clock ahead of ours wrote. Throws `bad_request`. */
export function rangeOf(asked: Asked, now: number, span: Span | null): Range {
  const { tz } = asked;
  const today = dayOf(now, tz);
  const preset = asked.range ?? (asked.from !== undefined || asked.to !== undefined ? "custom" : "30d");
  const begin = dayOf(Math.min(span?.first ?? now, now), tz);
  const end = dayOf(Math.max(span?.last ?? now, now), tz);
  const [from_day, to_day] = daysOf(preset, asked, today, { begin, end });
  if (from_day > to_day)
    throw new AppError(
      "bad_request",
      `The range ends before it begins (${from_day} is after ${to_day}): exchange the two, or leave one out.`,
    );
  if (daysBetween(from_day, to_day) > 100 * 366)
    throw new AppError(
      "bad_request",
      "The range is longer than 100 years: choose a later first day or an earlier last one.",
    );
  return { preset, from: dayStart(from_day, tz), to: dayStart(addDays(to_day, 1), tz), from_day, to_day, tz };
}

function daysOf(
  preset: UsageRange,
  { from, to }: Asked,
  today: string,
  { begin, end }: { begin: string; end: string },
): [string, string] {
  const thisMonth = monthStart(today);
  switch (preset) {
    case "today":
      return [today, today];
    case "7d":
      return [addDays(today, -6), today];
    case "30d":
      return [addDays(today, -29), today];
    case "90d":
      return [addDays(today, -89), today];
    case "month":
      return [thisMonth, today];
    case "last_month":
      return [addMonths(thisMonth, -1), addDays(thisMonth, -1)];
    case "all":
      return [begin, end];
    default:
      return [
        from ?? (to !== undefined && to < begin ? to : begin),
        to ?? (from !== undefined && from > end ? from : end),
      ];
  }
}

export function bucketsOf(
  { from_day, to_day, tz }: Range,
  wanted: UsageBucket | undefined,
): { bucket: UsageBucket; buckets: Bucket[] } {
  const days = daysBetween(from_day, to_day);
  const usual: UsageBucket = days === 1 ? "hour" : days <= 92 ? "day" : "month";
  const allowed = SIZES.slice(SIZES.indexOf(wanted ?? usual)).find((size) => days / LENGTH[size] <= MOST_BUCKETS);
  const bucket = allowed ?? "month";
  return { bucket, buckets: buckets(from_day, to_day, bucket, tz) };
}
