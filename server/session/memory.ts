/**
 * What a Session knows about itself: settings, the loop's state, the records of its context, and the one writer of
 * its Trace. After a failed write the file counts, not the memory: it is read again before the next Task.
 */
import { AppError } from "../../lib/api/errors";
import type { Recovery } from "../../lib/api/frames";
import type { SessionRef } from "../../lib/api/routes";
import type { PatchSessionBody } from "../../lib/api/schemas";
import { isComplete, isPayloadOf } from "../../lib/omni/guards";
import type { OmniMessage, SessionMetaPayload } from "../../lib/omni/message";
import type { EngineState } from "../engine/state";
import { TraceWriteError } from "../trace/trace-file";
import type { SessionChannel } from "./channel";
import { closingRecords } from "./closing";
import { Recorder, type RecorderHost } from "./drive";
import { changeSettings, infoRecord, type SessionSettings } from "./info";
import { SessionLog } from "./log";
import { contextHead, type Loaded, loadSession, type Problem, type SessionHost } from "./open";
import type { Gathered } from "./runner";
import { freshHead, type Unsaved } from "./unsaved";

export interface MemoryParts {
  ref: SessionRef;
  host: SessionHost;
  channel: SessionChannel;
  /** Each own record, once it is on disk and published. */
  recorded(message: OmniMessage): void;
}

export class SessionMemory {
  #log: SessionLog;
  #recorder: Recorder;
  #engine: EngineState;
  #meta: SessionMetaPayload;
  #settings: SessionSettings;
  #problem: Problem | null;
  #stale = false;
  /** Changes of settings, one after the other. */
  #changing: Promise<void> = Promise.resolve();
  /** Ids of tool calls in use: adapters make new ones unique. */
  readonly callIds: Set<string>;
  /** Idempotency keys of Tasks that the Trace holds. */
  readonly taskIds: Set<string>;

  constructor(
    private readonly parts: MemoryParts,
    loaded: Loaded,
    /** Set until something of the Session is on disk. */
    public unsaved: Unsaved | null,
  ) {
    this.#meta = loaded.meta;
    this.#settings = loaded.settings;
    this.#engine = loaded.engine;
    this.recovery = loaded.recovery;
    this.#problem = loaded.problem ?? null;
    this.callIds = new Set(loaded.callIds);
    this.taskIds = new Set(loaded.clientIds);
    this.#log = new SessionLog(loaded.records, loaded.earlier);
    this.#recorder = this.#recorderOf(loaded);
  }
  readonly recovery: Recovery | undefined;

  get log(): SessionLog {
    return this.#log;
  }
  get recorder(): Recorder {
    return this.#recorder;
  }
  get engine(): EngineState {
    return this.#engine;
  }
  get meta(): SessionMetaPayload {
    return this.#meta;
  }
  get settings(): SessionSettings {
    return this.#settings;
  }

  get problem(): Problem | null {
    return this.#problem;
  }

  #recorderOf(loaded: Loaded): Recorder {
    const recorded = (message: OmniMessage) => {
      this.unsaved = null;
      if (isPayloadOf(message, "tool_call")) this.callIds.add(message.payload.tool_call_id);
      this.parts.recorded(message);
    };
    const host: RecorderHost = {
      writer: loaded.writer,
      log: this.#log,
      channel: this.parts.channel,
      recorded,
      info: () => infoRecord(this.#settings),
      contextHead: (summary) => contextHead(this.#meta, summary, this.#settings),
    };
    return new Recorder(host, loaded);
  }

  /** The head of a Session that is not on disk yet, once. */
  async prepareHead(gathered: Gathered): Promise<void> {
    const { unsaved } = this;
    if (!unsaved || unsaved.prepared) return;
    this.#meta = await freshHead(this.parts.host, this.parts.ref, this.#meta, gathered);
    this.#engine.tool_list = JSON.stringify(this.#meta.tools ?? []);
    unsaved.prepared = true;
    this.#setHead();
  }

  #setHead(): void {
    this.#recorder.setHead(this.#meta, infoRecord(this.#settings, this.#meta.created_by));
  }

  /** A write failed. What never reached the disk at all cannot be read again. */
  noteFailedWrite(): void {
    this.#stale = this.unsaved === null;
  }

