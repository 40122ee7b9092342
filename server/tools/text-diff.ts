/** Unified diffs of a changed file, bounded in time and size. */
import { structuredPatch } from "diff";

const CONTEXT = 3;
/** Above this the changed part is not compared line by line. UTF-16 units. */
const MAX_COMPARED = 512 * 1024;
/** The comparison blocks the event loop; its cost grows with the square of this. */
const MAX_EDITS = 600;

export interface TextDiff {
  /** Lines of hunks with their @@ headers; null: the change is too large to compare. */
  hunks: string[][] | null;
  added: number;
  removed: number;
}

/** First position at which the two differ. */
function commonPrefix(a: string, b: string): number {
  const max = Math.min(a.length, b.length);
  let at = 0;
  while (at < max && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

function commonSuffix(a: string, b: string, prefix: number): number {
  const max = Math.min(a.length, b.length) - prefix;
  let n = 0;
  while (n < max && a.charCodeAt(a.length - 1 - n) === b.charCodeAt(b.length - 1 - n)) n++;
  return n;
}

/** Start of the line that lies `lines` lines before the one holding `at`. */
function lineStart(text: string, at: number, lines: number): number {
  // lastIndexOf takes a negative position for 0.
  const startBefore = (end: number) => (end < 0 ? 0 : text.lastIndexOf("\n", end) + 1);
  let start = startBefore(at - 1);
  for (let i = 0; i < lines && start > 0; i++) start = startBefore(start - 2);
  return start;
}

/** End (behind its newline) of the line that lies `lines` lines behind the one holding `at`. */
function lineEnd(text: string, at: number, lines: number): number {
  let end = at;
  for (let i = 0; i <= lines; i++) {
    const newline = text.indexOf("\n", end);
    if (newline === -1) return text.length;
    end = newline + 1;
  }
  return end;
}

function countLines(text: string, to: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** How many lines of `a` have no equal among those of `b`. */
function surplus(a: string, b: string): number {
  const left = new Map<string, number>();
  for (const line of b.split("\n")) left.set(line, (left.get(line) ?? 0) + 1);
  let count = 0;
  for (const line of a.split("\n")) {
    const n = left.get(line) ?? 0;
    if (n > 0) left.set(line, n - 1);
    else count++;
  }
  return count;
}

/** Only the part between the first and the last change is looked at. */
export function textDiff(before: string, after: string): TextDiff {
  const prefix = commonPrefix(before, after);
  const suffix = commonSuffix(before, after, prefix);
  const from = lineStart(before, prefix, CONTEXT);
  const beforeEnd = lineEnd(before, before.length - suffix, CONTEXT);
  const afterEnd = after.length - (before.length - beforeEnd);
  const old = before.slice(from, beforeEnd);
  const now = after.slice(from, afterEnd);
  const patch =
    old.length + now.length > MAX_COMPARED
      ? undefined
      : structuredPatch("", "", old, now, undefined, undefined, { context: CONTEXT, maxEditLength: MAX_EDITS });
  if (!patch) return { hunks: null, added: surplus(now, old), removed: surplus(old, now) };
  const skipped = countLines(before, from);
  let added = 0;
  let removed = 0;
  const hunks = patch.hunks.map((hunk) => {
    for (const line of hunk.lines) {
      if (line.startsWith("+")) added++;
      if (line.startsWith("-")) removed++;
    }
    const range = (start: number, lines: number) => `${start + skipped - (lines === 0 ? 1 : 0)},${lines}`;
    const head = `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`;
    return [head, ...hunk.lines];
  });
  return { hunks, added, removed };
}
