/**
 * The small facts of one Trace file, read from its two ends: meta and first prompt from the head, the newest
 * `session_info` and the time of the last activity from the tail. Of a file that grew only the new bytes are read.
 */
import { closeSync, openSync } from "node:fs";
import { readContextSummary, titleLine } from "../../lib/omni/blocks";
import { isEvent, isPayloadOf, isSessionMeta } from "../../lib/omni/guards";
import {
  type OmniMessage,
  type SessionInfoPayload,
  type SessionMetaPayload,
  sessionInfoPayload,
  sessionMetaPayload,
} from "../../lib/omni/message";
import { LineSplitter, MAX_RECORD_BYTES, type ParsedLine, parseLine } from "../../lib/trace/jsonl";
import { isFar, parseAny, parseFar } from "./far-parse";
import { type FileState, onlyGrew } from "./line-index";
import { Pace, pieces, READ_FILE, readInPlace, readSmall, SMALL_BYTES } from "./scan";

/** Read behind the first record when looking for the first prompt. Bytes. */
const HEAD_BYTES = 256 * 1024;
const FIRST_TAIL_BYTES = 64 * 1024;
const MAX_TAIL_BYTES = 1024 * 1024;
const MAX_INFO_BYTES = 1024 * 1024;
const MAX_TITLE_CHARS = 120;
const LF = 0x0a;
const INFO_MARK = Buffer.from('"session_info"');

export interface HeadFacts {
  /** Without `system_prompt` and `tools`. */
  meta: SessionMetaPayload | null;
  /** ISO time of the first record. */
  first_at: string | null;
  /** First line of the first prompt, markers stripped. */
  title: string | null;
}
export interface TailFacts {
  /** ISO time of the newest record that is activity. */
  active_at: string | null;
  /** Newest `session_info`, and the byte offset of its line. */
  info: { payload: SessionInfoPayload; start: number } | null;
}

