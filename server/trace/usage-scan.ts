/**
 * The usage of one Trace file. Its bytes are read once and in order; of each line only the place where its kind stands
 * is looked at, and only records that matter for usage are parsed. Of a file that grew only the new bytes are read.
 * In memory only; never holds up the event loop.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { isOmniMessage, isOwn, isSessionMeta } from "../../lib/omni/guards";
import { type OmniMessage, sessionMetaPayload } from "../../lib/omni/message";
import { readable } from "../../lib/omni/readable";
import { MAX_RECORD_BYTES, parseLine } from "../../lib/trace/jsonl";
import { type CountedRequest, type Spot, UsageFold } from "../../lib/trace/usage-fold";
import { isFar, parseFar } from "./far-parse";
import { type FileState, onlyGrew } from "./line-index";
import { Pace } from "./scan";
import {
  authorIn,
  isBegin,
  isCall,
  isCompleted,
  isUsers,
  isWanted,
  lineKind,
  mayMatter,
  parsedOrNull,
  plainDecision,
  plainUsage,
  TAIL,
  timeOf,
} from "./usage-line";

const LF = 0x0a;
const CR = 0x0d;
const PIECE = 256 * 1024;
/** Of a longer line of the conversation only its two ends are kept. Bytes. */
const LONG = 16 * 1024;
/** Longer events are parsed with more care. Bytes. */
const QUICK = 2048;

type Passing = "talk" | "other";

export interface FileUsage {
  meta: UsageFold["meta"];
  requests: readonly CountedRequest[];
  infos: UsageFold["infos"];
}

/** A buffer that no reading uses at present. */
let spare: Buffer | null = null;

export class UsageFile {
  #fold = new UsageFold();
  #state: FileState | null = null;
  /** Where the first line begins that is not folded for good, and its number. */
  #rest = 0;
  #line = 1;
  #undo: (() => void) | null = null;
  #running: Promise<unknown> = Promise.resolve();

  /** The file as it is now. */
  of(now: FileState): Promise<FileUsage> {
    const result = this.#running.then(() => this.#update(now));
    this.#running = result.catch(() => {});
    return result;
  }

  /** What was read last, if the file has not changed since; null: it has to be read. */
  known(now: FileState): FileUsage | null {
    const old = this.#state;
    return old && old.bytes === now.bytes && onlyGrew(old, now) ? this.#fold : null;
  }

