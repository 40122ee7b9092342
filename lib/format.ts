/** Numbers, money, durations, sizes and dates as people read them. */

/** A count in short form: 999, 1.2k, 3.4M. */
export function shortCount(value: number): string {
  const steps: [number, string][] = [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ];
  for (const [size, unit] of steps) {
    // 999,950 would round to "1000.0k": it belongs to the next unit.
    if (Math.abs(value) >= size * 0.99995 && Math.abs(value) >= 1000) return `${trim(value / size)}${unit}`;
  }
  return String(Math.round(value));
}

/** At most one decimal, none when it is zero. */
function trim(value: number): string {
  return value.toFixed(1).replace(/\.0$/, "");
}

/** Milliseconds: 340 ms, 2.1 s, 3 m 04 s, 2 h 05 m. Never "60 s". */
export function duration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return "–";
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${trim(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  const pad = (n: number) => String(n).padStart(2, "0");
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${pad(seconds % 60)} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} m`;
}

/** Bytes in binary units: 812 B, 4.2 KiB, 1.5 MiB. */
export function byteSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  let value = bytes;
  let unit = "B";
  for (const next of units) {
    if (value < 1023.95) break;
    value /= 1024;
    unit = next;
  }
  return `${trim(value)} ${unit}`;
}

/** US dollars with as many digits as the amount needs; exact zero is "$0". */
export function money(usd: number): string {
  if (usd === 0) return "$0";
  const size = Math.abs(usd);
  if (size < 0.000_000_05) return "<$0.0000001";
  const digits = size >= 100 ? 0 : size >= 1 ? 2 : size >= 0.01 ? 3 : 7;
  // Below a cent what counts is far behind the point; zeros that say nothing go.
  const text = size < 0.01 ? size.toFixed(digits).replace(/0+$/, "") : size.toFixed(digits);
  return `${usd < 0 ? "-" : ""}$${text}`;
}

/** A share 0…1 as a whole percentage; null when it is not known. */
export function percent(share: number | null): string {
  return share === null || !Number.isFinite(share) ? "–" : `${Math.round(share * 100)}%`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * How long ago something was, in words. Written here and not by `Intl`: the first of its formats takes a browser 35 to
 * 65 ms, and on a conversation's page that falls into the moment when an answer begins.
 */
interface Words {
  now: string;
  /** Whole minutes, hours and days; below zero: in the future. */
  minutes: (n: number) => string;
  hours: (n: number) => string;
  days: (n: number) => string;
  /** `month` from 0. */
  date: (day: number, month: number, year?: number) => string;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const english = (n: number, unit: string) => (n < 0 ? `in ${-n} ${unit}` : `${n} ${unit} ago`);
const chinese = (n: number, unit: string) => `${Math.abs(n)}${unit}${n < 0 ? "后" : "前"}`;
const ENGLISH_DAYS = new Map([
  [-1, "tomorrow"],
  [1, "yesterday"],
]);
const CHINESE_DAYS = new Map([
  [-2, "后天"],
  [-1, "明天"],
  [1, "昨天"],
  [2, "前天"],
]);

const WORDS: Record<"en" | "zh", Words> = {
  en: {
    now: "now",
    minutes: (n) => english(n, "min."),
    hours: (n) => english(n, "hr."),
    days: (n) => ENGLISH_DAYS.get(n) ?? english(n, "days"),
    date: (day, month, year) => `${MONTHS[month]} ${day}${year === undefined ? "" : `, ${year}`}`,
  },
  zh: {
    now: "现在",
    minutes: (n) => chinese(n, "分钟"),
    hours: (n) => chinese(n, "小时"),
    days: (n) => CHINESE_DAYS.get(n) ?? chinese(n, "天"),
    date: (day, month, year) => `${year === undefined ? "" : `${year}年`}${month + 1}月${day}日`,
  },
};

/** "3 min. ago" up to a week, then the date; what is no time is given back. `now` in ms. */
export function relativeTime(iso: string, now: number, language: string): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const words = WORDS[language === "zh" ? "zh" : "en"];
  const age = now - at;
  const distance = Math.abs(age);
  if (distance < 45_000) return words.now;
  if (distance < HOUR) return words.minutes(Math.round(age / MINUTE));
  if (distance < DAY) return words.hours(Math.round(age / HOUR));
  if (distance < 7 * DAY) return words.days(Math.round(age / DAY));
  const day = new Date(at);
  const year = day.getFullYear();
  return words.date(day.getDate(), day.getMonth(), year === new Date(now).getFullYear() ? undefined : year);
}

/** Made once for each language and form: making one costs as much as a hundred uses. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Dates and times in a form. */
export function dateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const made = formats.get(key) ?? new Intl.DateTimeFormat(language, options);
  formats.set(key, made);
  return made;
}

/** Date, time to the second and zone. */
export function exactTime(iso: string, language: string): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  return dateFormat(language, { dateStyle: "medium", timeStyle: "long" }).format(at);
}

/** Time of day with milliseconds, in the reader's zone: for rows of a Trace. */
export function clockTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const pad = (n: number, width = 2) => String(n).padStart(width, "0");
  return `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}.${pad(at.getMilliseconds(), 3)}`;
}

export type DayGroup = "today" | "yesterday" | "week" | "month" | "older";

/** In which group of a list something belongs that was last active at `iso`. Days are the reader's calendar days. */
export function dayGroup(iso: string, now: number): DayGroup {
  const at = Date.parse(iso);
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (Number.isNaN(at)) return "older";
  if (at >= midnight) return "today";
  if (at >= midnight - DAY) return "yesterday";
  if (at >= midnight - 7 * DAY) return "week";
  if (at >= midnight - 30 * DAY) return "month";
  return "older";
}