/** ISO time of a record; null when its timestamp makes no sense. */
export function timeOf(message: OmniMessage): string | null {
  const at = new Date(message.timestamp);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** `session_meta`, `session_info`, `aux_usage` and `[context_summary]` are not activity. */
export function isActivity(message: OmniMessage): boolean {
  if (isSessionMeta(message)) return false;
  if (isEvent(message)) return message.payload.type !== "session_info" && message.payload.type !== "aux_usage";
  return !(isPayloadOf(message, "text") && message.payload.role === "user" && isSummary(message.payload.text));
}
const isSummary = (text: unknown) => typeof text === "string" && readContextSummary(text) !== null;

function smallMeta(message: OmniMessage): SessionMetaPayload | null {
  if (!isSessionMeta(message)) return null;
  const { system_prompt: _, tools: __, ...small } = message.payload;
  const parsed = sessionMetaPayload.safeParse(small);
  if (parsed.success) return parsed.data;
  return typeof small.session_id === "string" ? { session_id: small.session_id } : null;
}

function firstTitle(message: OmniMessage): string | null {
  if (!isPayloadOf(message, "text") || message.payload.role !== "user") return null;
  const { text, sender } = message.payload;
  // A subagent is called after what its parent asked of it.
  const asked = sender === undefined || sender === "user" || sender === "parent_agent";
  if (typeof text !== "string" || !asked || isSummary(text)) return null;
  return titleLine(text)?.slice(0, MAX_TITLE_CHARS) ?? null;
}

interface Head extends HeadFacts {
  /** More of the file tells nothing more. */
  final: boolean;
}

/** Takes what a record tells; answers whether all is told. */
function takeHead(facts: HeadFacts, parsed: ParsedLine): boolean {
  if (parsed && "message" in parsed) {
    facts.meta ??= smallMeta(parsed.message);
    facts.first_at ??= timeOf(parsed.message);
    facts.title ??= firstTitle(parsed.message);
  }
  return facts.meta !== null && facts.title !== null;
}

/** Facts of the head; the first record is read whole, however long it is. */
async function readHead(file: FileState): Promise<Head> {
  const facts: HeadFacts = { meta: null, first_at: null, title: null };
  const splitter = new LineSplitter();
  const pace = new Pace();
  let limit = Number.POSITIVE_INFINITY;
  let read = 0;
  for await (const piece of pieces(file.path, 0, file.bytes)) {
    read += piece.length;
    for (const raw of splitter.push(piece)) {
      const parsed = isFar(raw) ? await parseFar(raw) : parseLine(raw);
      if (takeHead(facts, parsed)) return { ...facts, final: true };
      if (parsed && limit === Number.POSITIVE_INFINITY) limit = raw.start + raw.length + HEAD_BYTES;
      if (pace.due) await pace.rest();
    }
    if (read > limit) return { ...facts, final: true };
  }
  return { ...facts, final: false };
}

/** The same of a small file that was read whole; an unterminated last line is left out. */
function headOf(whole: Buffer): Head {
  const facts: HeadFacts = { meta: null, first_at: null, title: null };
  let line = 1;
  for (let from = 0, to = whole.indexOf(LF); to !== -1; from = to + 1, to = whole.indexOf(LF, from), line++) {
    const start = line === 1 && whole[0] === 0xef ? 3 : from;
    const bytes = whole.subarray(start, to);
    if (takeHead(facts, parseLine({ line, bytes, start, length: bytes.length }))) return { ...facts, final: true };
  }
  return { ...facts, final: false };
}

/** A search from the end of a range towards its beginning. */
interface Backwards extends TailFacts {
  /** Where an unterminated last line begins, else the end of the file. */
  end: number;
}

/** May this line tell something that is still asked for? */
function asks(facts: Backwards, bytes: Buffer): boolean {
  return facts.active_at === null || isInfo(facts, bytes);
}
function isInfo(facts: Backwards, bytes: Buffer): boolean {
  return facts.info === null && bytes.length <= MAX_INFO_BYTES && bytes.includes(INFO_MARK);
}

function takeTail(facts: Backwards, bytes: Buffer, start: number, parsed: ParsedLine): void {
  if (!parsed || !("message" in parsed)) return;
  const { message } = parsed;
  if (isActivity(message)) facts.active_at ??= timeOf(message);
  else if (isEvent(message) && message.payload.type === "session_info" && isInfo(facts, bytes)) {
    const info = sessionInfoPayload.safeParse(message.payload);
    if (info.success) facts.info ??= { payload: info.data, start };
  }
}

/** Lines of a block from its end to its beginning, as long as one of them may still tell something. */
function* linesBack(facts: Backwards, block: Buffer): Generator<{ from: number; bytes: Buffer }> {
  const mayTell = facts.info === null && block.includes(INFO_MARK);
  for (let end = block.length; end > 0 && (facts.active_at === null || (mayTell && facts.info === null)); ) {
    const last = block[end - 1] === LF ? end - 1 : end;
    const from = last === 0 ? 0 : block.lastIndexOf(LF, last - 1) + 1;
    const bytes = block.subarray(from, last);
    if (last > from && asks(facts, bytes)) yield { from, bytes };
    end = from;
  }
}

async function lookAtLines(facts: Backwards, block: Buffer, start: number, pace: Pace): Promise<void> {
  for (const { from, bytes } of linesBack(facts, block)) {
    const at = start + from;
    takeTail(facts, bytes, at, await parseAny({ line: 0, bytes, start: at, length: bytes.length }));
    if (pace.due) await pace.rest();
  }
}

/** The facts of the tail of a small file that was read whole. */
function tailOf(whole: Buffer): Backwards {
  const facts: Backwards = { active_at: null, info: null, end: whole.lastIndexOf(LF) + 1 };
  for (const { from, bytes } of linesBack(facts, whole)) {
    takeTail(facts, bytes, from, parseLine({ line: 0, bytes, start: from, length: bytes.length }));
  }
  return facts;
}

/** A piece is valid until the next one is read. */
type Read = (from: number, to: number) => Buffer;

/** May an info be named in what these parts are together? Puts only the seams together, which is most of the work. */
function namesInfo(rest: Buffer, carry: readonly Buffer[]): boolean {
  return rest.includes(INFO_MARK) || Buffer.concat([rest.subarray(-INFO_MARK.length), ...carry]).includes(INFO_MARK);
}

/** Looks through whole lines from `to` down to `floor` (a line's beginning) until both facts are found. */
async function searchBack(read: Read, floor: number, to: number): Promise<Backwards> {
  const facts: Backwards = { active_at: null, info: null, end: to };
  const pace = new Pace();
  /** The end of a line whose beginning was not read yet; null: longer than any that may tell something. */
  let carry: Buffer[] | null = [];
  let carried = 0;
  for (let at = to, size = FIRST_TAIL_BYTES; at > floor && !(facts.active_at && facts.info); ) {
    const start = Math.max(floor, at - size);
    const piece = read(start, at);
    if (at === to && piece.at(-1) !== LF) facts.end = -1;
    const cut = start === floor ? 0 : piece.indexOf(LF) + 1;
    if (cut === 0 && start !== floor) {
      carried += piece.length;
      // Once the last activity is known only an info can tell more, and no info is so long.
      if (carried > (facts.active_at === null ? MAX_RECORD_BYTES : MAX_INFO_BYTES)) carry = null;
      else carry?.unshift(Buffer.from(piece));
      if (pace.due) await pace.rest();
    } else {
      const rest = piece.subarray(cut);
      // Nothing was found yet when the end is not known.
      if (facts.active_at === null || namesInfo(rest, carry ?? [])) {
        const block = carry && carried > 0 ? Buffer.concat([rest, ...carry]) : rest;
        if (facts.end === -1) facts.end = start + cut + block.lastIndexOf(LF) + 1;
        await lookAtLines(facts, block, start + cut, pace);
      } else if (pace.due) await pace.rest();
      carry = [Buffer.from(piece.subarray(0, cut))];
      carried = cut;
    }
    at = start;
    size = Math.min(size * 2, MAX_TAIL_BYTES);
  }
  if (facts.end === -1) facts.end = floor;
  return facts;
}

async function readTail({ path, bytes }: FileState, floor: number): Promise<Backwards> {
  if (bytes - floor <= SMALL_BYTES) return searchBack((from, to) => readSmall(path, from, to), floor, bytes);
  const fd = openSync(path, READ_FILE);
  // One piece of memory for the whole way: where memory is slow, a new one each time takes longer than the reading.
  const space = Buffer.allocUnsafe(Math.min(MAX_TAIL_BYTES, bytes - floor));
  try {
    return await searchBack((from, to) => readInPlace(fd, from, to, space), floor, bytes);
  } finally {
    closeSync(fd);
  }
}

/** Facts of one file as they were last read. */
export class FileFacts {
  #state: FileState | null = null;
  #head: Head | null = null;
  #headOf: FileState | null = null;
  #tail: Backwards | null = null;
  #reading: { bytes: number; ino: number; tail: Promise<TailFacts> } | null = null;

  async head(now: FileState): Promise<HeadFacts> {
    const same = this.#headOf && onlyGrew(this.#headOf, now);
    const valid = same && (this.#head?.final || this.#headOf?.bytes === now.bytes);
    if (this.#head && valid) {
      this.#headOf = now;
      return this.#head;
    }
    if (now.bytes <= SMALL_BYTES) return this.#readWhole(now);
    this.#head = await readHead(now);
    this.#headOf = now;
    return this.#head;
  }

  /** Of a long file read once for all who ask at the same time. */
  tail(now: FileState): Promise<TailFacts> {
    if (this.#reading?.bytes === now.bytes && this.#reading.ino === now.ino) return this.#reading.tail;
    const tail = this.#readTail(now).finally(() => {
      if (this.#reading?.tail === tail) this.#reading = null;
    });
    this.#reading = { bytes: now.bytes, ino: now.ino, tail };
    return tail;
  }

  async #readTail(now: FileState): Promise<TailFacts> {
    const old = this.#state && onlyGrew(this.#state, now) ? this.#tail : null;
    if (old && this.#state?.bytes === now.bytes) return old;
    const fresh = await readTail(now, old?.end ?? 0);
    this.#tail = old ? merged(fresh, old) : fresh;
    this.#state = now;
    return this.#tail;
  }

  /** Both ends at once: opening a small file takes longer than reading it. */
  #readWhole(now: FileState): HeadFacts {
    const whole = readSmall(now.path, 0, now.bytes, page);
    this.#head = headOf(whole);
    this.#headOf = now;
    // Shorter than it was a moment ago: what the tail says is left to its own look.
    if (whole.length === now.bytes) {
      this.#tail = tailOf(whole);
      this.#state = now;
    }
    return this.#head;
  }
}

/** Small files are read into it one after the other; nothing that is kept points into it. */
const page = Buffer.allocUnsafe(SMALL_BYTES);

function merged(fresh: Backwards, old: Backwards): Backwards {
  return { ...fresh, active_at: fresh.active_at ?? old.active_at, info: fresh.info ?? old.info };
}
