/**
 * The small facts of one Trace file, read from its two ends: meta and first prompt from the head, the newest
 * `session_info` and the time of the last activity from the tail. Of a file that grew only the new bytes are read.
 */
import { open } from "node:fs/promises";
import { readContextSummary, titleText } from "../../lib/omni/blocks";
import { isEvent, isPayloadOf, isSessionMeta } from "../../lib/omni/guards";
import {
  type OmniMessage,
  type SessionInfoPayload,
  type SessionMetaPayload,
  sessionInfoPayload,
  sessionMetaPayload,
} from "../../lib/omni/message";
import { LineSplitter, MAX_RECORD_BYTES, parseLine } from "../../lib/trace/jsonl";
import { isFar, parseAny, parseFar } from "./far-parse";
import { type FileState, onlyGrew } from "./line-index";
import { Pace, pieces, readAt, readSmall, SMALL_BYTES } from "./scan";

/** Read behind the first record when looking for the first prompt. Bytes. */
const HEAD_BYTES = 256 * 1024;
const FIRST_TAIL_BYTES = 64 * 1024;
const MAX_TAIL_BYTES = 1024 * 1024;
const MAX_INFO_BYTES = 1024 * 1024;
const MAX_TITLE_CHARS = 120;
/** As much of a first prompt as is looked at for a title. */
const MAX_PROMPT_CHARS = 20_000;
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
  if (typeof text !== "string" || (sender !== undefined && sender !== "user") || isSummary(text)) return null;
  const lines = titleText(text.slice(0, MAX_PROMPT_CHARS)).split("\n");
  return (
    lines
      .find((line) => line.trim() !== "")
      ?.trim()
      .slice(0, MAX_TITLE_CHARS) ?? null
  );
}

/** Facts of the head; the first record is read whole, however long it is. */
export async function readHead(file: FileState, whole?: Buffer): Promise<HeadFacts & { final: boolean }> {
  const facts: HeadFacts = { meta: null, first_at: null, title: null };
  const splitter = new LineSplitter();
  const pace = new Pace();
  let limit = Number.POSITIVE_INFINITY;
  let read = 0;
  for await (const piece of whole ? [whole] : pieces(file.path, 0, file.bytes)) {
    read += piece.length;
    for (const raw of splitter.push(piece)) {
      const parsed = isFar(raw) ? await parseFar(raw) : parseLine(raw);
      if (parsed && "message" in parsed) {
        facts.meta ??= smallMeta(parsed.message);
        facts.first_at ??= timeOf(parsed.message);
        facts.title ??= firstTitle(parsed.message);
      }
      if (parsed && limit === Number.POSITIVE_INFINITY) limit = raw.start + raw.length + HEAD_BYTES;
      if (facts.meta && facts.title) return { ...facts, final: true };
      if (pace.due) await pace.rest();
    }
    if (read > limit) return { ...facts, final: true };
  }
  return { ...facts, final: false };
}

/** A search from the end of a range towards its beginning. */
interface Backwards extends TailFacts {
  /** Where an unterminated last line begins, else the end of the file. */
  end: number;
}

async function look(facts: Backwards, bytes: Buffer, start: number): Promise<void> {
  const isInfo = facts.info === null && bytes.length <= MAX_INFO_BYTES && bytes.includes(INFO_MARK);
  if (facts.active_at !== null && !isInfo) return;
  const parsed = await parseAny({ line: 0, bytes, start, length: bytes.length });
  if (!parsed || !("message" in parsed)) return;
  const { message } = parsed;
  if (isActivity(message)) facts.active_at ??= timeOf(message);
  else if (isInfo && isEvent(message) && message.payload.type === "session_info") {
    const info = sessionInfoPayload.safeParse(message.payload);
    if (info.success) facts.info ??= { payload: info.data, start };
  }
}

