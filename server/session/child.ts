/**
 * A subagent as its parent sees it: follows the frames of the child's Session, hands its messages and questions on to
 * the parent's, and knows how its work ended. The child is a Session like any other; it knows nothing of this.
 */
import { randomBytes } from "node:crypto";
import type { ApprovalDecided, ApprovalRequest, Frame, RunState, StateFrame } from "../../lib/api/frames";
import type { SessionRef } from "../../lib/api/routes";
import { isEventOf, isOwn, isPayloadOf } from "../../lib/omni/guards";
import { readMaxTurns } from "../../lib/omni/marks";
import type { AddressedMessage, ApprovalMode, OmniMessage } from "../../lib/omni/message";
import type { StopReasonDetail } from "../engine/state";
import type { Subagent, SubagentEnd } from "../tools/subagents";
import { UnreadBuffer } from "../tools/unread-buffer";
import type { Approvals } from "./approvals";
import type { SessionChannel } from "./channel";
import type { NewTask } from "./run";

/** What is needed of the child's Session. */
export interface ChildSession {
  readonly ref: SessionRef;
  readonly channel: SessionChannel;
  readonly approvals: Approvals;
  readonly records: readonly AddressedMessage[];
  readonly status: RunState;
  /** Set: its calls are decided by this mode, and it stays in memory. */
  heldBy: { mode(): ApprovalMode } | null;
  submit(task: NewTask, queue: boolean): Promise<{ id: string }>;
  steer(message: { id: string; text: string; images: string[]; sender?: string }): Promise<void>;
  stop(reason: StopReasonDetail): Promise<void>;
}

/** What a child does to its parent. */
export interface ChildHost {
  mode(): ApprovalMode;
  /** Its session_meta is on disk: the pointer to it is to be written. Rejects when that cannot be saved. */
  started(child: Child): Promise<void>;
  /** A message of it, with `origin`. */
  forward(message: OmniMessage): void;
  asks(request: ApprovalRequest, decide: Approvals["decide"]): void;
  decided(decided: ApprovalDecided): void;
  /** It began or ended to work. */
  changed(): void;
  /** Its Session is no longer in memory. */
  gone(child: Child): void;
  /** So long may one piece of work take, whatever it waits for. Milliseconds. */
  readonly limitMs: number;
  /** It ended and nobody waited for that. */
  report(child: Child, end: SubagentEnd, tail: string): void;
  user(): string | undefined;
}

const TAIL_CHARS = 4_000;
/** A subagent that is out of time and does not settle is given up on. Milliseconds. */
const GIVE_UP_MS = 5_000;

export const subagentId = (session: string) => `subagent-${session.slice(-8)}`;

export class Child implements Subagent {
  readonly id: string;
  /** ISO time at which its present work began; null: idle. */
  since: string | null = null;
  ended: Promise<SubagentEnd>;
  #settle: (end: SubagentEnd) => void = () => {};
  #unread = new UnreadBuffer();
  #sink: ((text: string) => void) | null = null;
  /** What it said in its present work, for a report. */
  #tail = "";
  #said = false;
  #compacting = false;
  /** How its last Task was stopped, or ran out. */
  #broke: SubagentEnd | null = null;
  /** The parent ended it itself, and is not told. */
  #killed = false;
  /** It works for the parent, not only for a person on its own page. */
  #owed = false;
  readonly #asked = new Set<string>();
  #deadline: NodeJS.Timeout | undefined;
  /** The pointer to it stands in the parent's Trace; rejects when it could not be saved. */
  readonly #pointed: Promise<void>;
  #writePointer: (() => void) | null = null;

