/**
 * What a line of a Trace is, told from the few bytes where that stands in the standard spelling:
 *
 *   {"timestamp":"2026-07-18T03:11:00.000Z","type":"event_msg","payload":{"type":"request_begin"}}
 *
 * Nothing here reads a line to its end, and nothing makes a string where bytes can be compared.
 */
import { type PriceStamp, priceStamp, type TokenCounts, type TokenUsagePayload } from "../../lib/omni/message";

const bytes = (text: string) => Buffer.from(text, "latin1");
const HEAD = bytes('{"timestamp":"');
const TYPE = bytes('","type":"');
const PAYLOAD = bytes('_msg","payload":{"type":"');
const TIME_AT = HEAD.length;
const TIME_LENGTH = 24;
const TYPE_AT = TIME_AT + TIME_LENGTH + TYPE.length;
const KIND_AT = TYPE_AT + "event".length + PAYLOAD.length;

/** The same beginning, spelt with spaces or with another kind of time. */
const LOOSE = /^\s*\{\s*"timestamp"\s*:\s*"[^"\\]*"\s*,\s*"type"\s*:\s*"(model_msg|event_msg|session_meta)"/;
const LOOSE_BYTES = 200;
/** A longer message of the conversation is not parsed for the author it may name. Bytes. */
const LONG = 16 * 1024;

/**
 * `talk` and `event` are in the standard spelling, `other` is a message of the conversation and `record` something else
 * in a looser one; null cannot be told without reading the whole line.
 */
export type LineKind = "talk" | "event" | "other" | "record" | null;

export function lineKind(buffer: Buffer, from: number, to: number): LineKind {
  if (to - from > KIND_AT && matches(buffer, from + TYPE_AT + 5, PAYLOAD) && matches(buffer, from, HEAD)) {
    const first = buffer[from + TYPE_AT];
    if (first === 0x6d) return "talk";
    if (first === 0x65 && matches(buffer, from + TIME_AT + TIME_LENGTH, TYPE)) return "event";
  }
  const loose = LOOSE.exec(buffer.toString("latin1", from, Math.min(to, from + LOOSE_BYTES)))?.[1];
  if (loose === undefined) return null;
  return loose === "model_msg" && to - from >= LONG ? "other" : "record";
}

function matches(buffer: Buffer, at: number, wanted: Buffer): boolean {
  for (let i = 0; i < wanted.length; i++) if (buffer[at + i] !== wanted[i]) return false;
  return true;
}

/** Without a closure: this is asked for every line. */
function matchesOne(buffer: Buffer, at: number, wanted: readonly Buffer[]): boolean {
  for (const one of wanted) if (matches(buffer, at, one)) return true;
  return false;
}

// ---- events in the standard spelling ------------------------------------------------------------------------------

const WANTED = [
  "request_begin",
  "request_end",
  "token_usage",
  "aux_usage",
  "approval_decision",
  "compaction_begin",
  "compaction_end",
  "subagent",
  "session_info",
].map((kind) => bytes(`${kind}"`));
const BEGIN = bytes('request_begin"}}');
const COMPLETED = bytes('request_end","status":"completed"}}');
const DECISION = bytes('approval_decision","decision":"');

/** Does the kind of this event matter for usage? */
export const isWanted = (buffer: Buffer, from: number): boolean => matchesOne(buffer, from + KIND_AT, WANTED);
/** The whole line and nothing else. */
export const isBegin = (buffer: Buffer, from: number, to: number): boolean =>
  to - from === KIND_AT + BEGIN.length && matches(buffer, from + KIND_AT, BEGIN);
export const isCompleted = (buffer: Buffer, from: number, to: number): boolean =>
  to - from === KIND_AT + COMPLETED.length && matches(buffer, from + KIND_AT, COMPLETED);

const SESSION = bytes('token_usage","session":');
const REQUEST = bytes(',"request":');
const PRICE = bytes(',"price":{');
const USER = bytes(',"user":"');
const CLOSE = bytes("}");
const END = bytes("}}");
const READ = bytes('{"cache_read":');
const WRITE = bytes(',"cache_write":');
const OUTPUT = bytes(',"output":');
const TOTAL = bytes(',"total":');
const CREATION = bytes(',"cache_creation":');

