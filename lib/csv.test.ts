/** Titles, names and reasons of errors come from Traces: a spreadsheet must not run them. */
import { expect, it } from "vitest";
import { csvCell, csvLine } from "./csv";

it.each([
  "=1+1",
  "+1",
  "-1+2",
  "@SUM(A1)",
  "\uFF1D1+1",
  "\uFF0B1",
  "\uFF0D1",
  "\uFF20SUM(A1)",
  "\t=1",
  "\r=1",
  "\n=1",
  " =1",
  "\u3000\uFF1D1",
])("ux 42: %j is text in a spreadsheet", (text) => {
  const cell = csvCell(text);
  expect(cell.startsWith('"') ? cell.slice(1, -1) : cell).toBe(`'${text}`);
});

it("ux 42: numbers, a dash and plain text stay as they are; quotes and breaks are quoted", () => {
  expect(csvLine([-1.5, "-", "a=b", null, true])).toBe("-1.5,-,a=b,,true\r\n");
  expect(csvLine(['say "no"', "a,b", "a\nb"])).toBe('"say ""no""","a,b","a\nb"\r\n');
});
