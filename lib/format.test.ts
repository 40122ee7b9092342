import { describe, expect, it } from "vitest";
import { byteSize, dayGroup, duration, money, percent, shortCount } from "./format";

describe("format", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1000, "1k"],
    [1234, "1.2k"],
    [999_949, "999.9k"],
    [999_960, "1M"],
    [3_400_000, "3.4M"],
    [2_000_000_000, "2G"],
  ])("shortCount(%d) is %s", (value, text) => expect(shortCount(value)).toBe(text));

  it.each([
    [0, "0 ms"],
    [340, "340 ms"],
    [999.4, "999 ms"],
    [999.6, "1 s"],
    [2100, "2.1 s"],
    [59_940, "59.9 s"],
    [59_960, "1 m 00 s"],
    [184_000, "3 m 04 s"],
    [3_599_700, "1 h 00 m"],
    [7_500_000, "2 h 05 m"],
    [-1, "–"],
  ])("duration(%d) is %s, never 60 s", (ms, text) => expect(duration(ms)).toBe(text));

  it.each([
    [812, "812 B"],
    [1024, "1 KiB"],
    [4301, "4.2 KiB"],
    [1_048_550, "1 MiB"],
    [1_572_864, "1.5 MiB"],
  ])("byteSize(%d) is %s", (bytes, text) => expect(byteSize(bytes)).toBe(text));

  it.each([
    [0, "$0"],
    [1234.5, "$1235"],
    [1.234, "$1.23"],
    [0.0123, "$0.012"],
    [0.0019677, "$0.0019677"],
    [0.00123, "$0.00123"],
    [0.000123, "$0.000123"],
    [0.00000001, "<$0.0000001"],
  ])("money(%d) is %s", (usd, text) => expect(money(usd)).toBe(text));

  it("percent shows a dash for what is not known, never 0", () => {
    expect(percent(null)).toBe("–");
    expect(percent(0)).toBe("0%");
    expect(percent(0.856)).toBe("86%");
  });

  it("groups by calendar day, not by 24 hours", () => {
    const now = new Date(2026, 4, 10, 0, 30).getTime();
    expect(dayGroup(new Date(2026, 4, 10, 0, 1).toISOString(), now)).toBe("today");
    expect(dayGroup(new Date(2026, 4, 9, 23, 59).toISOString(), now)).toBe("yesterday");
    expect(dayGroup(new Date(2026, 4, 4).toISOString(), now)).toBe("week");
    expect(dayGroup(new Date(2026, 3, 20).toISOString(), now)).toBe("month");
    expect(dayGroup(new Date(2025, 3, 20).toISOString(), now)).toBe("older");
    expect(dayGroup("nonsense", now)).toBe("older");
  });
});
