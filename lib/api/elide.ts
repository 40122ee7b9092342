/** P2: the one permitted shortening on the way to a browser. */

/** Strings above this many bytes of UTF-8 are shortened; whole ones are fetched by the record's address. */
export const ELIDE_ABOVE_BYTES = 65_536;
const HEAD_CHARS = 1_024;

export interface Elided {
  $elided: { bytes: number; head: string };
}

export function isElided(value: unknown): value is Elided {
  return typeof value === "object" && value !== null && "$elided" in value;
}

/**
 * A copy of `value` in which every long string became `{"$elided": …}`; the same object when nothing was long.
 * Partials and open fragments must not be passed here.
 */
export function elide(value: unknown): unknown {
  if (typeof value === "string") {
    // A UTF-16 unit is at most three bytes, so short strings need no count.
    if (value.length * 3 <= ELIDE_ABOVE_BYTES) return value;
    const bytes = new TextEncoder().encode(value).length;
    return bytes > ELIDE_ABOVE_BYTES ? { $elided: { bytes, head: value.slice(0, HEAD_CHARS) } } : value;
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
