/** Strings as a browser gets them: whole, or shortened on the way (P2). */

/** The whole string is fetched by the record's address. */
export interface Shortened {
  bytes: number;
  head: string;
}
export type Long = string | Shortened;

/** Long strings arrive as `{"$elided": …}`, so a payload's own type does not hold for them. "" when it is neither. */
export function long(value: unknown): Long {
  if (typeof value === "string") return value;
  return shortenedIn(value) ?? "";
}

export function isLong(value: unknown): boolean {
  return typeof value === "string" || shortenedIn(value) !== null;
}

function shortenedIn(value: unknown): Shortened | null {
  if (typeof value !== "object" || value === null || !("$elided" in value)) return null;
  const inner = value.$elided;
  if (typeof inner !== "object" || inner === null || !("bytes" in inner) || !("head" in inner)) return null;
  const { bytes, head } = inner;
  return typeof bytes === "number" && typeof head === "string" ? { bytes, head } : null;
}
