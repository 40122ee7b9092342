/** One Request: `request_begin`, the model's stream merged with the tools it starts, usage, `request_end`. */
import { event } from "../../lib/omni/build";
import { isComplete, isOwn } from "../../lib/omni/guards";
import { isCommittableCall } from "../../lib/omni/history";
import type { CompletePayload, OmniMessage, PriceStamp, TokenCounts } from "../../lib/omni/message";
import { Merge } from "./merge";
import type { Llm, LlmOutcome, LlmRequest } from "./ports";
import { afterFailure, type RetryStep } from "./retry";
import { type CallPorts, ToolCalls } from "./tool-calls";

/** Ports settle within a second of an abort; after this they are left behind. */
const SETTLE_MS = 900;

/** Stamped on every `token_usage`. */
export interface Stamp {
  price?: PriceStamp;
  user?: string;
}

export interface RequestPorts extends CallPorts {
  llm: Llm;
  stamp: () => Stamp;
  /** A context that is too long can be compacted: then it is no reason to refuse the prompt. */
  compactable?: boolean;
}

export interface RequestResult {
  outcome: LlmOutcome;
  /** Assistant messages that count, in order: what history gains when the Request completed. */
  content: CompletePayload[];
  /** Everything the round put on disk, outputs included, in file order: for `[turn_aborted]` and `[turn_retried]`. */
  produced: CompletePayload[];
  /** Outputs in call order. */
  outputs: CompletePayload[];
  /** Usage of this Request; null when the provider gave none. */
  usage: TokenCounts | null;
  /** Running sum after this Request; null when there was no usage to add. */
  session: TokenCounts | null;
  /** What follows a failure; null after `completed` and `aborted`. */
  step: RetryStep | null;
}

/** `attempt` is 1-based; `session_tokens` is the running sum before this Request. */
export async function* runRequest(
  request: LlmRequest,
  ports: RequestPorts,
  attempt: number,
  session_tokens: TokenCounts,
  signal: AbortSignal,
): AsyncGenerator<OmniMessage, RequestResult, void> {
  const round = new Round(request, ports, attempt, session_tokens, signal);
  let finished = false;
  try {
    yield event({ type: "request_begin" });
    for await (const message of round.stream()) {
      if (isOwn(message) && isComplete(message)) round.produced.push(message.payload);
      yield message;
    }
    finished = true;
    return round.result();
  } finally {
    round.leave(finished);
  }
}

class Round {
  readonly produced: CompletePayload[] = [];
  readonly #content: CompletePayload[] = [];
  readonly #merge = new Merge<OmniMessage>();
  readonly #calls: ToolCalls;
  /** Ends with the Task's signal, and when the consumer leaves early: no port outlives its Request. */
  readonly #scope = new AbortController();
  readonly #signal: AbortSignal;
  #outcome: LlmOutcome | null = null;
  #usage: TokenCounts | null = null;
  #session: TokenCounts | null = null;
  #step: RetryStep | null = null;
  #ended = false;
  #settle: NodeJS.Timeout | null = null;

  constructor(
    private readonly request: LlmRequest,
    private readonly ports: RequestPorts,
    private readonly attempt: number,
    private readonly sessionTokens: TokenCounts,
    private readonly taskSignal: AbortSignal,
  ) {
    this.#signal = AbortSignal.any([taskSignal, this.#scope.signal]);
    this.#calls = new ToolCalls(ports, this.#merge, this.#signal);
  }