async function lookAtLines(facts: Backwards, block: Buffer, start: number, pace: Pace): Promise<void> {
  const mayTell = facts.info === null && block.includes(INFO_MARK);
  for (let end = block.length; end > 0 && (facts.active_at === null || (mayTell && facts.info === null)); ) {
    const last = block[end - 1] === LF ? end - 1 : end;
    const from = last === 0 ? 0 : block.lastIndexOf(LF, last - 1) + 1;
    if (last > from) await look(facts, block.subarray(from, last), start + from);
    end = from;
    if (pace.due) await pace.rest();
  }
}

type Read = (from: number, to: number) => Buffer | Promise<Buffer>;

/** Looks through whole lines from `to` down to `floor` (a line's beginning) until both facts are found. */
async function searchBack(read: Read, floor: number, to: number): Promise<Backwards> {
  const facts: Backwards = { active_at: null, info: null, end: to };
  const pace = new Pace();
  /** The end of a line whose beginning was not read yet; null: longer than any record may be. */
  let carry: Buffer[] | null = [];
  let carried = 0;
  for (let at = to, size = FIRST_TAIL_BYTES; at > floor && !(facts.active_at && facts.info); ) {
    const start = Math.max(floor, at - size);
    const piece = await read(start, at);
    if (at === to && piece.at(-1) !== LF) facts.end = -1;
    const cut = start === floor ? 0 : piece.indexOf(LF) + 1;
    if (cut === 0 && start !== floor) {
      carry?.unshift(piece);
      carried += piece.length;
      if (carried > MAX_RECORD_BYTES) carry = null;
    } else {
      const rest = piece.subarray(cut);
      const block = carry && carried > 0 ? Buffer.concat([rest, ...carry]) : rest;
      if (facts.end === -1) facts.end = start + cut + block.lastIndexOf(LF) + 1;
      await lookAtLines(facts, block, start + cut, pace);
      carry = [piece.subarray(0, cut)];
      carried = cut;
    }
    at = start;
    size = Math.min(size * 2, MAX_TAIL_BYTES);
  }
  if (facts.end === -1) facts.end = floor;
  return facts;
}

async function readTail({ path, bytes }: FileState, floor: number, whole: Buffer | null): Promise<Backwards> {
  if (whole?.length === bytes) return searchBack((from, to) => whole.subarray(from, to), floor, bytes);
  if (bytes - floor <= SMALL_BYTES) return searchBack((from, to) => readSmall(path, from, to), floor, bytes);
  const handle = await open(path, "r");
  try {
    return await searchBack((from, to) => readAt(handle, from, to), floor, bytes);
  } finally {
    await handle.close();
  }
}

/** Facts of one file as they were last read. */
export class FileFacts {
  #state: FileState | null = null;
  #head: (HeadFacts & { final: boolean }) | null = null;
  #headOf: FileState | null = null;
  #tail: Backwards | null = null;
  /** A small file as the head was read from it, for the tail that is asked for next. */
  #whole: Buffer | null = null;

  async head(now: FileState): Promise<HeadFacts> {
    const same = this.#headOf && onlyGrew(this.#headOf, now);
    const valid = same && (this.#head?.final || this.#headOf?.bytes === now.bytes);
    if (!this.#head || !valid) {
      this.#whole = now.bytes <= SMALL_BYTES ? readSmall(now.path, 0, now.bytes) : null;
      this.#head = await readHead(now, this.#whole ?? undefined);
    }
    this.#headOf = now;
    return this.#head;
  }

  async tail(now: FileState): Promise<TailFacts> {
    const old = this.#state && onlyGrew(this.#state, now) ? this.#tail : null;
    if (old && this.#state?.bytes === now.bytes) return old;
    const whole = this.#whole;
    this.#whole = null;
    const fresh = await readTail(now, old?.end ?? 0, whole);
    this.#tail = old ? merged(fresh, old) : fresh;
    this.#state = now;
    return this.#tail;
  }
}

function merged(fresh: Backwards, old: Backwards): Backwards {
  return { ...fresh, active_at: fresh.active_at ?? old.active_at, info: fresh.info ?? old.info };
}
