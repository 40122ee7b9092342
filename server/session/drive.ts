/** Per message: write, remember, publish. A message is seen by nobody before it is on disk (EN1). */
import { elide } from "../../lib/api/elide";
import type { SessionRef } from "../../lib/api/routes";
import { sessionMeta } from "../../lib/omni/build";
import { isRecordable } from "../../lib/omni/guards";
import type { AddressedMessage, OmniMessage, RecordAddress, SessionMetaPayload } from "../../lib/omni/message";
import { closureOf } from "../../lib/trace/closure";
import type { TaskOutcome } from "../engine/task";
import { TraceWriteError } from "../trace/trace-file";
import type { TraceWriter } from "../trace/writer";
import type { SessionChannel } from "./channel";
import type { SessionLog } from "./log";

export interface RecorderHost {
  writer: TraceWriter;
  log: SessionLog;
  channel: SessionChannel;
  /** Called for each own record once it is on disk and published. */
  recorded(message: OmniMessage): void;
  /** The settings in force. */
  info(): OmniMessage;
  /** What the file after a completed compaction begins with. */
  contextHead(summary: string | null): OmniMessage[];
}

/** Lists read the tail of a file only: settings further back are written again before they lie out of reach. */
const INFO_EVERY_CHARS = 32 * 1024;

/** The server stops: nothing is written any more. */
export class RecorderClosed extends Error {}

/** All writes of one Session, one after the other, so that memory and stream keep the order of the file. */
export class Recorder {
  #chain: Promise<unknown> = Promise.resolve();
  /** What the next write puts first: a new file's head, or what a cut-off one lacks. */
  #head: OmniMessage[];
  /** Given to the writer, not yet remembered. */
  #inFlight: OmniMessage[] = [];
  #rotateFirst: boolean;
  #closed = false;
  /** Characters (about) since the last session_info record. */
  #sinceInfo = 0;

  constructor(
    private readonly host: RecorderHost,
    start: { head: OmniMessage[]; rotateFirst: boolean },
  ) {
    this.#head = start.head;
    this.#rotateFirst = start.rotateFirst;
    this.#sinceInfo = charactersSinceInfo(host.log.records);
  }

  /** Does the last session_info lie too far back? */
  get infoDue(): boolean {
    return this.#sinceInfo > INFO_EVERY_CHARS;
  }
  /** TR7: nothing is appended to this file any more; the next write opens another. */
  get closed(): boolean {
    return this.#rotateFirst;
  }
  /** Did the current context take the place of another? */
  get compacted(): boolean {
    return this.#rotateFirst || this.host.writer.fileIndex > 1;
  }

  /** What the first write of a new Session puts first. */
  setHead(meta: SessionMetaPayload, info: OmniMessage): void {
    this.#head = [sessionMeta(meta), info];
  }

  /** Appends records. Rejects with TraceWriteError when the disk refuses, and stays usable. */
  append(messages: OmniMessage[]): Promise<void> {
    const done = this.#chain.then(() => this.#write(messages));
    this.#chain = done.catch(() => {});
    return done;
  }

  /** Resolves when nothing is being written; in that step nothing is. */
  async idle(): Promise<void> {
    for (let seen: unknown = null; seen !== this.#chain; ) {
      seen = this.#chain;
      await seen;
    }
  }

