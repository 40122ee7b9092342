/**
 * The Trace of one Session as it grows (TR1-TR8). Small records are written synchronously to an open descriptor, large
 * ones in the thread pool; whatever is submitted while a large one is on its way queues behind it, so the order of the
 * file is the order of the calls. Owns order and rotation; `trace-file.ts` owns the single write.
 */
import { isEvent, isModelMessage, isRecordable } from "../../lib/omni/guards";
import type { OmniMessage, RecordAddress } from "../../lib/omni/message";
import { encodeRecord } from "../../lib/trace/jsonl";
import { dateFolder } from "../../lib/trace/name";
import type { AgentRef, Layout } from "../paths";
import { type Batch, nodeIo, TraceFile, type TraceIo } from "./trace-file";

/** Above this many bytes a call is written in the thread pool. */
export const LARGE_WRITE_BYTES = 256 * 1024;

const COMMIT_EVENTS = new Set<string>(["approval_decision", "request_end", "compaction_end"]);
const INPUT_TYPES = new Set<string>(["text", "image_url", "inline_data"]);

/** TR8: prompts, approvals and the ends of Requests and compactions are on the disk before anything builds on them. */
export function isCommitPoint(message: OmniMessage): boolean {
  if (isEvent(message)) return COMMIT_EVENTS.has(message.payload.type);
  if (!isModelMessage(message) || !INPUT_TYPES.has(message.payload.type)) return false;
  return message.payload.role === "user";
}

function encode(messages: OmniMessage[]): Batch {
  const batch: Batch = { text: "", bytes: 0, ends: [], commit: false };
  for (const message of messages) {
    if (!isRecordable(message)) continue;
    const line = encodeRecord(message);
    batch.text += line;
    batch.bytes += Buffer.byteLength(line);
    batch.ends.push(batch.bytes);
    batch.commit ||= isCommitPoint(message);
  }
  return batch;
}

interface Submission {
  file: TraceFile;
  batch: Batch;
  resolve(records: RecordAddress[]): void;
  reject(error: unknown): void;
}

export class TraceWriter {
  #file: TraceFile;
  /** Calls that wait for a large write before them. */
  readonly #queue: Submission[] = [];
  #pumping = false;

  private constructor(
    private readonly place: { layout: Layout; ref: AgentRef; session: string; date: string; io: TraceIo },
    start: { index: number; lines: number; exists: boolean },
  ) {
    this.#file = this.#at(start.index, start.lines, start.exists);
  }

  /** A Session without a Trace: nothing is on disk until the first append. `at` decides the local date folder. */
  static create(layout: Layout, ref: AgentRef, session: string, at: Date, io: TraceIo = nodeIo): TraceWriter {
    return new TraceWriter({ layout, ref, session, date: dateFolder(at), io }, { index: 1, lines: 0, exists: false });
  }

  /** Goes on in an existing file. `tail` counts its physical lines, a torn last one included. */
  static resume(
    layout: Layout,
    ref: AgentRef,
    session: string,
    at: { date: string; index: number },
    tail: { lines: number; ends_with_newline: boolean },
    io: TraceIo = nodeIo,
  ): TraceWriter {
    const place = { layout, ref, session, date: at.date, io };
    return new TraceWriter(place, { index: at.index, lines: tail.lines, exists: true });
  }

  #at(index: number, lines: number, exists: boolean): TraceFile {
    const { layout, ref, session, date, io } = this.place;
    return new TraceFile(layout.traceFile(ref, date, session, index), index, lines, exists, io);
  }

  /** Index of the file that the next append goes to. */
  get fileIndex(): number {
    return this.#file.index;
  }
  get path(): string {
    return this.#file.path;
  }
  /** False until the first append to this file: whoever appends next must write its head. */
  get exists(): boolean {
    return this.#file.exists;
  }

  /**
   * Appends the recordable ones of `messages` (TR2) in one write and answers their addresses; behind a commit point
   * (TR8) only when they are on the disk. Calls are serialised. Rejects with TraceWriteError and stays usable.
   */
  append(messages: OmniMessage[]): Promise<RecordAddress[]> {
    const batch = encode(messages);
    if (batch.ends.length === 0) return Promise.resolve([]);
    const file = this.#file;
    if (!this.#pumping && batch.bytes <= LARGE_WRITE_BYTES) {
      try {
        const records = file.writeNow(batch);
        return batch.commit ? file.sync(records).then(() => records) : Promise.resolve(records);
      } catch (error) {
        return Promise.reject(error);
      }
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ file, batch, resolve, reject });
      if (!this.#pumping) void this.#pump();
    });
  }

  async #pump(): Promise<void> {
    this.#pumping = true;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      const { file, batch, resolve, reject } = next;
      try {
        const records = batch.bytes > LARGE_WRITE_BYTES ? await file.writeLater(batch) : file.writeNow(batch);
        if (batch.commit) file.sync(records).then(() => resolve(records), reject);
        else resolve(records);
      } catch (error) {
        reject(error);
      }
      if (file === this.#file || this.#awaits(file)) file.settle();
      else file.release();
    }
    this.#pumping = false;
  }

  /**
   * The same, synchronously and synced, for the handler of a signal: a large write on its way is waited for, waiting
   * calls are written first. Throws TraceWriteError.
   */
  appendNow(messages: OmniMessage[]): RecordAddress[] {
    this.#file.takeOver();
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      next.file.takeOver();
      try {
        next.resolve(next.file.writeNow(next.batch));
      } catch (error) {
        next.reject(error);
      }
    }
    const batch = encode(messages);
    const records = batch.ends.length > 0 ? this.#file.writeNow(batch) : [];
    this.#file.syncNow(records);
    return records;
  }

  /** TR7: the next append goes to the next index in the same date folder. Nothing is written by this call. */
  rotate(): void {
    const old = this.#file;
    if (!old.exists && !this.#awaits(old)) return;
    this.#file = this.#at(old.index + 1, 0, false);
    if (!this.#pumping) old.release();
  }

  #awaits(file: TraceFile): boolean {
    return this.#queue.some((waiting) => waiting.file === file);
  }

  /** Releases the descriptor once nothing needs it; an append after that opens the file again. */
  close(): void {
    this.#file.release();
  }
}
