/**
 * How long ago something was, in words. Written here and not by `Intl`: the first of its formats takes a browser 35 to
 * 65 ms, and on a conversation's page that falls into the moment when an answer begins.
 */
import type { Language } from "./i18n/t";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

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

const WORDS: Record<Language, Words> = {
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
export function relativeTime(iso: string, now: number, language: Language): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const words = WORDS[language];
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
