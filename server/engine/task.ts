/**
 * One Task: input, then Requests until no tool was called and no steering waits. An async generator that touches no
 * disk: its consumer writes each message before it asks for the next, so what was yielded is durable.
 *
 *   input -> Request -> outputs in call order (+ steering) -> Request -> ... -> end (-> compaction, when due)
 *              |  |
 *              |  \-> compaction due: the outputs go into the summary, the summary is the next input
 *              \-> failed: wait, same input again -> ... -> retries exhausted -> end
 */
import { event, model } from "../../lib/omni/build";
import { abortedInput, heldOver, refusedInput, retriedInput } from "../../lib/omni/carry-over";
import { writeMaxTurns } from "../../lib/omni/marks";
import type { CompleteMessage, CompletePayload, OmniMessage } from "../../lib/omni/message";
import { compact } from "./compact";
import { type CompactionPlan, dueCompaction, rescue } from "./compaction-plan";
import { announceTools, buildRequest } from "./prepare";
import { type RequestResult, runRequest } from "./request";
import { commit, type EngineState, stopDetail, summaryText, type TaskDeps } from "./state";

export type TaskOutcome =
  | { kind: "completed" | "aborted" | "max_turns" }
  | { kind: "auth" | "failed"; message: string }
  /** `text`: what the person had written; it returns to the composer. */
  | { kind: "refused"; message: string; text: string };

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
      if (signal.aborted) return yield* stopped(signal);
      const due = dueCompaction(state, deps, round.usage);
      if (round.outputs.length === 0 && deps.inbox.items.length === 0) return yield* finished(state, due, deps, signal);
      if (deps.max_turns > 0 && turns >= deps.max_turns) return yield* tooManyTurns(deps.max_turns);
      // A discard waits for the Task's end.
      if (due?.settings.mode === "summarize") {
        const failure = yield* compactWithin(state, due, deps, signal);
        if (failure) return failure;
      }
      const steering = deps.inbox.deliver();
      base = [...takeSummary(state), ...state.carry_over, ...steering.map((message) => message.payload)];
      state.carry_over = base;
      yield* steering;
    }
  } finally {
    deps.inbox.close();
    state.carry_over = heldOver(state.carry_over);
  }
}

/** A compaction that a person asked for, between two Tasks. A failure is told by its records. */
export async function* compactByHand(
  state: EngineState,
  plan: CompactionPlan,
  deps: TaskDeps,
  signal: AbortSignal,
): AsyncGenerator<OmniMessage, TaskOutcome, void> {
  return yield* finished(state, plan, deps, signal);
}

function firstInput(state: EngineState, input: CompleteMessage[]): CompletePayload[] {
  const base: CompletePayload[] = [
    ...takeSummary(state),
    ...state.carry_over,
    // A new Prompt replaces the refused one; without one, the refused one is repeated.
    ...(input.length === 0 ? state.refused : input.map((message) => message.payload)),
  ];
  state.refused = [];
  state.carry_over = base;
  return base;
}

/** The summary goes ahead of everything else, once. */
function takeSummary(state: EngineState): CompletePayload[] {
  const summary = state.pending_summary;
  state.pending_summary = null;
  return summary === null ? [] : [summaryText(summary)];
}

/** The Task is over and takes no more steering; a compaction that is due follows while nobody waits for an answer. */
async function* finished(
  state: EngineState,
  due: CompactionPlan | null,
  deps: TaskDeps,
  signal: AbortSignal,
): AsyncGenerator<OmniMessage, TaskOutcome, void> {
  deps.inbox.close();
  const result = due && (yield* compact(state, due, deps, signal));
  if (result?.kind === "aborted") return yield* stopped(signal, "aborted during compaction");
  if (result?.kind === "auth") return { kind: "auth", message: result.message };
  return { kind: "completed" };
}

/** A compaction in the middle of a Task; null: it goes on, in a new context. The context stays when it fails. */
async function* compactWithin(
  state: EngineState,
  plan: CompactionPlan,
  deps: TaskDeps,
  signal: AbortSignal,
): AsyncGenerator<OmniMessage, TaskOutcome | null, void> {
  const result = yield* compact(state, plan, deps, signal);
  if (result.kind === "completed") return null;
  if (result.kind === "aborted") return yield* stopped(signal, "aborted during compaction");
  const message = `compaction failed: ${result.message}`;
  yield event({ type: "abort", reason: message });
  return { kind: result.kind === "auth" ? "auth" : "failed", message };
}