/** Reads on from a place, member by member; `failed` once something else stands there. One for all lines. */
class Cursor {
  failed = false;
  buffer: Buffer = Buffer.alloc(0);
  at = 0;
  to = 0;

  start(buffer: Buffer, at: number, to: number): this {
    this.failed = false;
    this.buffer = buffer;
    this.at = at;
    this.to = to;
    return this;
  }
  has(wanted: Buffer): boolean {
    if (this.failed || !matches(this.buffer, this.at, wanted)) return false;
    this.at += wanted.length;
    return true;
  }
  need(wanted: Buffer): void {
    if (!this.has(wanted)) this.failed = true;
  }
  /** A whole number of at most 15 digits, as JSON spells it. */
  number(): number {
    const { buffer, at: from } = this;
    let value = 0;
    let at = from;
    for (; at < this.to; at++) {
      const digit = (buffer[at] ?? 0) - 0x30;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    this.at = at;
    const length = at - from;
    if (length === 0 || length > 15 || (length > 1 && buffer[from] === 0x30)) this.failed = true;
    return value;
  }
  /** Goes behind the next such byte; answers where it stood. */
  until(byte: number): number {
    const found = this.failed ? -1 : this.buffer.indexOf(byte, this.at);
    if (found === -1 || found >= this.to) {
      this.failed = true;
      return this.at;
    }
    this.at = found + 1;
    return found;
  }
  tokens(): TokenCounts {
    const cache_read = this.#member(READ);
    const cache_write = this.#member(WRITE);
    const output = this.#member(OUTPUT);
    const total = this.#member(TOTAL);
    if (this.has(CLOSE)) return { cache_read, cache_write, output, total };
    const cache_creation = this.#member(CREATION);
    this.need(CLOSE);
    return { cache_read, cache_write, output, total, cache_creation };
  }
  /** The same, and nothing is made of it. */
  skipTokens(): void {
    this.#member(READ);
    this.#member(WRITE);
    this.#member(OUTPUT);
    this.#member(TOTAL);
    if (this.has(CLOSE)) return;
    this.#member(CREATION);
    this.need(CLOSE);
  }
  /** Goes behind the next quote; answers false where an escape would hide which one ends the text. */
  plainText(): boolean {
    const { buffer } = this;
    for (let at = this.at; at < this.to; at++) {
      if (buffer[at] === 0x5c) return false;
      if (buffer[at] !== 0x22) continue;
      this.at = at + 1;
      return true;
    }
    return false;
  }
  #member(name: Buffer): number {
    this.need(name);
    return this.failed ? 0 : this.number();
  }
  get isDone(): boolean {
    return !this.failed && this.at === this.to;
  }
}
const cursor = new Cursor();

/** A value that is spelt the same from line to line is made once. */
class Repeated<T> {
  #spelt: Buffer = Buffer.alloc(0);
  #value: T | null = null;
  constructor(private readonly make: (text: string) => T | null) {}

