/**
 * One Task: input, then Requests until no tool was called and no steering waits. An async generator that touches no
 * disk: its consumer writes each message before it asks for the next, so what was yielded is durable.
 *
 *   input -> Request -> outputs in call order (+ steering) -> Request -> ... -> end
 *                \-> failed: wait, same input again -> ... -> retries exhausted -> end
 */

import { writeContextSummary } from "../../lib/omni/blocks";
import { event, model } from "../../lib/omni/build";
import { abortedInput, heldOver, refusedInput, retriedInput } from "../../lib/omni/carry-over";
import type { CompleteMessage, CompletePayload, OmniMessage, ThinkingLevel, TokenCounts } from "../../lib/omni/message";
import { legalHistory } from "./history";
import type { Inbox } from "./inbox";
import type { Approve, Llm, LlmRequest, Tools } from "./ports";
import { type RequestResult, runRequest, type Stamp } from "./request";
import type { RetryWait } from "./retry";

/** What one Task hands to the next; changed only at commit points. */
export interface EngineState {
  /** Committed turns: what the model has seen and said. */
  history: CompletePayload[];
  /** Input that no completed Request has consumed yet; it goes ahead of the next Prompt. */
  carry_over: CompletePayload[];
  /** A prompt the provider refused: only a repeat sends it again (EN4). */
  refused: CompletePayload[];
  /** Summary of the context before this one, still to be delivered. */
  pending_summary: string | null;
  session_tokens: TokenCounts;
  last_request_total: number;
  session_turns: number;
  /** JSON of the tool list that the Trace says is being sent. */
  tool_list: string;
}

export interface TaskDeps {
  llm: Llm;
  tools: Tools;
  approve: Approve;
  inbox: Inbox;
  retry: RetryWait;
  stamp: () => Stamp;
  system_prompt: string;
  thinking_level: ThinkingLevel;
  max_tokens?: number;
  idle_timeout_ms: number;
  /** Requests per Task; <= 0: no limit. */
  max_turns: number;
}

export type TaskOutcome =
  | { kind: "completed" | "aborted" | "max_turns" }
  | { kind: "auth" | "failed"; message: string }
  /** `text`: what the person had written; it returns to the composer. */
  | { kind: "refused"; message: string; text: string };

/** The reason of a Task's abort signal. */
export interface StopReasonDetail {
  reason: string;
  by?: string;
}

/**
 * Runs one Task. `input` is recorded first, carry-over goes to the model ahead of it and is not recorded again. An
 * empty input repeats what the last Task left undone (/retry). Never throws on its own account.
 */
export async function* runTask(
  state: EngineState,
  input: CompleteMessage[],
  deps: TaskDeps,
  signal: AbortSignal,
): AsyncGenerator<OmniMessage, TaskOutcome, void> {
  try {
    yield* input;
    let base = firstInput(state, input);
    for (let turns = 1; ; turns += 1) {
      if (signal.aborted) {
        state.carry_over = base;
        return yield* stopped(signal);
      }
      const round = yield* runRound(state, base, deps, signal);
      if ("kind" in round) return round;
      if (signal.aborted) {
        state.carry_over = round.outputs;
        return yield* stopped(signal);
      }
      if (round.outputs.length === 0 && deps.inbox.items.length === 0) {
        deps.inbox.close();
        return { kind: "completed" };
      }
      if (deps.max_turns > 0 && turns >= deps.max_turns) {
        state.carry_over = round.outputs;
        return yield* tooManyTurns(deps.max_turns);
      }
      const steering = deps.inbox.deliver();
      state.carry_over = base = [...round.outputs, ...steering.map((message) => message.payload)];
      yield* steering;
    }
  } finally {
    deps.inbox.close();
    state.carry_over = heldOver(state.carry_over);
  }
}

function summaryText(summary: string): CompletePayload {
  return { type: "text", role: "user", text: writeContextSummary(summary), stop_reason: "completed" };
}

function firstInput(state: EngineState, input: CompleteMessage[]): CompletePayload[] {
  const summary = state.pending_summary;
  const base: CompletePayload[] = [
    ...(summary === null ? [] : [summaryText(summary)]),
    ...state.carry_over,
    // A new Prompt replaces the refused one; without one, the refused one is repeated.
    ...(input.length === 0 ? state.refused : input.map((message) => message.payload)),
  ];
  state.pending_summary = null;
  state.refused = [];
  state.carry_over = base;
  return base;
}