  constructor(
    readonly session: ChildSession,
    private readonly host: ChildHost,
    /** The pointer to it is still to be written. */
    fresh: boolean,
  ) {
    this.id = subagentId(session.ref.session);
    this.#pointed = new Promise((resolve, reject) => {
      if (fresh) this.#writePointer = () => void host.started(this).then(resolve, reject);
      else resolve();
    });
    this.#pointed.catch(() => {});
    this.ended = Promise.resolve({ status: "stopped", detail: "it is not running" });
    session.heldBy = host;
    session.channel.listener = { frame: (frame) => this.#frame(frame), closed: () => this.#closed() };
    if (session.status !== "idle") this.#begin();
  }

  get running(): boolean {
    return this.since !== null;
  }
  get waiting(): number {
    return this.session.approvals.pending().length;
  }

  // ---- what the parent does ----

  attach(sink: (text: string) => void): () => void {
    const unread = this.#unread.take();
    if (unread !== "") sink(unread);
    this.#sink = sink;
    return () => {
      if (this.#sink === sink) this.#sink = null;
    };
  }

  async send(prompt: string): Promise<string | null> {
    const id = `parent-${randomBytes(8).toString("hex")}`;
    this.#owed = true;
    try {
      if (this.running) {
        const taken = await this.session.steer({ id, text: prompt, images: [], sender: "parent_agent" }).then(
          () => true,
          () => false,
        );
        if (taken) return null;
      }
      const user = this.host.user();
      const parts = [{ type: "text" as const, text: prompt }];
      await this.session.submit({ id, parts, sender: "parent_agent", ...(user ? { user } : {}) }, true);
      await Promise.race([this.#pointed, this.ended]);
      return null;
    } catch (error) {
      this.#owed = this.running;
      return `The subagent could not be started: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  async kill(): Promise<void> {
    await this.stop({ reason: "ended by the parent agent" });
  }

  /** Ends its work; the parent knows, so no report follows. */
  async stop(reason: StopReasonDetail): Promise<void> {
    if (!this.running) return;
    this.#killed = true;
    await this.session.stop(reason);
  }

  /** The parent lets go of it. */
  release(): void {
    clearTimeout(this.#deadline);
    this.session.channel.listener = null;
    this.session.heldBy = null;
    this.#withdrawQuestions();
  }

  // ---- what it does ----

  #frame(frame: Frame): void {
    if (frame.event === "message") this.#message(frame.data.message, frame.data.address !== undefined);
    else if (frame.event === "approval") this.#approval(frame.data);
    else if (frame.event === "state") this.#state(frame.data);
  }

  #message(message: OmniMessage, recorded: boolean): void {
    if (recorded) this.#note(message);
    if (message.payload.type === "session_info") return;
    const { ref } = this.session;
    this.host.forward({ ...message, origin: [ref.session, ...(message.origin ?? [])] });
    if (!recorded || message.type !== "session_meta") return;
    this.#writePointer?.();
    this.#writePointer = null;
  }

  #note(message: OmniMessage): void {
    if (isEventOf(message, "compaction_begin")) this.#compacting = true;
    else if (isEventOf(message, "compaction_end")) this.#compacting = false;
    else if (isEventOf(message, "abort")) {
      const { reason, by } = message.payload;
      this.#broke = { status: "stopped", detail: `stopped${by ? ` by ${by}` : ""}: ${reason ?? "no reason given"}` };
    } else if (!this.#compacting && isOwn(message) && isPayloadOf(message, "text")) this.#text();
  }

  /** The frame may be shortened; the record is whole. */
  #text(): void {
    const message = this.session.records.at(-1)?.message;
    if (!message || !isPayloadOf(message, "text") || message.payload.role !== "assistant") return;
    const { text, stop_reason = "completed" } = message.payload;
    const maxTurns = stop_reason === "failed" && readMaxTurns(text) !== null;
    if (maxTurns) this.#broke = { status: "failed", detail: "it reached its limit of turns" };
    if (text === "" || !(stop_reason === "completed" || stop_reason === "aborted" || maxTurns)) return;
    const piece = this.#said ? `\n\n${text}` : text;
    this.#said = true;
    this.#tail = (this.#tail + piece).slice(-TAIL_CHARS);
    if (this.#sink) this.#sink(piece);
    else this.#unread.push(piece);
  }

  #approval(data: ApprovalRequest | ApprovalDecided): void {
    if ("decision" in data) {
      this.#asked.delete(data.id);
      this.host.decided(data);
      return;
    }
    this.#asked.add(data.id);
    const { ref, approvals } = this.session;
    const request = { ...data, origin: [ref.session, ...(data.origin ?? [])] };
    this.host.asks(request, (id, decision, by) => approvals.decide(id, decision, by));
  }

  #withdrawQuestions(): void {
    for (const id of this.#asked) this.host.decided({ id, decision: "deny", by: "policy:stopped" });
    this.#asked.clear();
  }

  #state({ state, error }: StateFrame): void {
    if (state !== "idle") this.#begin();
    else if (this.running) this.#finish(error ? { status: "failed", detail: `failed: ${error.message}` } : null);
  }

  #begin(): void {
    if (this.running) return;
    this.since = new Date().toISOString();
    this.#broke = null;
    this.#killed = false;
    this.#said = false;
    this.#tail = "";
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#deadline = setTimeout(() => this.#outOfTime(), this.host.limitMs).unref();
    this.host.changed();
  }

  /** Nobody waits for ever: it is stopped like by a person, and reported. */
  #outOfTime(): void {
    const detail = `it did not finish within ${Math.round(this.host.limitMs / 60_000)} minutes and was stopped`;
    void this.session.stop({ reason: detail }).catch(() => {});
    this.#deadline = setTimeout(() => {
      if (this.running) this.#finish({ status: "failed", detail });
    }, GIVE_UP_MS).unref();
  }

  #finish(failure: SubagentEnd | null): void {
    const silent: SubagentEnd = { status: "completed", ...(this.#said ? {} : { detail: "finished without a text" }) };
    const end = failure ?? this.#broke ?? silent;
    const report = this.#owed && !this.#killed && !this.#sink;
    clearTimeout(this.#deadline);
    this.since = null;
    this.#owed = false;
    this.#compacting = false;
    this.#settle(end);
    this.host.changed();
    if (report) this.host.report(this, end, this.#tail);
  }

  /** Its Session was deleted, or the server stops; in the latter case the parent does not listen any more. */
  #closed(): void {
    this.#withdrawQuestions();
    const end: SubagentEnd = { status: "failed", detail: "ended: its conversation was closed" };
    setTimeout(() => {
      if (this.running) this.#finish(end);
      this.host.gone(this);
    }, 0).unref();
  }
}
