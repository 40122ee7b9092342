/**
 * Trace text <-> records. Lenient: what is not a record is reported with its line and never stops the reading.
 *
 *   bytes --LineSplitter--> physical lines --parseLine--> record | damaged | blank
 *
 * Lines are counted from 1 and end at a line feed only (U+2028 is text). A byte order mark at the start of the file
 * and a carriage return before the line feed belong to no line. Bytes are decoded line by line, so that damage in one
 * line cannot reach another.
 */
import { isDeeperThan, isOmniMessage, MAX_LEVELS } from "../omni/guards";
import type { OmniMessage } from "../omni/message";
import { keepSpelling } from "../omni/spelling";

/** TR9: a longer record is damaged to every reader. Bytes. */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024;
/** TR9: a longer record is parsed off the event loop. Bytes. */
export const LONG_BYTES = 2 * 1024 * 1024;
/** How much of a damaged line is kept to be shown. Characters. */
const HEAD_CHARS = 1024;
/** Enough bytes for that many characters. */
const HEAD_BYTES = HEAD_CHARS * 4;

const LF = 0x0a;
const CR = 0x0d;

export interface RawLine {
  /** 1-based physical line. */
  line: number;
  /** Without the line end; a view into the last chunk where possible, so use it before the next `push`. */
  bytes: Uint8Array;
  /** Byte offset of `bytes` in the file. */
  start: number;
  /** True length of the line in bytes. Above `MAX_RECORD_BYTES` only the head of it is in `bytes`. */
  length: number;
  /**
   * A long line as it came, in pieces that belong to it alone. `bytes` puts them together, which takes long where
   * memory is slow: who can do with the pieces should, and may give them away after a last look at `bytes`.
   */
  parts?: readonly Uint8Array<ArrayBuffer>[];
}
export interface ParsedRecord {
  line: number;
  message: OmniMessage;
}
export interface DamagedLine {
  line: number;
  /** Why, as a sentence fragment: "not JSON: …", "not UTF-8", "too large (…)", "not a record". */
  error: string;
  /** The first 1,024 characters. */
  raw_head: string;
  /** Is it the last line that is not blank? Then it is a torn tail (TR5), else a hole in the middle (TR6). */
  last: boolean;
}
export interface ParsedTrace {
  records: ParsedRecord[];
  damaged: DamagedLine[];
  /** Physical lines, blank and damaged ones included. */
  lines: number;
  /** True also for an empty file: the next append needs no healing line feed. */
  ends_with_newline: boolean;
}
export type ParsedLine = { message: OmniMessage } | { error: string; raw_head: string } | null;

/** Cuts a stream of chunks into physical lines, whatever the chunking. Holds at most one line (TR9 bounds it). */
export class LineSplitter {
  #parts: Uint8Array[] = [];
  #length = 0;
  #start = 0;
  #line = 0;

  /** The lines that this chunk completes. */
  push(chunk: Uint8Array): RawLine[] {
    const lines: RawLine[] = [];
    let from = 0;
    for (let to = chunk.indexOf(LF); to !== -1; to = chunk.indexOf(LF, from)) {
      this.#keep(chunk.subarray(from, to));
      const end = this.#start + this.#length + 1;
      lines.push(this.#take());
      this.#start = end;
      from = to + 1;
    }
    // The caller may reuse its buffer: what stays here is a copy.
    if (from < chunk.length) this.#keep(new Uint8Array(chunk.subarray(from)));
    return lines;
  }

  /** The unterminated rest as the last line; nothing when the file ended with a line feed or is empty. */
  end(): RawLine[] {
    return this.#length > 0 ? [this.#take()] : [];
  }

  #keep(part: Uint8Array): void {
    const had = this.#length;
    this.#length += part.length;
    if (this.#length <= MAX_RECORD_BYTES) {
      if (part.length > 0) this.#parts.push(part);
    } else if (had <= MAX_RECORD_BYTES) {
      this.#parts = [joined([...this.#parts, part]).slice(0, HEAD_BYTES)];
    }
  }