  of(buffer: Buffer, from: number, to: number): T | null {
    if (this.#spelt.length === to - from && this.#value !== null && matches(buffer, from, this.#spelt))
      return this.#value;
    this.#spelt = Buffer.from(buffer.subarray(from, to));
    this.#value = this.make(buffer.toString("latin1", from, to));
    return this.#value;
  }
}
const ID = /^[A-Za-z0-9_-]+$/;
const users = new Repeated((text) => (ID.test(text) ? text : null));
const prices = new Repeated((text): PriceStamp | null => {
  const parsed = priceStamp.safeParse(parsedOrNull(`{${text}}`));
  return parsed.success ? parsed.data : null;
});

export type PlainUsage = Pick<TokenUsagePayload, "type" | "request" | "price" | "user">;

/** A `token_usage` as this program writes it; null: it has to be parsed. */
export function plainUsage(buffer: Buffer, from: number, to: number): PlainUsage | null {
  cursor.start(buffer, from + KIND_AT, to);
  if (!cursor.has(SESSION)) return null;
  cursor.skipTokens();
  cursor.need(REQUEST);
  const usage: PlainUsage = { type: "token_usage", request: cursor.tokens() };
  if (cursor.has(PRICE)) usage.price = prices.of(buffer, cursor.at, cursor.until(0x7d)) ?? notPlain();
  if (cursor.has(USER)) usage.user = users.of(buffer, cursor.at, cursor.until(0x22)) ?? notPlain();
  cursor.need(END);
  return cursor.isDone ? usage : null;
}
function notPlain(): undefined {
  cursor.failed = true;
}

/** How long a decision says that it was waited for; undefined: it does not say; null: it has to be parsed. */
export function plainDecision(buffer: Buffer, from: number, to: number): number | undefined | null {
  cursor.start(buffer, from + KIND_AT, to);
  if (!cursor.has(DECISION)) return null;
  if (!cursor.has(ALLOW) && !cursor.has(DENY) && !cursor.has(FORBIDDEN)) return null;
  cursor.need(CALL_ID);
  if (!cursor.plainText() || (cursor.has(BY) && !cursor.plainText())) return null;
  const waited = cursor.has(WAITED) ? cursor.number() : undefined;
  cursor.need(END);
  return cursor.isDone ? waited : null;
}
const [ALLOW, DENY, FORBIDDEN] = [bytes('allow","'), bytes('deny","'), bytes('forbidden","')];
const CALL_ID = bytes('tool_call_id":"');
const BY = bytes(',"by":"');
const WAITED = bytes(',"waited_ms":');

export function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// ---- the conversation in the standard spelling --------------------------------------------------------------------

const TEXT_ROLE = bytes('text","role":"user"');
const IMAGE_ROLES = [bytes('image_url","role":"user"'), bytes('inline_data","role":"user"')];
const CALL = bytes('tool_call"');

export const isCall = (buffer: Buffer, from: number): boolean => matches(buffer, from + KIND_AT, CALL);
export const isUsers = (buffer: Buffer, from: number): boolean =>
  matches(buffer, from + KIND_AT, TEXT_ROLE) || matchesOne(buffer, from + KIND_AT, IMAGE_ROLES);

/** Enough of the end of a prompt to hold `"author":"ann"}}`. Bytes. */
export const TAIL = 256;
const AUTHOR = bytes('"author":"');
const NAME = /^"author":"([A-Za-z0-9_-]{1,128})"/;

/** Who wrote a prompt, from its last bytes; null: nobody is named. A quote inside a text is escaped: this is a member. */
export function authorIn(tail: Buffer): string | null {
  const at = tail.lastIndexOf(AUTHOR);
  return at === -1 ? null : (NAME.exec(tail.toString("latin1", at))?.[1] ?? null);
}

/** Of a line that cannot be told from its beginning: may it matter? */
const MARKS = ['"event_msg"', '"session_meta"', '"author"'].map(bytes);
export function mayMatter(line: Buffer): boolean {
  return MARKS.some((mark) => line.includes(mark));
}

// ---- time ---------------------------------------------------------------------------------------------------------

/** Minutes repeat from line to line: how the last one was spelt, and when it began. */
const minute = Buffer.alloc("2026-07-18T03:11:".length);
let minuteStart = Number.NaN;
function digit(buffer: Buffer, at: number): number {
  return (buffer[at] ?? 0) - 0x30;
}

/** The time of a line in the standard spelling. ms since 1970; NaN: it cannot be read. */
export function timeOf(buffer: Buffer, from: number): number {
  const at = from + TIME_AT;
  if (!matches(buffer, at, minute)) {
    buffer.copy(minute, 0, at, at + minute.length);
    minuteStart = Date.parse(`${minute.toString("latin1")}00.000Z`);
  }
  const second = digit(buffer, at + 17) * 10 + digit(buffer, at + 18);
  const ms = digit(buffer, at + 20) * 100 + digit(buffer, at + 21) * 10 + digit(buffer, at + 22);
  const usual =
    second >= 0 && second < 60 && ms >= 0 && ms < 1000 && buffer[at + 19] === 0x2e && buffer[at + 23] === 0x5a;
  if (usual && !Number.isNaN(minuteStart)) return minuteStart + second * 1000 + ms;
  return Date.parse(buffer.toString("latin1", at, at + TIME_LENGTH));
}
