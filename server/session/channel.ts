/**
 * The event stream of one Session: numbers frames, keeps the newest ones, and hands them to every subscriber.
 * A subscriber that reads slowly may miss fragments, never a complete message: once it is too far behind, its backlog
 * is dropped and it gets a fresh snapshot when it reads again. It never slows anybody down.
 */
import { randomBytes } from "node:crypto";
import {
  encodeFrame,
  type Frame,
  formatEventId,
  type Opening,
  parseEventId,
  type SnapshotFrame,
} from "../../lib/api/frames";
import { isPartial } from "../../lib/omni/guards";
import type { OmniMessage, PartialMessage } from "../../lib/omni/message";

/** What is kept for whoever comes back after a moment. Each Session keeps its own, and a snapshot is no longer than this. */
const BUFFER_EVENTS = 1_000;
const BUFFER_CHARS = 512 * 1024;
/** A subscriber this far behind starts again from a snapshot. Characters. */
const BACKLOG_CHARS = 2 * 1024 * 1024;

/** Where the text of a stream goes. */
export interface Sink {
  write(text: string): void;
  /** False: written text piles up; the channel waits for `drained`. */
  writable(): boolean;
  /** The Session is gone or the server stops. */
  end(): void;
}
/** Hears of every frame in the step in which it is published, fragments one by one. */
export interface ChannelListener {
  frame(frame: Frame): void;
  closed(): void;
}
export interface Subscription {
  /** The sink can take more. */
  drained(): void;
  close(): void;
}

/** State and waiting approvals; settings such as the title, and that it is gone. */
export type Changed = "state" | "settings";

interface Entry {
  seq: number;
  text: string;
}
const DROPPED: Entry = { seq: 0, text: "" };
interface Subscriber {
  sink: Sink;
  backlog: Entry[];
  backlogChars: number;
  /** The backlog was given up: the next thing it gets is a snapshot. */
  behind: boolean;
}

export class SessionChannel {
  readonly epoch = randomBytes(4).toString("hex");
  #seq = 0;
  readonly #buffer: Entry[] = [];
  #bufferStart = 0;
  #bufferChars = 0;
  readonly #subscribers = new Set<Subscriber>();
  #held: PartialMessage | null = null;
  /** Whoever started this Session as a subagent. */
  listener: ChannelListener | null = null;
  /** Hears that what lists show of this Session may have changed: what it does, or what it is called and who sees it. */
  watcher: ((what: Changed) => void) | null = null;

  constructor(
    private readonly snapshot: () => SnapshotFrame,
    private readonly limits = { events: BUFFER_EVENTS, chars: BUFFER_CHARS, backlog: BACKLOG_CHARS },
  ) {}

  get subscribers(): number {
    return this.#subscribers.size;
  }

  /** A frame for everybody; answers its size in characters. Fragments of one tick that belong together go out as one. */
  publish(frame: Frame): number {
    this.listener?.frame(frame);
    const changed = changedBy(frame);
    if (changed) this.watcher?.(changed);
    if (frame.event === "message" && !frame.data.address && isDelta(frame.data.message)) {
      this.#hold(frame.data.message);
      return 0;
    }
    this.flush();
    return this.#send(frame);
  }