  #take(): RawLine {
    const long = this.#takeLong();
    if (long) return long;
    let bytes = joined(this.#parts);
    let start = this.#start;
    let length = this.#length;
    this.#parts = [];
    this.#length = 0;
    this.#line += 1;
    if (length === bytes.length && bytes[length - 1] === CR) {
      length -= 1;
      bytes = bytes.subarray(0, length);
    }
    if (this.#line === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
      start += 3;
      length -= 3;
      bytes = bytes.subarray(3);
    }
    return { line: this.#line, bytes, start, length };
  }

  /** A long line of several pieces, left as they are; null: any other line. */
  #takeLong(): RawLine | null {
    const last = this.#parts.at(-1);
    const isWhole = this.#length > LONG_BYTES && this.#length <= MAX_RECORD_BYTES;
    // The mark of byte order is at the beginning of the first line only; whoever has such a line pays for the joining.
    if (!isWhole || !last || this.#parts.length < 2 || this.#line === 0) return null;
    const isCr = last.at(-1) === CR;
    const parts = [...this.#parts.slice(0, -1), last.subarray(0, last.length - (isCr ? 1 : 0))];
    // The last one is a view into the chunk of the caller.
    const owned = parts.map((part, i) => (i < parts.length - 1 ? viewOf(part) : new Uint8Array(part)));
    const line = new LongLine(++this.#line, this.#start, this.#length - (isCr ? 1 : 0), owned);
    this.#parts = [];
    this.#length = 0;
    return line;
  }
}

/** The same bytes, in a type that says that they can be given away; a copy where they cannot. */
function viewOf({ buffer, byteOffset, length }: Uint8Array): Uint8Array<ArrayBuffer> {
  if (buffer instanceof ArrayBuffer) return new Uint8Array(buffer, byteOffset, length);
  return new Uint8Array(new Uint8Array(buffer, byteOffset, length));
}

class LongLine implements RawLine {
  #bytes: Uint8Array | null = null;
  constructor(
    readonly line: number,
    readonly start: number,
    readonly length: number,
    readonly parts: readonly Uint8Array<ArrayBuffer>[],
  ) {}

  get bytes(): Uint8Array {
    this.#bytes ??= joined(this.parts);
    return this.#bytes;
  }
}

/** The same line counted from another place: `line` and `start` are added to its own. */
export function movedLine(raw: RawLine, by: { line: number; start: number }): RawLine {
  const [line, start] = [raw.line + by.line, raw.start + by.start];
  return raw.parts ? new LongLine(line, start, raw.length, raw.parts) : { ...raw, line, start };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1 && parts[0]) return parts[0];
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenientDecoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** One physical line, as the splitter gave it or as a string without its line end. null: blank. */
export function parseLine(source: RawLine | string): ParsedLine {
  const raw = typeof source === "string" ? source : source.bytes;
  const length = typeof source === "string" ? byteLength(source) : source.length;
  if (length > MAX_RECORD_BYTES) return damage(raw, `too large (${length} bytes)`);
  const text = typeof raw === "string" ? raw : decoded(raw);
  if (text === null) return damage(raw, "not UTF-8");
  return parseText(text);
}

function parseText(text: string): ParsedLine {
  const json = text.charCodeAt(0) === 0x7b ? text : text.trim();
  if (json === "") return null;
  try {
    const value: unknown = JSON.parse(json);
    if (isDeeperThan(value, MAX_LEVELS)) return damage(text, `nested more than ${MAX_LEVELS} levels deep`);
    if (!isOmniMessage(value)) return damage(text, "not a record");
    keepSpelling(value, json);
    return { message: value };
  } catch (error) {
    return damage(text, `not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return null;
  }
}

function damage(source: Uint8Array | string, error: string): { error: string; raw_head: string } {
  return { error, raw_head: rawHead(source) };
}

/** The beginning of a line that is in pieces, enough for `rawHead`. */
export function headOf(parts: readonly Uint8Array[]): Uint8Array {
  const head: Uint8Array[] = [];
  let length = 0;
  for (const part of parts) {
    if (length >= HEAD_BYTES) break;
    head.push(part.subarray(0, HEAD_BYTES));
    length += part.length;
  }
  return joined(head);
}

/** The beginning of a damaged line, to be shown. */
export function rawHead(source: Uint8Array | string): string {
  const text = typeof source === "string" ? source : lenientDecoder.decode(source.subarray(0, HEAD_BYTES));
  return text.slice(0, HEAD_CHARS);
}

/** UTF-8 bytes of a string; exact only where the limit could matter. */
function byteLength(source: string): number {
  return source.length * 3 <= MAX_RECORD_BYTES ? source.length : new TextEncoder().encode(source).length;
}

/** Collects a whole file from its chunks. A caller that must not block may pause between any two of them. */
export class TraceParser {
  readonly #splitter = new LineSplitter();
  readonly #records: ParsedRecord[] = [];
  readonly #damaged: DamagedLine[] = [];
  #lines = 0;
  #lastFilled = 0;

  push(chunk: Uint8Array): void {
    for (const raw of this.#splitter.push(chunk)) this.line(raw.line, parseLine(raw));
  }

  /** Takes one line that was parsed elsewhere; lines must come in order. */
  line(line: number, parsed: ParsedLine): void {
    this.#lines = line;
    if (parsed === null) return;
    this.#lastFilled = line;
    if ("message" in parsed) this.#records.push({ line, message: parsed.message });
    else this.#damaged.push({ line, ...parsed, last: false });
  }

  end(): ParsedTrace {
    const rest = this.#splitter.end();
    for (const raw of rest) this.line(raw.line, parseLine(raw));
    return this.result(rest.length === 0);
  }

  /** What was taken by `line` so far. */
  result(endsWithNewline: boolean): ParsedTrace {
    const tail = this.#damaged.at(-1);
    if (tail) tail.last = tail.line === this.#lastFilled;
    return {
      records: this.#records,
      damaged: this.#damaged,
      lines: this.#lines,
      ends_with_newline: endsWithNewline,
    };
  }
}

/** A whole small file at once. */
export function parseTrace(text: string): ParsedTrace {
  const parser = new TraceParser();
  let line = 0;
  for (let from = 0; from < text.length; ) {
    const at = text.indexOf("\n", from);
    const to = at === -1 ? text.length : at;
    const first = from === 0 && text.charCodeAt(0) === 0xfeff ? 1 : from;
    const last = to > first && text.charCodeAt(to - 1) === CR ? to - 1 : to;
    line += 1;
    parser.line(line, parseLine(text.slice(first, last)));
    from = to + 1;
  }
  return parser.result(text === "" || text.endsWith("\n"));
}

/** The one spelling of a record on disk: JSON and a line feed. */
export function encodeRecord(message: OmniMessage): string {
  return `${JSON.stringify(message)}\n`;
}
