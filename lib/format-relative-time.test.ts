import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { relativeTime } from "./format";
import { LANGUAGES, type Language } from "./i18n/t";

const NOW = Date.parse("2026-05-10T12:00:00Z");
const DAY = 86_400_000;
const said = (at: number, language: Language) => relativeTime(new Date(at).toISOString(), NOW, language);

/** The same by the runtime's own formats, which are too slow for a page. */
function byIntl(at: number, language: Language): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
  const age = NOW - at;
  const size = Math.abs(age);
  if (size < 45_000) return words.format(0, "second");
  if (size < 3_600_000) return words.format(-Math.round(age / 60_000), "minute");
  if (size < DAY) return words.format(-Math.round(age / 3_600_000), "hour");
  if (size < 7 * DAY) return words.format(-Math.round(age / DAY), "day");
  const thisYear = new Date(at).getFullYear() === new Date(NOW).getFullYear();
  const form = { day: "numeric", month: "short", year: thisYear ? undefined : "numeric" } as const;
  return new Intl.DateTimeFormat(language, form).format(at);
}

describe("relativeTime", () => {
  it("speaks the language, gives a date after a week, and what is no time as it is", () => {
    expect(relativeTime("2026-05-10T11:57:00Z", NOW, "en")).toBe("3 min. ago");
    expect(relativeTime("2026-05-10T11:57:00Z", NOW, "zh")).toBe("3分钟前");
    expect(relativeTime("2026-04-01T12:00:00Z", NOW, "en")).toBe("Apr 1");
    expect(relativeTime("2025-04-01T12:00:00Z", NOW, "en")).toBe("Apr 1, 2025");
    expect(relativeTime("soon", NOW, "en")).toBe("soon");
  });

  it.each(LANGUAGES)("says in %s what the runtime's own formats say", (language) => {
    for (let hours = -24 * 9; hours <= 24 * 9; hours++) {
      const at = NOW - hours * 3_600_000 + 1;
      expect(said(at, language)).toBe(byIntl(at, language));
    }
    const at = fc.oneof(
      fc.integer({ min: NOW - 2 * 3_600_000, max: NOW + 2 * 3_600_000 }),
      fc.integer({ min: NOW - 8 * DAY, max: NOW + 8 * DAY }),
      fc.integer({ min: NOW - 3_000 * DAY, max: NOW + 3_000 * DAY }),
    );
    fc.assert(fc.property(at, (time) => said(time, language) === byIntl(time, language)));
  });
});
