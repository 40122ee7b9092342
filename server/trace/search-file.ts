/**
 * Search in one Trace file: its bytes are searched first, and only lines that may hold the text are parsed. Nothing is
 * indexed, so nothing can be out of date. Never holds up the event loop; ends when its reader leaves.
 */
import { closeSync, openSync, readSync } from "node:fs";
import type { OmniMessage } from "../../lib/omni/message";
import { MAX_RECORD_BYTES, parseLine } from "../../lib/trace/jsonl";
import { finder, type Spellings, spellings } from "../../lib/trace/spelling";
import { codeOf } from "../files";
import { isFar, parseFar } from "./far-parse";
import { LARGE_PIECE_BYTES, Pace, READ_FILE } from "./scan";

export interface RecordQuery {
  /** Part of a prompt, an answer, arguments, an output, a name; upper and lower case are the same. */
  text?: string;
  /** Calls of this tool, and their outputs. */
  tool?: string;
  /** How a Request, a message or an approval ended. */
  status?: string;
  /** ISO times, inclusive. */
  from?: string;
  to?: string;
  /** Leave out what every Session repeats: prompt and tools of the system. */
  skipHeads?: boolean;
}

export interface RecordHit {
  line: number;
  timestamp: string;
  /** Type of the record, or of its payload. */
  type: string;
  /** Whose text it is, where the record says so. */
  role?: string;
  /** Around the match; without a text the beginning of what the record says. */
  snippet: { before: string; match: string; after: string };
}

const LF = 0x0a;
/** Strings above 128 KiB are made many times slower. Bytes. */
const SLICE = 48 * 1024;
/** No spelling of a text is longer. Bytes. */
const OVERLAP = 8 * 1024;

/** Is there anything to look for in records? */
export function asksForRecords({ text, tool, status }: RecordQuery): boolean {
  return text !== undefined || tool !== undefined || status !== undefined;
}

/** The records of the first `bytes` of a file that answer the query, in order. `onBytes` is told what was read. */
export async function* searchFile(
  path: string,
  bytes: number,
  query: RecordQuery,
  onBytes?: (read: number) => void,
): AsyncGenerator<RecordHit> {
  const matcher = new Matcher(query);
  const pace = new Pace();
  for (const block of blocks(path, bytes, onBytes)) {
    for (const candidate of matcher.candidates(block.bytes)) {
      const line = block.bytes.subarray(candidate.from, candidate.to);
      const number = block.line + block.linesBefore(candidate.from);
      const raw = { line: number, bytes: line, start: 0, length: line.length };
      const parsed = isFar(raw) ? await parseFar(raw) : parseLine(raw);
      const hit = parsed && "message" in parsed ? matcher.hit(number, parsed.message) : null;
      if (hit) yield hit;
      if (pace.due) await pace.rest();
    }
    if (pace.due) await pace.rest();
  }
}

interface Block {
  /** Whole lines. */
  bytes: Buffer;
  /** Number of the first one. */
  line: number;
  /** Line feeds before a place; places must be asked for in ascending order. */
  linesBefore(at: number): number;
}

/**
 * Whole lines in pieces, read in place; the caller rests in between; a line longer than any record is left out. A block is valid until the next
 * one is asked for: all are read into one buffer, with what was left of a line in front.
 */
export function* blocks(path: string, bytes: number, onBytes?: (read: number) => void): Generator<Block> {
  const fd = openOrNull(path);
  if (fd === null) return;
  let buffer: Buffer = Buffer.allocUnsafe(Math.min(2 * LARGE_PIECE_BYTES, bytes));
  let carried = 0;
  let line = 1;
  let skipping = false;
  try {
    for (let at = 0; at < bytes; ) {
      const wanted = Math.min(LARGE_PIECE_BYTES, bytes - at);
      if (buffer.length - carried < wanted) buffer = grown(buffer, carried, wanted);
      const bytesRead = readSync(fd, buffer, carried, wanted, at);
      if (bytesRead === 0) break;
      at += bytesRead;
      onBytes?.(bytesRead);
      const filled = carried + bytesRead;
      const end = at >= bytes ? filled : buffer.lastIndexOf(LF, filled - 1) + 1;
      if (end <= 0) {
        skipping ||= filled > MAX_RECORD_BYTES;
        carried = skipping ? 0 : filled;
        continue;
      }
      const from = skipping ? buffer.indexOf(LF) + 1 : 0;
      if (skipping) line++;
      skipping = false;
      const block = buffer.subarray(from, end);
      const counter = new LineCounter(block);
      yield { bytes: block, line, linesBefore: (place) => counter.before(place) };
      line += counter.before(block.length);
      buffer.copyWithin(0, end, filled);
      carried = filled - end;
    }
  } finally {
    closeSync(fd);
  }
}

/** null: it was deleted since it was found. */
function openOrNull(path: string): number | null {
  try {
    return openSync(path, READ_FILE);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

function grown(buffer: Buffer, kept: number, wanted: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, kept + wanted));
  buffer.copy(larger, 0, 0, kept);
  return larger;
}

