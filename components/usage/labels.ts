/** Names of buckets and zones, as people read them. Pure. */
import type { UsageBucket } from "@/lib/api/usage-values";
import { dateFormat } from "@/lib/format";

/** A label of the server (2026-07-18, 2026-07-18T09:00, 2026-07) is a place in a calendar, not an instant: read as UTC, shown as UTC. */
function instantOf(label: string): number {
  const [, year = "1970", month = "01", day = "01", hour = "00", minute = "00"] =
    /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:T(\d{2}):(\d{2}))?/.exec(label) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
}

/** Short, for an axis: 18 Jul, 09:00, Jul 2026. */
export function axisLabel(label: string, bucket: UsageBucket, language: string): string {
  const options: Intl.DateTimeFormatOptions =
    bucket === "hour"
      ? { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }
      : bucket === "month"
        ? { month: "short", year: "numeric" }
        : { day: "numeric", month: "short" };
  return dateFormat(language, { ...options, timeZone: "UTC" }).format(instantOf(label));
}

/** Whole, for a table or a tooltip: Sat, 18 Jul 2026; with its hours; a week by both of its ends. */
export function bucketLabel(label: string, bucket: UsageBucket, language: string): string {
  const at = instantOf(label);
  const format = (options: Intl.DateTimeFormatOptions, ms = at) =>
    dateFormat(language, { ...options, timeZone: "UTC" }).format(ms);
  const day = { day: "numeric", month: "short", year: "numeric" } as const;
  if (bucket === "month") return format({ month: "long", year: "numeric" });
  if (bucket === "week") return `${format({ day: "numeric", month: "short" })} – ${format(day, at + 6 * 86_400_000)}`;
  if (bucket === "hour") return format({ ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return format({ weekday: "short", ...day });
}

/** A calendar day (2026-07-18): 18 Jul 2026. */
export function dayLabel(day: string, language: string): string {
  return dateFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(instantOf(day));
}

/** An instant in a chosen zone: 18 Jul, 09:30:05. */
export function timeIn(iso: string, tz: string, language: string): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  return dateFormat(language, {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZone: tz || "UTC",
  }).format(at);
}

/** The same to the minute: 18 Jul, 09:30. */
export function minuteIn(iso: string, tz: string, language: string): string {
  const options = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return dateFormat(language, { ...options, timeZone: tz }).format(Date.parse(iso));
}

/** UTC+08:00; "" when the browser does not know the zone. */
export function offsetOf(tz: string, at = Date.now()): string {
  try {
    const parts = dateFormat("en", { timeZone: tz, timeZoneName: "longOffset" }).formatToParts(at);
    const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
    return name === "GMT" ? "UTC" : name.replace("GMT", "UTC");
  } catch {
    return "";
  }
}
