import { expect, it } from "vitest";
import {
  addressOf,
  isBackwards,
  NO_FILTERS,
  rangeOf,
  readFilters,
  readRows,
  rowsQueryOf,
  usageQueryOf,
} from "./filters";

const filters = {
  ...NO_FILTERS,
  range: "custom",
  from: "2026-07-01",
  to: "2026-07-09",
  tz: "Asia/Shanghai",
  model: "a/b c&d",
};

it("ux 41: filters and open rows survive the way through the address bar", () => {
  const rows = { agent: "coder", since: "2026-07-02T00:00:00.000Z", until: "2026-07-03T00:00:00.000Z", errors: "1" };
  const params = new URLSearchParams(addressOf(filters, rows));
  expect(readFilters(params)).toEqual(filters);
  expect(readRows(params)).toEqual(rows);
  expect(readRows(new URLSearchParams(addressOf(filters, null)))).toBeNull();
  // Errors without a reason are a group as well.
  expect(readRows(new URLSearchParams(addressOf(filters, { message: "" })))).toEqual({ message: "" });
});

it("what an address may not say is left out", () => {
  const params = new URLSearchParams(
    "range=ever&from=2026-13-40&tz=Mars/Base&bucket=minute&group_by=session&user=ann&rows=1&rows.status=great",
  );
  expect(readFilters(params)).toEqual({ ...NO_FILTERS, user: "ann" });
  expect(readRows(params)).toEqual({});
  const impossible = new URLSearchParams("from=2026-02-30&to=2026-02-28&rows=1&rows.since=2026-02-30T00:00:00Z");
  expect([readFilters(impossible), readRows(impossible)]).toEqual([{ ...NO_FILTERS, to: "2026-02-28" }, {}]);
});

it("a range that ends before it begins is told as that", () => {
  const days = (from: string, to: string) => isBackwards({ from, to });
  expect([days("2026-07-02", "2026-07-01"), days("2026-07-01", "2026-07-01"), days("2026-07-02", "")]).toEqual([
    true,
    false,
    false,
  ]);
});

it("the default range is thirty days; days alone mean a custom one", () => {
  expect(rangeOf(NO_FILTERS)).toBe("30d");
  expect(rangeOf({ ...NO_FILTERS, from: "2026-07-01" })).toBe("custom");
  expect(rangeOf({ ...NO_FILTERS, range: "7d" })).toBe("7d");
});

it("ux 39: rows are asked with the page's filters, and what was opened narrows or replaces them", () => {
  const query = (rows: Parameters<typeof rowsQueryOf>[1]) =>
    Object.fromEntries(new URLSearchParams(rowsQueryOf({ ...filters, group_by: "user", bucket: "day" }, rows)));
  const page = { range: "custom", from: "2026-07-01", to: "2026-07-09", tz: "Asia/Shanghai", model: "a/b c&d" };
  expect(query({})).toEqual(page);
  expect(query({ user: "ann", errors: "1" })).toEqual({ ...page, user: "ann", errors: "1" });
  expect(query({ range: "today" })).toEqual({ range: "today", tz: "Asia/Shanghai", model: "a/b c&d" });
  expect(usageQueryOf(NO_FILTERS)).toBe("");
});