/** One turn: the same input until a Request completes (committed) or there is no further attempt. */
async function* runRound(
  state: EngineState,
  first: CompletePayload[],
  deps: TaskDeps,
  signal: AbortSignal,
): AsyncGenerator<OmniMessage, RequestResult | TaskOutcome, void> {
  let base = first;
  /** What failed attempts produced, tool outputs included. */
  let lost: CompletePayload[] = [];
  /** What is done, once, should the provider say that this is too long (EN4). */
  let resort = rescue(state, deps);
  for (let attempt = 1; ; attempt += 1) {
    const input = retriedInput(base, lost);
    yield* announceTools(state, deps);
    const request = buildRequest([...state.history, ...input], state, deps);
    const ports = { ...deps, compactable: resort !== null };
    const result = yield* runRequest(request, ports, attempt, state.session_tokens, signal);
    if (result.outcome.status === "completed") {
      commit(state, input, result);
      state.session_turns += 1;
      return result;
    }
    const { step } = result;
    if (!step) {
      state.carry_over = abortedInput(input, result.produced);
      return yield* stopped(signal);
    }
    lost = [...lost, ...result.produced];
    if (step.retry) {
      state.carry_over = retriedInput(base, lost);
      await deps.retry.sleep(step.delay_ms, signal);
      if (signal.aborted) return yield* stopped(signal, "aborted during reconnect backoff");
    } else if (step.kind === "too_long" && resort) {
      state.carry_over = retriedInput(base, lost);
      const failure = yield* compactWithin(state, resort, deps, signal);
      if (failure) return returned(failure, result, base);
      state.carry_over = base = takeSummary(state);
      lost = [];
      resort = null;
      attempt = 0;
    } else return yield* ended(state, { base, input, lost, result }, step.kind, step.reason);
  }
}

/** What was too long could not be compacted either: the prompt returns to the composer. */
function returned(failure: TaskOutcome, result: RequestResult, base: CompletePayload[]): TaskOutcome {
  if (failure.kind !== "failed") return failure;
  const cause = result.outcome.error_message ?? "the context is too long";
  const message = failure.message.includes(cause) ? failure.message : `${cause} (${failure.message})`;
  return { kind: "refused", message, text: personsText(base) };
}

interface LostRound {
  base: CompletePayload[];
  input: CompletePayload[];
  /** What all attempts produced, this one included. */
  lost: CompletePayload[];
  result: RequestResult;
}

/** No further attempt: decides what is carried over, and says why. */
function* ended(
  state: EngineState,
  round: LostRound,
  kind: "auth" | "refused" | "too_long" | "failed",
  reason: string,
): Generator<OmniMessage, TaskOutcome, void> {
  const message = round.result.outcome.error_message ?? reason;
  if (kind === "refused" || kind === "too_long") {
    const { kept, dropped } = refusedInput(round.input);
    state.carry_over = retriedInput(kept, round.result.produced);
    state.refused = dropped;
    yield event({ type: "abort", reason });
    return { kind: "refused", message, text: personsText(round.base) };
  }
  state.carry_over =
    kind === "auth" ? abortedInput(round.input, round.result.produced) : retriedInput(round.base, round.lost);
  yield event({ type: "abort", reason });
  return { kind, message };
}

/** What a person typed in this input; every record written for a person carries a client_id. */
function personsText(input: CompletePayload[]): string {
  return input
    .flatMap((payload) =>
      payload.type === "text" && payload.client_id !== undefined && !payload.sender ? [payload.text] : [],
    )
    .join("\n\n");
}

function* stopped(signal: AbortSignal, reason?: string): Generator<OmniMessage, TaskOutcome, void> {
  const detail = stopDetail(signal);
  yield event({ type: "abort", reason: reason ?? detail.reason, ...(detail.by ? { by: detail.by } : {}) });
  return { kind: "aborted" };
}

function* tooManyTurns(limit: number): Generator<OmniMessage, TaskOutcome, void> {
  const text = writeMaxTurns(limit);
  yield model({ type: "text" as const, role: "assistant" as const, text, stop_reason: "failed" as const });
  return { kind: "max_turns" };
}