class LineCounter {
  #at = 0;
  #count = 0;
  constructor(private readonly block: Buffer) {}

  before(place: number): number {
    for (let lf = this.block.indexOf(LF, this.#at); lf !== -1 && lf < place; lf = this.block.indexOf(LF, lf + 1)) {
      this.#count++;
      this.#at = lf + 1;
    }
    return this.#count;
  }
}

/** Lines of a block that may answer the query, and the look at the parsed record that decides. */
class Matcher {
  readonly #text: Spellings | null;
  readonly #find: ReturnType<typeof finder> | null;
  readonly #name: RegExp | null;
  readonly #other: RegExp;
  /** Ids of the calls of the tool that was asked for. */
  readonly #ids = new Set<string>();

  constructor(private readonly query: RecordQuery) {
    this.#text = query.text === undefined ? null : spellings(query.text);
    this.#find = query.text === undefined ? null : finder(query.text);
    // Calls of the tool must be seen even where the text is only in their output.
    this.#name = query.tool === undefined ? null : /"tool_call(?:_output)?"/g;
    this.#other = /"(?:status|stop_reason|decision)"|"abort"/g;
  }

  *candidates(block: Buffer): Generator<{ from: number; to: number }> {
    for (let at = 0; at < block.length; ) {
      const source = block.toString("latin1", at, Math.min(block.length, at + SLICE + OVERLAP));
      const pattern = this.#pattern(source);
      pattern.lastIndex = 0;
      const match = pattern.exec(source);
      if (!match || match.index >= SLICE) {
        at += SLICE;
        continue;
      }
      const place = at + match.index;
      const from = place === 0 ? 0 : block.lastIndexOf(LF, place - 1) + 1;
      const found = block.indexOf(LF, place);
      const to = found === -1 ? block.length : found;
      yield { from, to };
      at = to + 1;
    }
  }

  #pattern(source: string): RegExp {
    if (this.#name) return this.#name;
    if (!this.#text) return this.#other;
    return this.#text.hint.test(source) ? this.#text.escaped : this.#text.literal;
  }

  hit(line: number, message: OmniMessage): RecordHit | null {
    const { query } = this;
    const payload: Record<string, unknown> = { ...message.payload };
    const type = message.type === "session_meta" ? message.type : String(payload.type ?? message.type);
    if (query.skipHeads && (type === "session_meta" || type === "tool_list_ready")) return null;
    if (!this.#ofTool(payload, type) || !this.#ended(payload, type)) return null;
    if (query.from !== undefined && message.timestamp < query.from) return null;
    if (query.to !== undefined && message.timestamp > query.to) return null;
    const snippet = this.#find ? firstMatch(payload, this.#find) : beginning(payload);
    const { role } = payload;
    return (
      snippet && { line, timestamp: message.timestamp, type, ...(typeof role === "string" ? { role } : {}), snippet }
    );
  }

  #ofTool(payload: Record<string, unknown>, type: string): boolean {
    if (this.query.tool === undefined) return true;
    const id = payload.tool_call_id;
    if (typeof id !== "string") return false;
    if (type === "tool_call" && payload.name === this.query.tool) {
      this.#ids.add(id);
      return true;
    }
    return type === "tool_call_output" && this.#ids.has(id);
  }

  #ended(payload: Record<string, unknown>, type: string): boolean {
    const { status } = this.query;
    if (status === undefined) return true;
    if (type === "abort") return status === "aborted";
    return [payload.status, payload.stop_reason, payload.decision].includes(status);
  }
}

type Snippet = RecordHit["snippet"];
const BEFORE = 60;
const AFTER = 140;
/** Members that say what a record is, not what it holds. */
const NAMES = new Set(["type", "role", "stop_reason", "event_type", "fidelity"]);

function* texts(value: unknown, depth = 0): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const item of value) yield* texts(item, depth + 1);
  else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value))
      if (depth > 0 || !NAMES.has(key)) yield* texts(member, depth + 1);
  }
}

function firstMatch(payload: Record<string, unknown>, find: ReturnType<typeof finder>): Snippet | null {
  for (const text of texts(payload)) {
    const at = find(text) ?? null;
    if (at) return cut(text, at);
  }
  // Arguments are JSON in a string: what a person reads there is its text.
  const inner = typeof payload.arguments === "string" ? parsedOrNull(payload.arguments) : null;
  for (const text of texts(inner, 1)) {
    const at = find(text);
    if (at) return cut(text, at);
  }
  return null;
}

function cut(text: string, { start, end }: { start: number; end: number }): Snippet {
  return {
    before: text.slice(Math.max(0, start - BEFORE), start),
    match: text.slice(start, Math.min(end, start + 400)),
    after: text.slice(end, end + AFTER),
  };
}

function beginning(payload: Record<string, unknown>): Snippet {
  const [first = ""] = texts(payload);
  return { before: "", match: "", after: first.slice(0, BEFORE + AFTER) };
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
