/**
 * Where the physical lines of a Trace file begin: a mark every so many lines or bytes, enough to find any line with
 * one short read. In memory only; kept while the file is the same or has only grown (TR1).
 */
import { Pace, PIECE_BYTES, piecesInPlace } from "./scan";

const LF = 0x0a;
/** A new mark after this many bytes or lines, whichever comes first. */
const MARK_BYTES = PIECE_BYTES;
const MARK_LINES = 2048;
/** Indexes kept; the least recently used one is dropped first. */
const KEPT = 200;

/** What tells whether a file changed. */
export interface FileState {
  path: string;
  bytes: number;
  mtime_ms: number;
  ino: number;
  /** A deleted file's inode is soon used again; its time of birth is not. */
  birth_ms: number;
}
interface Mark {
  /** 1-based. */
  line: number;
  /** Byte offset of its first byte. */
  start: number;
}
export interface LineIndex {
  state: FileState;
  marks: Mark[];
  /** Lines that end with a line feed. */
  ended: number;
  /** Where the line after them begins. */
  rest: number;
}

/** Physical lines, an unterminated last one included. */
export function totalLines(index: LineIndex): number {
  return index.ended + (index.state.bytes > index.rest ? 1 : 0);
}

/** The last mark at or before a line. */
export function markBefore(index: LineIndex, line: number): Mark {
  return index.marks.findLast((mark) => mark.line <= line) ?? { line: 1, start: 0 };
}

/** Does `old` describe the beginning of the file as it is now? */
export function onlyGrew(old: FileState, now: FileState): boolean {
  if (old.ino !== now.ino || old.birth_ms !== now.birth_ms) return false;
  return now.bytes > old.bytes || (now.bytes === old.bytes && now.mtime_ms === old.mtime_ms);
}

async function extend(index: LineIndex, now: FileState): Promise<LineIndex> {
  const pace = new Pace();
  const next = { ...index, state: now, marks: [...index.marks] };
  let mark = next.marks.at(-1) ?? { line: 1, start: 0 };
  let at = index.rest;
  for (const piece of piecesInPlace(now.path, index.rest, now.bytes)) {
    for (let lf = piece.indexOf(LF); lf !== -1; lf = piece.indexOf(LF, lf + 1)) {
      next.ended++;
      next.rest = at + lf + 1;
      if (next.rest - mark.start < MARK_BYTES && next.ended + 1 - mark.line < MARK_LINES) continue;
      mark = { line: next.ended + 1, start: next.rest };
      next.marks.push(mark);
    }
    at += piece.length;
    if (pace.due) await pace.rest();
  }
  return next;
}

export class LineIndexes {
  readonly #kept = new Map<string, LineIndex>();
  readonly #running = new Map<string, { bytes: number; index: Promise<LineIndex> }>();

  /** The index of a file as it is now; reads only what is new, and once for all who ask at the same time. */
  of(now: FileState): Promise<LineIndex> {
    const running = this.#running.get(now.path);
    if (running?.bytes === now.bytes) return running.index;
    const index = this.#read(now).finally(() => {
      if (this.#running.get(now.path)?.index === index) this.#running.delete(now.path);
    });
    this.#running.set(now.path, { bytes: now.bytes, index });
    return index;
  }

  async #read(now: FileState): Promise<LineIndex> {
    const old = this.#kept.get(now.path);
    const base = old && onlyGrew(old.state, now) ? old : { state: now, marks: [], ended: 0, rest: 0 };
    const index = base.state.bytes === now.bytes && base === old ? old : await extend(base, now);
    this.#kept.delete(now.path);
    this.#kept.set(now.path, index);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return index;
  }
}
