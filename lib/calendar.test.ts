/** Days and buckets in time zones, around changes of the clock too. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays, addMonths, bucketAt, buckets, dayOf, dayStart, weekStart } from "./calendar";

const iso = (at: number) => new Date(at).toISOString();

describe("days", () => {
  it.each([
    ["2026-07-18", "UTC", "2026-07-18T00:00:00.000Z"],
    ["2026-07-18", "Asia/Shanghai", "2026-07-17T16:00:00.000Z"],
    ["2026-07-18", "America/New_York", "2026-07-18T04:00:00.000Z"],
    ["2026-07-18", "Asia/Kathmandu", "2026-07-17T18:15:00.000Z"],
    ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00.000Z"],
    ["2026-03-30", "Europe/Berlin", "2026-03-29T22:00:00.000Z"],
    // Midnight was left out: the day began at one.
    ["2024-09-08", "America/Santiago", "2024-09-08T04:00:00.000Z"],
    ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z"],
    // The whole day before was left out.
    ["2011-12-31", "Pacific/Apia", "2011-12-30T10:00:00.000Z"],
  ])("%s in %s begins at %s", (day, tz, start) => {
    expect(iso(dayStart(day, tz))).toBe(start);
    expect(dayOf(dayStart(day, tz), tz)).toBe(day);
  });

  it("months and weeks", () => {
    expect(addMonths("2026-12-15", 1)).toBe("2027-01-01");
    expect(addDays("2028-02-28", 1)).toBe("2028-02-29");
    expect([weekStart("2026-07-19"), weekStart("2026-07-20")]).toEqual(["2026-07-13", "2026-07-20"]);
  });
});

const zone = fc.constantFrom(
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Pacific/Apia",
);
const day = fc.integer({ min: 0, max: 9_000 }).map((n) => addDays("2010-01-01", n));

it("every instant of a range lies in exactly one bucket, and buckets leave no gap", () => {
  fc.assert(
    fc.property(
      zone,
      day,
      fc.nat({ max: 60 }),
      fc.constantFrom("hour", "day", "week", "month"),
      (tz, first, more, size) => {
        const last = addDays(first, size === "hour" ? more % 3 : more);
        const all = buckets(first, last, size as "day", tz);
        expect(all[0]?.from).toBe(dayStart(first, tz));
        expect(all.at(-1)?.to).toBe(dayStart(addDays(last, 1), tz));
        for (const [i, bucket] of all.entries()) {
          if (i > 0) expect(bucket.from).toBe(all[i - 1]?.to);
          if (bucket.to > bucket.from) expect(bucketAt(all, bucket.to - 1)).toBe(i);
        }
        expect(bucketAt(all, dayStart(first, tz) - 1)).toBe(-1);
      },
    ),
    { numRuns: 60 },
  );
});
