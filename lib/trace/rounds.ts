/**
 * Records -> committed history and what is still to be said. A round is one Request with its input.
 *
 *            request_begin                 request_end "completed"
 *   idle ───────────────────▶ open ───────────────────────────────▶ idle    history += input + answer
 *    ▲                         │ any other request_end
 *    │                         ▼
 *    └────────────────────── ended      outputs of its calls may still arrive, until the next request_begin
 *        settled: carried over
 *
 * A round without a request_end (crash) is settled from `open`. Only committed rounds are replayed (RS1); the others
 * come back as what the living process would have carried over (RS7). User records wait in `pending` for the next
 * round. Inside a compaction span the prompt and its notes belong to the span: they are sent with each of its
 * attempts, and go when the span ends without them having been committed.
 */

import { readContextSummary, readSteering } from "../omni/blocks";
import {
  abortedInput,
  heldOver,
  type Interruption,
  interruptedOutput,
  outputsInCallOrder,
  refusedInput,
  retriedInput,
} from "../omni/carry-over";
import { isCommittableCall } from "../omni/history";
import type {
  CompactionBeginPayload,
  CompletePayload,
  RequestEndPayload,
  TextPayload,
  ToolCallOutputPayload,
} from "../omni/message";

interface Round {
  input: CompletePayload[];
  /** The first attempt's input and what the attempts before this one produced: both make up `input`. */
  first: CompletePayload[];
  tried: CompletePayload[];
  /** Opened with no input waiting: then user records before the first answer are its input. */
  bare: boolean;
  answer: CompletePayload[];
  outputs: ToolCallOutputPayload[];
  allowed: Set<string>;
  aborted: boolean;
  end: RequestEndPayload | null;
}

interface Span {
  begin: CompactionBeginPayload;
  prompt: CompletePayload | null;
  /** The prompt and the notes behind answers that were no summary. */
  texts: Set<CompletePayload>;
  /** Is a text that comes now one of them? */
  listening: boolean;
  /** It was to make room for a Request that the provider had found too long. */
  rescue: boolean;
}

const UNREADABLE_INPUT: TextPayload = {
  type: "text",
  role: "user",
  text: "[the input of this turn could not be read]",
  stop_reason: "completed",
};

export class Rounds {
  readonly history: CompletePayload[] = [];
  /** Committed Requests outside of compactions. */
  turns = 0;
  /** What the provider refused in the last round, for /retry (EN4). */
  refused: CompletePayload[] = [];
  /** Did a record of this file give the context's summary? */
  summarised = false;

  #pending: CompletePayload[] = [];
  /** User records since the last request_begin. */
  #fresh = 0;
  #round: Round | null = null;
  #retry: { first: CompletePayload[]; tried: CompletePayload[] } | null = null;
  #span: Span | null = null;
  /** Committed calls that no output in the history answers, in call order, and what is said if none comes. */
  #owed = new Map<string, Interruption>();
  /** Has no Request been sent since they were committed? What was once said of them stays said. */
  #owedAnew = false;

  get open(): boolean {
    return this.#round !== null && this.#round.end === null;
  }
  /** Does the model wait for outputs? */
  get owing(): boolean {
    return this.#owed.size > 0;
  }
  get compaction(): CompactionBeginPayload | null {
    return this.#span?.begin ?? null;
  }

  // ---- records ----

  /** What is still to be said from before the first record. */
  carry(payloads: CompletePayload[]): void {
    this.#pending.push(...payloads);
  }

  add(payload: CompletePayload): void {
    if (payload.type === "tool_call_output") this.#addOutput(payload);
    else if (payload.role === "assistant") {
      if (this.open) this.#round?.answer.push(payload);
    } else this.#addInput(payload);
  }