  async #update(now: FileState): Promise<FileUsage> {
    const known = this.known(now);
    if (known) return known;
    if (!this.#state || !onlyGrew(this.#state, now)) this.#forget();
    this.#undo?.();
    this.#undo = null;
    const fold = this.#fold;
    const scan = new Scan(fold, this.#rest, this.#line);
    try {
      await scan.read(now);
    } catch (error) {
      // What was folded of it before it could not be read any more would count twice.
      this.#forget();
      throw error;
    }
    [this.#rest, this.#line] = [scan.rest, scan.line];
    this.#undo = scan.undo;
    this.#state = now;
    return fold;
  }

  #forget(): void {
    this.#fold = new UsageFold();
    this.#state = null;
    [this.#rest, this.#line, this.#undo] = [0, 1, null];
  }
}

/** One reading of the bytes from `rest` to the end of a file. */
class Scan {
  undo: (() => void) | null = null;
  readonly #pace = new Pace();
  /** Place of the line at hand. */
  readonly #spot: Spot = { line: 0, start: 0, length: 0 };
  #buffer: Buffer = Buffer.alloc(0);
  /** The line that is passed over, once it was seen that nothing in it matters; its last bytes. */
  #passing: { kind: Passing; length: number; tail: Buffer } | null = null;

  constructor(
    private readonly fold: UsageFold,
    public rest: number,
    public line: number,
  ) {}

  async read(now: FileState): Promise<void> {
    const from = this.rest;
    const fd = openSync(now.path, "r");
    this.#buffer = spare ?? Buffer.allocUnsafe(PIECE + LONG);
    spare = null;
    try {
      let carried = 0;
      for (let at = from; at < now.bytes; ) {
        const wanted = Math.min(PIECE, now.bytes - at);
        if (this.#buffer.length - carried < wanted) this.#grow(carried, wanted);
        const read = readSync(fd, this.#buffer, carried, wanted, at);
        if (read === 0) break;
        at += read;
        carried = await this.#lines(carried, carried + read);
        if (this.#pace.due) await this.#pace.rest();
      }
      await this.#unterminated(carried);
    } finally {
      closeSync(fd);
      if (this.#buffer.length === PIECE + LONG) spare = this.#buffer;
    }
  }

  #grow(kept: number, wanted: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, kept + wanted));
    this.#buffer.copy(larger, 0, 0, kept);
    this.#buffer = larger;
  }

  /** Folds the lines that end in the buffer; answers how much of it is the beginning of the next one. */
  async #lines(from: number, filled: number): Promise<number> {
    const buffer = this.#buffer;
    let start = 0;
    for (let lf = buffer.indexOf(LF, from); lf !== -1 && lf < filled; lf = buffer.indexOf(LF, start)) {
      if (this.#passing) this.#passed(buffer.subarray(start, lf));
      else {
        const far = this.#take(buffer, start, lf);
        if (far) await far;
      }
      start = lf + 1;
      this.line += 1;
      if (this.line % 64 === 0 && this.#pace.due) await this.#pace.rest();
    }
    const left = filled - start;
    if (this.#passing || this.#mayPass(buffer, start, left)) {
      this.#pass(buffer.subarray(start, filled));
      return 0;
    }
    if (start > 0) buffer.copyWithin(0, start, filled);
    return left;
  }

  #mayPass(buffer: Buffer, start: number, length: number): boolean {
    if (length < LONG) return false;
    const kind = length > MAX_RECORD_BYTES ? "other" : lineKind(buffer, start, start + length);
    if (kind !== "talk" && kind !== "other") return false;
    const prompt = kind === "talk" && isUsers(buffer, start);
    this.#passing = { kind: prompt ? "talk" : "other", length: 0, tail: EMPTY };
    return true;
  }

  #pass(bytes: Buffer): void {
    const passing = this.#passing;
    if (!passing) return;
    passing.length += bytes.length;
    if (passing.kind === "talk") passing.tail = Buffer.concat([passing.tail, bytes.subarray(-TAIL)]).subarray(-TAIL);
  }

  #passed(bytes: Buffer): void {
    this.#pass(bytes);
    const passing = this.#passing;
    if (!passing) return;
    if (passing.length <= MAX_RECORD_BYTES) {
      this.fold.fed(passing.length);
      if (passing.kind === "talk") this.#author(passing.tail);
    }
    this.rest += passing.length + 1;
    this.#passing = null;
  }

  /** A last line without its line feed may be whole. What it says counts until the file grows. */
  async #unterminated(length: number): Promise<void> {
    if (this.#passing || length === 0) return;
    const [rest, line] = [this.rest, this.line];
    this.undo = this.fold.mark();
    await this.#take(this.#buffer, 0, length);
    [this.rest, this.line] = [rest, line];
  }

  /** One whole line, buffer[from, to). A promise only where it had to be parsed elsewhere. */
  #take(buffer: Buffer, from: number, to: number): Promise<void> | undefined {
    const start = this.rest;
    this.rest += to - from + 1;
    if (to > from && buffer[to - 1] === CR) to -= 1;
    if (start === 0 && buffer[from] === 0xef && buffer[from + 1] === 0xbb && buffer[from + 2] === 0xbf) from += 3;
    const length = to - from;
    if (length === 0) return undefined;
    const kind = lineKind(buffer, from, to);
    if (kind === "talk") {
      this.fold.fed(length);
      this.#talk(buffer, from, to);
      return undefined;
    }
    const spot = this.#spot;
    spot.line = this.line;
    spot.start = start;
    spot.length = length;
    if (kind === "event") {
      if (isBegin(buffer, from, to)) this.fold.begin(timeOf(buffer, from), spot);
      else if (isCompleted(buffer, from, to)) this.fold.end(timeOf(buffer, from), spot, { status: "completed" });
      else if (isWanted(buffer, from) && !this.#quick(buffer, from, to, spot)) {
        return this.#parse(buffer, from, to, spot);
      }
    } else if (kind === "record" || (kind === null && mayMatter(buffer.subarray(from, to)))) {
      return this.#parse(buffer, from, to, spot);
    } else this.fold.fed(length);
    return undefined;
  }

  /** Short events, which are most of what is parsed. false: not taken. */
  #quick(buffer: Buffer, from: number, to: number, spot: Spot): boolean {
    if (spot.length > QUICK) return false;
    const usage = plainUsage(buffer, from, to);
    if (usage) this.fold.usage(usage, timeOf(buffer, from), spot);
    if (usage) return true;
    const waited = plainDecision(buffer, from, to);
    if (waited !== null) this.fold.decided(waited, timeOf(buffer, from));
    if (waited !== null) return true;
    const text = buffer.toString("utf8", from, to);
    if (text.includes("\ufffd")) return false;
    const value = parsedOrNull(text);
    if (!isOmniMessage(value)) return false;
    this.#record(value, spot);
    return true;
  }

  /** What is said: who wrote it, and when a tool was called. */
  #talk(buffer: Buffer, from: number, to: number): void {
    if (isUsers(buffer, from)) this.#author(buffer.subarray(Math.max(from, to - TAIL), to));
    else if (isCall(buffer, from)) this.fold.call(timeOf(buffer, from));
  }

  #author(tail: Buffer): void {
    const author = authorIn(tail);
    if (author !== null) this.fold.author(author);
  }

  #parse(buffer: Buffer, from: number, to: number, spot: Spot): Promise<void> | undefined {
    const raw = { ...spot, bytes: buffer.subarray(from, to) };
    if (isFar(raw)) {
      return parseFar(raw).then((parsed) => {
        if (parsed && "message" in parsed) this.#record(parsed.message, raw);
      });
    }
    const parsed = parseLine(raw);
    if (parsed && "message" in parsed) this.#record(parsed.message, spot);
    return undefined;
  }

  #record(given: OmniMessage, spot: Spot): void {
    if (!isOwn(given)) return;
    if (isSessionMeta(given)) {
      this.fold.fed(spot.length);
      const { system_prompt: _, tools: __, ...small } = given.payload;
      const meta = sessionMetaPayload.safeParse(small);
      const id = small.session_id;
      if (meta.success) this.fold.meta ??= meta.data;
      else if (typeof id === "string") this.fold.meta ??= { session_id: id };
      return;
    }
    const message = readable(given);
    if (message?.type === "event_msg") this.fold.event(message.payload, Date.parse(message.timestamp), spot);
    else if (message?.type === "model_msg") {
      this.fold.fed(spot.length);
      const { payload } = message;
      if ("author" in payload && typeof payload.author === "string") this.fold.author(payload.author);
      else if (payload.type === "tool_call") this.fold.call(Date.parse(message.timestamp));
    }
  }
}

const EMPTY = Buffer.alloc(0);
