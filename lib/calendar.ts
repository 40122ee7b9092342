/** Calendar days and the instants where they begin, in any time zone. Days are `YYYY-MM-DD`, instants ms since 1970. */

const MOST_FORMATS = 100;
const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(tz: string): Intl.DateTimeFormat {
  const known = formats.get(tz);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: tz,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  // Each name can be spelt in many ways.
  if (formats.size >= MOST_FORMATS) formats.clear();
  formats.set(tz, made);
  return made;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** As en-US writes it, which costs half of having it in parts: 07/18/2026, 05:11:00 */
const WALL = /^(\d\d)\/(\d\d)\/(\d{4}), (\d\d):(\d\d):(\d\d)$/;

/** What a clock on the wall shows, as if it were UTC. */
function wall(at: number, tz: string): number {
  if (tz === "UTC") return Math.floor(at / 1000) * 1000;
  const format = formatOf(tz);
  const [all, month, day, year, hour, minute, second] = WALL.exec(format.format(at)) ?? [];
  if (all !== undefined)
    return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const parts: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(at)) parts[type] = Number(value);
  return Date.UTC(parts.year ?? 0, (parts.month ?? 1) - 1, parts.day, parts.hour, parts.minute, parts.second);
}

/** The day in which an instant lies. */
export function dayOf(at: number, tz: string): string {
  return new Date(wall(at, tz)).toISOString().slice(0, 10);
}

/** The first instant of a day. */
export function dayStart(day: string, tz: string): number {
  const wanted = Date.parse(`${day}T00:00:00Z`);
  let at = wanted - (wall(wanted, tz) - wanted);
  at = wanted - (wall(at, tz) - at);
  if (dayOf(at, tz) === day && dayOf(at - 1, tz) < day) return at;
  // Midnight was left out or came twice when the clocks were changed.
  let [before, from] = [wanted - 26 * HOUR, wanted + 26 * HOUR];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (dayOf(middle, tz) < day) before = middle;
    else from = middle;
  }
  return from;
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}
export const monthStart = (day: string): string => `${day.slice(0, 7)}-01`;
/** Monday of the week. */
export function weekStart(day: string): string {
  return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}
/** Days from one to the other, both counted. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY) + 1;
}

export interface Bucket {
  from: number;
  /** Not included. */
  to: number;
  label: string;
}

/** The days from `first` to `last` cut into pieces, in order and without gaps; weeks and months are cut at the ends. */
export function buckets(first: string, last: string, size: "hour" | "day" | "week" | "month", tz: string): Bucket[] {
  const end = dayStart(addDays(last, 1), tz);
  if (size === "hour") return hours(dayStart(first, tz), end, tz);
  const found: Bucket[] = [];
  let from = dayStart(first, tz);
  for (let day = first; day <= last; ) {
    const next = size === "day" ? addDays(day, 1) : size === "week" ? addDays(weekStart(day), 7) : addMonths(day, 1);
    const to = next > last ? end : dayStart(next, tz);
    const label = size === "month" ? day.slice(0, 7) : size === "week" ? weekStart(day) : day;
    found.push({ from, to, label });
    [day, from] = [next, to];
  }
  return found;
}

function hours(from: number, end: number, tz: string): Bucket[] {
  const found: Bucket[] = [];
  for (let at = from; at < end; at += HOUR) {
    found.push({
      from: at,
      to: Math.min(at + HOUR, end),
      label: new Date(wall(at, tz)).toISOString().slice(0, 13).concat(":00"),
    });
  }
  return found;
}

/** Which bucket an instant lies in; -1: none. Buckets are in order. */
export function bucketAt(all: readonly Bucket[], at: number): number {
  let [low, high] = [0, all.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const bucket = all[middle];
    if (!bucket) return -1;
    if (at < bucket.from) high = middle - 1;
    else if (at >= bucket.to) low = middle + 1;
    else return middle;
  }
  return -1;
}