  async #write(messages: OmniMessage[]): Promise<void> {
    if (this.#closed) throw new RecorderClosed();
    const { writer, log } = this.host;
    if (this.#rotateFirst) {
      writer.rotate();
      log.startContext();
      this.#rotateFirst = false;
    }
    const all = [...this.#headFor(messages[0]), ...messages];
    this.#inFlight = all;
    let addresses: RecordAddress[];
    try {
      addresses = await writer.append(all);
    } catch (error) {
      // Part of it may be in the file all the same.
      if (error instanceof TraceWriteError && !this.#closed) this.#remember(all, error.written);
      throw error;
    }
    if (!this.#closed) this.#remember(all, addresses);
  }

  #headFor(first: OmniMessage | undefined): OmniMessage[] {
    const type = first?.payload.type;
    // A change of settings that opens a file is that file's session_info.
    if (type === "session_info") return this.#head.filter(notInfo);
    return type === "compaction_begin" && this.infoDue ? [...this.#head, this.host.info()] : this.#head;
  }

  #remember(messages: OmniMessage[], addresses: RecordAddress[]): void {
    this.#inFlight = [];
    addresses.forEach((address, i) => {
      const message = messages[i];
      if (!message) return;
      this.host.log.add({ address, message });
      this.#sinceInfo += publishRecord(this.host.channel, { address, message });
      if (message.payload.type === "session_info") this.#sinceInfo = 0;
      this.host.recorded(message);
    });
    this.#head =
      addresses.length === messages.length
        ? []
        : this.#head.filter((one) => !messages.slice(0, addresses.length).includes(one));
    const closure = closureOf(this.host.log.records);
    if (!closure) return;
    this.#rotateFirst = true;
    this.#head = this.host.contextHead(closure.summary);
  }

  /** A fragment, or a message of a child: streamed only. */
  stream(message: OmniMessage): void {
    if (this.#closed) return;
    this.host.log.stream(message);
    this.host.channel.publish({ event: "message", data: { message } });
  }

  /**
   * For the signal handler, synchronous: writes what `closing` makes of all records so far and accepts nothing more.
   * Throws TraceWriteError.
   */
  closeNow(closing: (records: OmniMessage[], inFlight: boolean) => OmniMessage[]): void {
    this.#closed = true;
    const records = [...this.host.log.records.map(({ message }) => message), ...this.#inFlight];
    const last = closing(records, this.#inFlight.length > 0);
    // A context that was just compacted is complete: what would follow needs a new file, and says nothing new.
    if (last.length > 0 && !this.#rotateFirst) this.host.writer.appendNow(last);
    this.host.writer.close();
  }

  /** Waits for what was submitted and lets go of the file. */
  async close(): Promise<void> {
    await this.#chain;
    this.#closed = true;
    this.host.writer.close();
  }
}

/** Of a file that is read again; no further back than matters, and 0 when it holds no settings at all. */
function charactersSinceInfo(records: readonly AddressedMessage[]): number {
  const last = records.findLastIndex(({ message }) => message.payload.type === "session_info");
  let characters = 0;
  for (let at = records.length - 1; last !== -1 && at > last && characters <= INFO_EVERY_CHARS; at -= 1) {
    characters += JSON.stringify(records[at]?.message).length;
  }
  return characters;
}

const notInfo = (message: OmniMessage) => message.payload.type !== "session_info";

/** Publishes a record, long strings shortened (P2); answers its size in characters. */
function publishRecord(channel: SessionChannel, record: AddressedMessage): number {
  const message = elideMessage(record.message);
  return channel.publish({ event: "message", data: { address: record.address, message } });
}

/** P2: the message as a browser gets it. */
export function elideMessage(message: OmniMessage): OmniMessage {
  // Only strings inside become shortening marks; whoever reads them knows `isElided`.
  return elide(message) as OmniMessage;
}

/** The Task ended because its records could not be saved. */
export interface NotSaved {
  kind: "not_saved";
  code: "disk_full" | "io";
  message: string;
}

/** A throw out of a Task is a bug: it is logged, and the Task counts as not saved. */
export function broken(ref: SessionRef, error: unknown): NotSaved {
  console.error(`[session] ${ref.session}: a Task broke`, error);
  return { kind: "not_saved", code: "io", message: error instanceof Error ? error.message : String(error) };
}

/** Runs a Task to its end. A write that fails ends it (FS04); a closed recorder ends it silently. */
export async function drive(
  task: AsyncGenerator<OmniMessage, TaskOutcome, void>,
  recorder: Recorder,
): Promise<TaskOutcome | NotSaved | { kind: "closed" }> {
  for (;;) {
    const step = await task.next();
    if (step.done) return step.value;
    if (!isRecordable(step.value)) {
      recorder.stream(step.value);
      continue;
    }
    try {
      await recorder.append([step.value]);
    } catch (error) {
      await task.return({ kind: "aborted" });
      if (error instanceof RecorderClosed) return { kind: "closed" };
      if (!(error instanceof TraceWriteError)) throw error;
      return { kind: "not_saved", code: error.code, message: error.message };
    }
  }
}
