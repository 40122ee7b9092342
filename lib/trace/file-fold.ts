/** One Trace file -> its facts: rounds, counters, settings, ids. Trusts nothing but the envelope. */
import { readContextSummary } from "../omni/blocks";
import { isOwn } from "../omni/guards";
import type {
  AddressedMessage,
  CompactionBeginPayload,
  CompletePayload,
  EventPayload,
  OmniMessage,
  SessionInfoPayload,
  SessionMetaPayload,
  TokenCounts,
} from "../omni/message";
import { readable } from "../omni/readable";
import { type Closure, closureOf } from "./closure";
import { Rounds } from "./rounds";

export class FileFold {
  meta: SessionMetaPayload | null = null;
  info: SessionInfoPayload | null = null;
  tokens: { session: TokenCounts; request: TokenCounts } | null = null;
  readonly rounds = new Rounds();
  readonly callIds = new Set<string>();
  readonly clientIds = new Set<string>();
  /** What its last record closes; null: nothing. */
  closure: Closure | null = null;
  /** Is a Task under way, as far as the records tell? */
  running = false;

  /** How the file ends. */
  openRequest = false;
  dangling: CompactionBeginPayload | null = null;
  carryOver: CompletePayload[] = [];

  /** `carried`: what the file before it left to be said, beside a summary. */
  static of(records: AddressedMessage[], carried: CompletePayload[] = []): FileFold {
    const fold = new FileFold();
    fold.rounds.carry(carried);
    for (const record of records) fold.#add(record.message);
    fold.closure = closureOf(records);
    fold.openRequest = fold.rounds.open;
    fold.dangling = fold.rounds.compaction;
    fold.carryOver = fold.rounds.carryOver();
    return fold;
  }

  #add(record: OmniMessage): void {
    const message = isOwn(record) ? readable(record) : null;
    switch (message?.type) {
      case "session_meta":
        this.meta ??= message.payload;
        return;
      case "model_msg":
        this.#content(message.payload);
        return;
      case "event_msg":
        this.#event(message.payload);
    }
  }

  #content(payload: CompletePayload): void {
    if (payload.type === "tool_call") this.callIds.add(payload.tool_call_id);
    else if (payload.type !== "tool_call_output") this.#spoken(payload);
    this.rounds.add(payload);
  }

  #spoken(payload: Exclude<CompletePayload, { type: "tool_call" | "tool_call_output" }>): void {
    if ("client_id" in payload && typeof payload.client_id === "string") this.clientIds.add(payload.client_id);
    if (this.rounds.compaction) return;
    if (payload.role === "user") {
      if (payload.type !== "text" || readContextSummary(payload.text) === null) this.running = true;
    } else if (!this.rounds.open) this.running = false; // the notice of a Task that reached its maximum of turns
  }

  #event(payload: EventPayload): void {
    const { rounds } = this;
    switch (payload.type) {
      case "request_begin":
        rounds.begin();
        if (!rounds.compaction) this.running = true;
        return;
      case "request_end":
        rounds.end(payload);
        if (rounds.compaction) return;
        this.running = payload.status === "completed" ? rounds.owing : payload.retry_in_ms !== undefined;
        return;
      case "approval_decision":
        if (payload.decision === "allow") rounds.allow(payload.tool_call_id);
        return;
      case "abort":
        rounds.abort();
        this.running = false;
        return;
      case "compaction_begin":
        rounds.beginCompaction(payload);
        return;
      case "compaction_end":
        rounds.endCompaction(payload.status === "completed");
        return;
      case "token_usage":
        this.tokens = payload;
        return;
      case "session_info":
        this.info = payload;
    }
  }
}