  readonly #hurry = () => {
    this.#settle = setTimeout(() => this.#merge.abandon(), SETTLE_MS);
  };

  async *stream(): AsyncGenerator<OmniMessage, void, void> {
    this.#merge.add(this.#model());
    this.#merge.add(this.#decisionsAndEnd());
    if (this.#signal.aborted) this.#hurry();
    else this.#signal.addEventListener("abort", this.#hurry, { once: true });
    yield* this.#merge.stream();
    yield* this.#end();
    yield* this.#calls.closing();
  }

  /** Producer: the model's messages. A call is offered only after its `yield` returned: its record is on disk. */
  async *#model(): AsyncGenerator<OmniMessage, void, void> {
    const stream = this.ports.llm.stream(this.request, this.#signal);
    try {
      for (;;) {
        const step = await stream.next();
        if (step.done) {
          this.#outcome = step.value;
          break;
        }
        if (step.value.kind === "usage") this.#usage = step.value.request;
        else {
          yield step.value.message;
          if (isComplete(step.value.message) && this.#accept(step.value.message.payload)) await decisionFirst();
        }
      }
    } catch (error) {
      // A port must not throw; if it does, the Task ends as a failed call instead of hanging.
      this.#outcome = { status: "failed", error_message: error instanceof Error ? error.message : String(error) };
    } finally {
      void stream.return({ status: "aborted" }).catch(() => {});
    }
    this.#calls.close(this.#outcome?.status !== "completed");
  }

  /** True when the message is a call that now waits for its decision. */
  #accept(payload: CompletePayload): boolean {
    const isCall = payload.type === "tool_call";
    if (isCall && !(isCommittableCall(payload) && this.#calls.offer(payload))) return false;
    this.#content.push(payload);
    return isCall;
  }

  async *#decisionsAndEnd(): AsyncGenerator<OmniMessage, void, void> {
    yield* this.#calls.decisions();
    yield* this.#end();
  }

  /** `token_usage` and `request_end`, once: after the last decision, or when an abort left its producers behind. */
  *#end(): Generator<OmniMessage, void, void> {
    if (this.#ended) return;
    this.#ended = true;
    const outcome = this.#settledOutcome();
    if (outcome.status === "completed" && this.#usage) {
      this.#session = addTokens(this.sessionTokens, this.#usage);
      yield event({ type: "token_usage", session: this.#session, request: this.#usage, ...this.ports.stamp() });
    }
    const { attempt } = this;
    if (outcome.status === "completed") {
      yield event({ type: "request_end", status: "completed", ...(attempt > 1 ? { attempt } : {}) });
      return;
    }
    if (outcome.status !== "aborted") this.#step = afterFailure(outcome, attempt, this.ports.compactable);
    const retrying = this.#step?.retry === true && !this.taskSignal.aborted;
    yield event({
      type: "request_end",
      status: outcome.status,
      ...(outcome.error_message ? { error_message: outcome.error_message } : {}),
      attempt,
      ...(retrying && this.#step?.retry ? { retry_in_ms: this.#step.delay_ms } : {}),
      ...(this.#step?.retry === false && this.#step.kind === "refused" ? { refused: true } : {}),
      ...(outcome.context_too_long ? { context_too_long: true } : {}),
      ...(outcome.over_budget ? { over_budget: true } : {}),
    });
  }

  #settledOutcome(): LlmOutcome {
    this.#outcome ??= { status: "aborted" };
    return this.#outcome;
  }

  result(): RequestResult {
    return {
      outcome: this.#settledOutcome(),
      content: this.#content,
      produced: this.produced,
      outputs: this.#calls.inCallOrder(),
      usage: this.#usage,
      session: this.#session,
      step: this.#step,
    };
  }

  leave(finished: boolean): void {
    this.#signal.removeEventListener("abort", this.#hurry);
    if (this.#settle) clearTimeout(this.#settle);
    if (!finished) this.#scope.abort();
  }
}

/** One turn of the event loop: a decision that needs nobody lands before the model's next message. */
const decisionFirst = () => new Promise<void>((resolve) => setImmediate(resolve));

function addTokens(a: TokenCounts, b: TokenCounts): TokenCounts {
  const creation = (a.cache_creation ?? 0) + (b.cache_creation ?? 0);
  return {
    cache_read: a.cache_read + b.cache_read,
    cache_write: a.cache_write + b.cache_write,
    output: a.output + b.output,
    total: a.total + b.total,
    ...(creation > 0 ? { cache_creation: creation } : {}),
  };
}