  /** After a failed write: what is on disk counts. Throws `session_unrecoverable`. */
  async refresh(): Promise<void> {
    if (!this.#stale) return;
    const loaded = await loadSession(this.parts.host, this.parts.ref);
    if (!loaded) throw new AppError("session_unrecoverable");
    await this.#recorder.close();
    this.#engine = loaded.engine;
    this.#settings = loaded.settings;
    this.#problem = loaded.problem ?? null;
    this.#log = new SessionLog(loaded.records, loaded.earlier);
    this.#recorder = this.#recorderOf(loaded);
    this.#stale = false;
    this.parts.channel.restart();
  }

  /** Takes over what was given and differs. Throws `disk_full` or `internal`. */
  patch(values: PatchSessionBody, by: string): Promise<void> {
    const { title, archived, approval_mode, thinking_level, visibility } = values;
    const given = { title, archived, approval_mode, thinking_level, visibility };
    return this.#inTurn(async () => {
      const next = changeSettings(this.#settings, given);
      if (!next) return;
      if (this.unsaved) await this.#recorder.idle();
      // While nothing is on disk they are only remembered: the head, which opens it together with the prompt, tells them.
      if (!this.unsaved) await this.#appendAside([infoRecord(next, by)]);
      this.#settings = next;
      if (this.unsaved?.prepared) this.#setHead();
    });
  }

  /** Each record of settings holds all of them: the next one is made of what the one before it has left. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#changing.then(work);
    this.#changing = done.catch(() => {});
    return done;
  }

  /** For the signal handler, synchronous: the closing records of what runs. `asked`: calls that wait for a decision. */
  closeNow(run: { wrote: boolean } | null, asked: string[], reason: string): void {
    const unfinished = { asked, fragments: this.#log.open() };
    try {
      this.#recorder.closeNow((records, inFlight) =>
        run && (run.wrote || inFlight) ? closingRecords(records, unfinished, reason) : [],
      );
    } catch (error) {
      console.error(`[session] ${this.parts.ref.session}: closing records could not be written`, error);
    }
  }

  /** Records a title that nobody gave (null: none) and what model calls beside the Tasks cost. The same errors. */
  note(title: string | null, usage: OmniMessage[]): Promise<void> {
    return this.#inTurn(async () => {
      const next = title === null || this.#settings.title !== null ? null : { ...this.#settings, title };
      // Settings first: in a file that they open they take the place of the old ones.
      const records = [...(next ? [infoRecord(next)] : []), ...usage];
      if (records.length > 0) await this.#appendAside(records);
      if (next) this.#settings = next;
    });
  }

  async #appendAside(records: OmniMessage[]): Promise<void> {
    await this.#recorder.append(records).catch((error: unknown) => {
      if (!(error instanceof TraceWriteError)) throw error;
      this.noteFailedWrite();
      throw new AppError(error.code === "disk_full" ? "disk_full" : "internal", `Not saved: ${error.message}`);
    });
  }

  /** A Task is over: keeps the settings within reach of lists. */
  async endTask(): Promise<void> {
    await this.#inTurn(async () => {
      if (!this.#recorder.infoDue || this.#recorder.closed) return;
      await this.#recorder.append([infoRecord(this.#settings)]).catch((error: unknown) => {
        if (!(error instanceof TraceWriteError)) throw error;
        this.noteFailedWrite();
      });
    });
    this.#log.endTask();
  }

  /** Why there is nothing to compact; null: there is something. */
  get obstacle(): "nothing_to_compact" | "already_compacted" | null {
    if (this.#engine.session_turns > 0) return null;
    return this.#recorder.compacted ? "already_compacted" : "nothing_to_compact";
  }

  /**
   * The last Task ended because of the provider, or before it was asked at all, and nothing was said since; or (`error`)
   * it could not be saved: then it goes on where the Trace ends.
   */
  repeatable(error?: string): boolean {
    const { carry_over, refused } = this.#engine;
    if (carry_over.length + refused.length === 0) return false;
    if (error === "disk_full" || error === "not_saved") return true;
    let ended = false;
    for (const { message } of this.#log.records.toReversed()) {
      const { payload } = message;
      if (isPayloadOf(message, "tool_call_output")) continue;
      // A prompt that no Request followed: the Task was stopped, or could not be saved, right behind it.
      if (isComplete(message)) return message.payload.role === "user";
      if (message.type === "model_msg") return false;
      if (message.type !== "event_msg") continue;
      if (payload.type === "request_begin") return false;
      if (payload.type === "abort") ended = true;
      // The Task could not go on without it.
      if (payload.type === "compaction_end") return ended && failed(payload.status);
      if (payload.type === "request_end") return failed(payload.status);
    }
    return false;
  }

  /** Was a message with this id delivered? */
  holds(id: string): boolean {
    return this.taskIds.has(id) || this.#log.records.some(({ message }) => clientIdOf(message) === id);
  }

  /** The newest idempotency key on record: the Task that a repeat belongs to. */
  get lastTaskId(): string | null {
    for (const { message } of this.#log.records.toReversed()) {
      const id = clientIdOf(message);
      if (id) return id;
    }
    return null;
  }
}

function failed(status: unknown): boolean {
  return status !== "completed" && status !== "aborted";
}

/** The idempotency key of an input record. */
export function clientIdOf(message: OmniMessage): string | null {
  const { payload } = message;
  return "client_id" in payload && typeof payload.client_id === "string" ? payload.client_id : null;
}
