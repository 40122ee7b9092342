/** One cell of a CSV table (RFC 4180), for spreadsheets: what came from outside is text there and never a formula. */

export type Cell = string | number | boolean | null;

/**
 * What a spreadsheet begins a formula with, also in full width, where East Asian versions take it for the same, and
 * behind white space, which some leave out. An apostrophe in front keeps it text.
 */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/;
/** A dash alone is no formula. */
const DASH = "-";

export function csvCell(value: Cell): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const text = FORMULA.test(value) && value !== DASH ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(",")}\r\n`;