  #hold(delta: PartialMessage): void {
    const joined = this.#held && joinDeltas(this.#held, delta);
    if (joined) {
      this.#held = joined;
      return;
    }
    this.flush();
    this.#held = delta;
    setImmediate(() => this.flush());
  }

  /** Sends the fragment that waits for its continuation. */
  flush(): void {
    const held = this.#held;
    if (!held) return;
    this.#held = null;
    this.#send({ event: "message", data: { message: held } });
  }

  #send(frame: Frame): number {
    this.#seq += 1;
    const entry = { seq: this.#seq, text: encodeFrame(formatEventId(this.epoch, this.#seq), frame) };
    this.#keep(entry);
    for (const subscriber of this.#subscribers) this.#offer(subscriber, entry);
    return entry.text.length;
  }

  #keep(entry: Entry): void {
    this.#buffer.push(entry);
    this.#bufferChars += entry.text.length;
    const full = () =>
      this.#buffer.length - this.#bufferStart > this.limits.events || this.#bufferChars > this.limits.chars;
    while (full() && this.#bufferStart < this.#buffer.length) {
      this.#bufferChars -= this.#buffer[this.#bufferStart]?.text.length ?? 0;
      this.#buffer[this.#bufferStart] = DROPPED;
      this.#bufferStart += 1;
    }
    // Places are given up in one go now and then, so that dropping costs nothing per event.
    if (this.#bufferStart > this.limits.events) {
      this.#buffer.splice(0, this.#bufferStart);
      this.#bufferStart = 0;
    }
  }

  /**
   * Joins in one synchronous step: what the new subscriber gets first (a snapshot, or what came after `lastId` when
   * that is still buffered) and everything published from now on have neither gap nor overlap (CH1, CH2).
   */
  subscribe(lastId: string | null, sink: Sink): Subscription {
    this.flush();
    const subscriber: Subscriber = { sink, backlog: [], backlogChars: 0, behind: false };
    const missed = this.#after(lastId);
    if (missed) for (const entry of missed) this.#offer(subscriber, entry);
    else this.#sendSnapshot(subscriber);
    this.#subscribers.add(subscriber);
    return {
      drained: () => this.#drain(subscriber),
      close: () => void this.#subscribers.delete(subscriber),
    };
  }

  /** Buffered entries after an event id; null when it is unknown here. */
  #after(lastId: string | null): Entry[] | null {
    const last = lastId === null ? null : parseEventId(lastId);
    if (!last || last.epoch !== this.epoch || last.seq > this.#seq) return null;
    const oldest = this.#buffer[this.#bufferStart]?.seq ?? this.#seq + 1;
    if (last.seq < oldest - 1) return null;
    return this.#buffer.slice(this.#bufferStart + (last.seq - oldest + 1));
  }

  /** What a new subscriber would get now: a stream that names its id as the last one goes on from here (CH1, CH2). */
  opening(): Opening {
    this.flush();
    return { id: formatEventId(this.epoch, this.#seq), snapshot: this.snapshot() };
  }

  #sendSnapshot(subscriber: Subscriber): void {
    const frame: Frame = { event: "snapshot", data: this.snapshot() };
    subscriber.sink.write(encodeFrame(formatEventId(this.epoch, this.#seq), frame));
  }

  #offer(subscriber: Subscriber, entry: Entry): void {
    if (subscriber.behind) return;
    if (subscriber.backlog.length === 0 && subscriber.sink.writable()) {
      subscriber.sink.write(entry.text);
      return;
    }
    subscriber.backlog.push(entry);
    subscriber.backlogChars += entry.text.length;
    if (subscriber.backlogChars <= this.limits.backlog) return;
    subscriber.behind = true;
    subscriber.backlog = [];
    subscriber.backlogChars = 0;
  }

  #drain(subscriber: Subscriber): void {
    if (!this.#subscribers.has(subscriber)) return;
    if (subscriber.behind && subscriber.sink.writable()) {
      this.flush();
      subscriber.behind = false;
      this.#sendSnapshot(subscriber);
    }
    while (subscriber.backlog.length > 0 && subscriber.sink.writable()) {
      const entry = subscriber.backlog.shift();
      if (!entry) break;
      subscriber.backlogChars -= entry.text.length;
      subscriber.sink.write(entry.text);
    }
  }

  /** Everybody starts again from a snapshot: what is in memory was read anew from disk. */
  restart(): void {
    this.flush();
    this.#buffer.length = 0;
    this.#bufferStart = 0;
    this.#bufferChars = 0;
    this.#seq += 1;
    for (const subscriber of this.#subscribers) {
      subscriber.backlog = [];
      subscriber.backlogChars = 0;
      subscriber.behind = true;
      this.#drain(subscriber);
    }
  }

  /** Ends every stream. */
  close(): void {
    this.flush();
    for (const subscriber of [...this.#subscribers]) {
      this.#subscribers.delete(subscriber);
      subscriber.sink.end();
    }
    this.listener?.closed();
    this.watcher?.("settings");
  }
}

function changedBy(frame: Frame): Changed | null {
  if (frame.event !== "message") return frame.event === "state" || frame.event === "approval" ? "state" : null;
  const { address, message } = frame.data;
  const settings = message.type === "event_msg" && message.payload.type === "session_info";
  return address !== undefined && settings ? "settings" : null;
}

function isDelta(message: OmniMessage): message is PartialMessage {
  return isPartial(message) && message.payload.event_type === "delta";
}

/** One delta instead of two; null when the second does not continue the first. */
export function joinDeltas(a: PartialMessage, b: PartialMessage): PartialMessage | null {
  if ((a.origin ?? []).join() !== (b.origin ?? []).join()) return null;
  const one = a.payload;
  const two = b.payload;
  if (one.type === "partial_text" && two.type === "partial_text" && one.role === two.role) {
    return { ...a, payload: { ...one, text: one.text + two.text } };
  }
  if (one.type === "partial_thinking" && two.type === "partial_thinking") {
    return { ...a, payload: { ...one, thinking: one.thinking + two.thinking } };
  }
  if (one.type === "partial_tool_call" && two.type === "partial_tool_call" && one.tool_call_id === two.tool_call_id) {
    return { ...a, payload: { ...one, arguments: one.arguments + two.arguments } };
  }
  if (
    one.type === "partial_tool_call_output" &&
    two.type === "partial_tool_call_output" &&
    one.tool_call_id === two.tool_call_id &&
    !one.images &&
    !two.images
  ) {
    return { ...a, payload: { ...one, output: one.output + two.output } };
  }
  return null;
}
