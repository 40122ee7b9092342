/** A table as CSV (RFC 4180), made in the browser from what it shows. */
import { type Cell, csvLine } from "@/lib/csv";

export const csvOf = (rows: readonly (readonly Cell[])[]): string => rows.map(csvLine).join("");

/** Offers a text as a file of this name. */
export function download(name: string, text: string): void {
  // The mark at the beginning tells spreadsheets that it is UTF-8.
  const url = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
