/** P2: the one permitted shortening on the way to a browser. */

/** Strings above this many bytes of UTF-8 are shortened; whole ones are fetched by the record's address. */
export const ELIDE_ABOVE_BYTES = 65_536;
/** What is sent of a shortened string. */
export const ELIDED_HEAD_CHARS = 1_024;

export interface Elided {
  $elided: { bytes: number; head: string };
}

export function isElided(value: unknown): value is Elided {
  return typeof value === "object" && value !== null && "$elided" in value;
}

const encoder = new TextEncoder();
const COUNTED_AT_ONCE = 16_384;
const counted = new Uint8Array(COUNTED_AT_ONCE * 3);

/** Bytes of UTF-8, counted in pieces: a long string is not made a second time for it. */
function bytesOf(value: string): number {
  let bytes = 0;
  for (let at = 0; at < value.length; ) {
    const { read, written } = encoder.encodeInto(value.slice(at, at + COUNTED_AT_ONCE), counted);
    // The two halves of a character are never counted apart.
    const isCut = at + read < value.length && isHighHalf(value.charCodeAt(at + read - 1));
    at += isCut ? read - 1 : read;
    bytes += isCut ? written - 3 : written;
  }
  return bytes;
}
const isHighHalf = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;

/**
 * A copy of `value` in which every long string became `{"$elided": …}`; the same object when nothing was long.
 * Partials and open fragments must not be passed here.
 */
export function elide(value: unknown): unknown {
  if (typeof value === "string") {
    // A UTF-16 unit is at most three bytes, so short strings need no count.
    if (value.length * 3 <= ELIDE_ABOVE_BYTES) return value;
    const bytes = bytesOf(value);
    return bytes > ELIDE_ABOVE_BYTES ? { $elided: { bytes, head: value.slice(0, ELIDED_HEAD_CHARS) } } : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(elide);
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  let changed = false;
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    copy[key] = elide(member);
    changed ||= copy[key] !== member;
  }
  return changed ? copy : value;
}