  begin(): void {
    this.#settle();
    const resent = this.#fresh === 0 ? this.#retry : null;
    const input = withoutStaleGoals(this.#pending);
    if (this.#fresh === 0) input.push(...this.refused); // /retry after a refusal
    if (this.#span?.prompt && !input.includes(this.#span.prompt)) input.push(this.#span.prompt);
    if (this.#span) this.#span.listening = false;
    this.#round = {
      input,
      first: resent?.first ?? input,
      tried: resent?.tried ?? [],
      bare: this.#fresh === 0,
      answer: [],
      outputs: [],
      allowed: new Set(),
      aborted: false,
      end: null,
    };
    this.#pending = [];
    this.#fresh = 0;
    this.#owedAnew = false;
    this.#retry = null;
    this.refused = [];
  }

  end(payload: RequestEndPayload): void {
    if (!this.#round || this.#round.end) return;
    if (payload.status === "completed") this.#commit(this.#round);
    else this.#round.end = payload;
  }

  allow(callId: string): void {
    if (this.open) this.#round?.allowed.add(callId);
  }

  abort(): void {
    if (this.#round) this.#round.aborted = true;
    if (this.#owedAnew) for (const id of this.#owed.keys()) this.#owed.set(id, "aborted");
  }

  beginCompaction(begin: CompactionBeginPayload): void {
    const round = this.#round;
    // A Task that ends with its Request says so by an abort; this one goes on, after the compaction.
    const rescue = round?.end?.retry_in_ms === undefined && round?.end?.refused === undefined && !round?.aborted;
    this.endCompaction();
    const listening = begin.mode !== "discard";
    this.#span = { begin, prompt: null, texts: new Set(), listening, rescue: rescue && (round?.end ?? null) !== null };
  }

  endCompaction(completed = false): void {
    this.#settle();
    const span = this.#span;
    this.#span = null;
    if (!span) return;
    this.#pending = this.#pending.filter((payload) => !span.texts.has(payload));
    if (span.rescue && !completed) this.#refuse();
  }

  /** What was too long stays so: it is not said again by itself (EN4). */
  #refuse(): void {
    const { kept, dropped } = refusedInput(heldOver(this.#pending));
    this.#pending = kept;
    this.#fresh = 0;
    this.refused = dropped;
  }

  /** The end of the records: what the next Request says ahead of its own input. */
  carryOver(): CompletePayload[] {
    this.endCompaction();
    return heldOver(this.#answered(this.#pending));
  }

  // ---- steps ----

  #addOutput(payload: ToolCallOutputPayload): void {
    const called = this.#round?.answer.some(
      (entry) => entry.type === "tool_call" && entry.tool_call_id === payload.tool_call_id,
    );
    if (called) this.#round?.outputs.push(payload);
    else this.#await(payload);
  }

  #addInput(payload: CompletePayload): void {
    if (this.#span) this.#addToSpan(this.#span, payload);
    if (!this.#span) this.refused = [];
    const round = this.#round;
    if (payload.type === "text" && readContextSummary(payload.text) !== null) this.#addSummary(payload);
    else if (round && !round.end && round.bare && round.answer.length === 0) {
      if (round.input !== round.first) round.first.push(payload);
      round.input.push(payload);
    } else this.#await(payload);
  }

  /** Texts come as the prompt and behind an answered attempt; any other input means that a crash left the span open. */
  #addToSpan(span: Span, payload: CompletePayload): void {
    if (span.listening && payload.type === "text" && payload.client_id === undefined) {
      span.prompt ??= payload;
      span.texts.add(payload);
    } else this.endCompaction();
  }

  /** A summary opens the context: a record of it that had to be written late still comes first (RS6). */
  #addSummary(payload: CompletePayload): void {
    if (!this.summarised && this.history.length > 0) this.history.unshift(payload);
    else this.#pending.push(payload);
    this.summarised = true;
  }

  #await(payload: CompletePayload): void {
    this.#pending.push(payload);
    this.#fresh += 1;
  }

  #commit(round: Round): void {
    const input = this.#answered(round.input);
    const speaksLast = this.history.at(-1)?.role ?? "assistant";
    if (input.length === 0 && speaksLast === "assistant") input.push(UNREADABLE_INPUT);
    for (const payload of input) this.history.push(payload);
    this.#owed.clear();
    this.#owedAnew = true;
    for (const payload of round.answer) {
      if (payload.type === "tool_call") {
        if (!isCommittableCall(payload) || this.#owed.has(payload.tool_call_id)) continue;
        this.#owed.set(payload.tool_call_id, "exited");
      }
      this.history.push(payload);
    }
    for (const output of round.outputs) this.#await(output);
    if (this.#span) this.#span.listening = true;
    else this.turns += 1;
    this.#round = null;
  }

  /** Every owed call gets its output, or a placeholder; outputs that nobody asked for go. */
  #answered(input: CompletePayload[]): CompletePayload[] {
    const found = outputsInCallOrder(this.#owed.keys(), input);
    const given = new Set(found.map((payload) => (payload.type === "tool_call_output" ? payload.tool_call_id : "")));
    const missing = [...this.#owed].filter(([id]) => !given.has(id)).map(([id, why]) => interruptedOutput(id, why));
    return missing.length === 0 ? found : outputsInCallOrder(this.#owed.keys(), [...found, ...missing]);
  }

  #settle(): void {
    const round = this.#round;
    if (!round) return;
    this.#round = null;
    this.#pending = [...this.#carried(round), ...this.#pending];
  }

  #carried(round: Round): CompletePayload[] {
    if (this.#span) return round.input;
    const produced = producedBy(round);
    if (round.end?.refused) {
      const { kept, dropped } = refusedInput(round.input);
      this.refused = this.#fresh > 0 ? [] : dropped; // a new prompt takes its place
      return retriedInput(kept, produced);
    }
    if (!round.end && !round.aborted && !mayHaveRun(round)) return heldOver(round.input);
    const status = round.end?.status ?? "aborted";
    if (status === "aborted" || status === "auth") return abortedInput(round.input, produced);
    const tried = [...round.tried, ...produced];
    if (round.end?.retry_in_ms === undefined || round.aborted) return heldOver(retriedInput(round.first, tried));
    this.#retry = { first: round.first, tried };
    return retriedInput(round.first, tried);
  }
}

/** A goal round that a crash kept from being sent is history as soon as another Prompt follows it. */
function withoutStaleGoals(input: CompletePayload[]): CompletePayload[] {
  const last = input.findLastIndex((payload) => payload.type === "text" && readSteering(payload.text) === null);
  return last <= 0 ? input : [...heldOver(input.slice(0, last)), ...input.slice(last)];
}

function mayHaveRun(round: Round): boolean {
  return round.outputs.length > 0 || round.allowed.size > 0;
}

/** What a dropped round left behind; a call that was allowed may have run, so it gets an output in any case. */
function producedBy(round: Round): CompletePayload[] {
  const given = new Set(round.outputs.map((output) => output.tool_call_id));
  const why: Interruption = round.aborted ? "aborted" : "exited";
  const missing = [...round.allowed].filter((id) => !given.has(id)).map((id) => interruptedOutput(id, why));
  return [...round.answer, ...round.outputs, ...missing];
}