/** One turn: the same input until a Request completes (committed) or there is no further attempt. */
async function* runRound(
  state: EngineState,
  base: CompletePayload[],
  deps: TaskDeps,
  signal: AbortSignal,
): AsyncGenerator<OmniMessage, RequestResult | TaskOutcome, void> {
  /** What failed attempts produced, tool outputs included. */
  const lost: CompletePayload[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const input = retriedInput(base, lost);
    yield* announceTools(state, deps);
    const request = buildRequest(state, input, deps);
    const result = yield* runRequest(request, deps, attempt, state.session_tokens, signal);
    if (result.outcome.status === "completed") {
      commit(state, input, result);
      return result;
    }
    const { step } = result;
    if (!step) {
      state.carry_over = abortedInput(input, result.produced);
      return yield* stopped(signal);
    }
    if (!step.retry) return yield* ended(state, { base, input, lost, result }, step.kind, step.reason);
    lost.push(...result.produced);
    state.carry_over = retriedInput(base, lost);
    await deps.retry.sleep(step.delay_ms, signal);
    if (signal.aborted) return yield* stopped(signal, "aborted during reconnect backoff");
  }
}

/** The commit point: `request_end` completed is on disk. */
function commit(state: EngineState, input: CompletePayload[], result: RequestResult): void {
  state.history = [...state.history, ...input, ...result.content];
  state.carry_over = result.outputs;
  state.session_turns += 1;
  if (result.session) state.session_tokens = result.session;
  if (result.usage) state.last_request_total = result.usage.total;
}

interface LostRound {
  base: CompletePayload[];
  input: CompletePayload[];
  lost: CompletePayload[];
  result: RequestResult;
}

/** No further attempt: decides what is carried over, and says why. */
function* ended(
  state: EngineState,
  round: LostRound,
  kind: "auth" | "refused" | "failed",
  reason: string,
): Generator<OmniMessage, TaskOutcome, void> {
  const message = round.result.outcome.error_message ?? reason;
  if (kind === "refused") {
    const { kept, dropped } = refusedInput(round.input);
    state.carry_over = retriedInput(kept, round.result.produced);
    state.refused = dropped;
    yield event({ type: "abort", reason });
    return { kind, message, text: personsText(round.base) };
  }
  state.carry_over =
    kind === "auth"
      ? abortedInput(round.input, round.result.produced)
      : retriedInput(round.base, [...round.lost, ...round.result.produced]);
  yield event({ type: "abort", reason });
  return { kind, message };
}

/** What a person typed in this input; every record written for a person carries a client_id. */
function personsText(input: CompletePayload[]): string {
  return input
    .flatMap((payload) => (payload.type === "text" && payload.client_id !== undefined ? [payload.text] : []))
    .join("\n\n");
}

function* stopped(signal: AbortSignal, reason?: string): Generator<OmniMessage, TaskOutcome, void> {
  const detail = stopDetail(signal);
  yield event({ type: "abort", reason: reason ?? detail.reason, ...(detail.by ? { by: detail.by } : {}) });
  return { kind: "aborted" };
}

function stopDetail(signal: AbortSignal): StopReasonDetail {
  const given: unknown = signal.reason;
  const isDetail = (value: unknown): value is StopReasonDetail =>
    typeof value === "object" && value !== null && "reason" in value && typeof value.reason === "string";
  return isDetail(given) ? given : { reason: "aborted by user" };
}

function* tooManyTurns(limit: number): Generator<OmniMessage, TaskOutcome, void> {
  const text = `[reached max turns (${limit}); stopping]`;
  yield model({ type: "text" as const, role: "assistant" as const, text, stop_reason: "failed" as const });
  return { kind: "max_turns" };
}

/** The list sent is in the Trace: from the meta, or from this event directly before the Request it first applies to. */
function* announceTools(state: EngineState, deps: TaskDeps): Generator<OmniMessage, void, void> {
  const tools = deps.tools.schemas();
  const list = JSON.stringify(tools);
  if (list === state.tool_list) return;
  yield event({ type: "tool_list_ready", tools });
  state.tool_list = list;
}

function buildRequest(state: EngineState, input: CompletePayload[], deps: TaskDeps): LlmRequest {
  return {
    system_prompt: deps.system_prompt,
    history: legalHistory([...state.history, ...input]),
    tools: deps.tools.schemas(),
    thinking_level: deps.thinking_level,
    ...(deps.max_tokens === undefined ? {} : { max_tokens: deps.max_tokens }),
    idle_timeout_ms: deps.idle_timeout_ms,
  };
}
