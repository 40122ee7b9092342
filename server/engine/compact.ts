/**
 * Compaction: a context that grew too large makes room for a summary of itself, or (discard) for nothing.
 *
 *   compaction_begin ─▶ prompt ─▶ Request ─ usable ────────────▶ compaction_end completed: a new context
 *                         ▲          │ unusable: calls answered, a note, at once again
 *                         │          │ failed: announced wait, same input again
 *                         │          │ refused: once more, with less of the conversation
 *                         └──────────┘ one budget for all; used up, refused again, no credential, stopped:
 *                                      compaction_end, the context stays, and it never becomes a discard
 *
 * The first committed attempt absorbs what was carried over; an answer that was no summary stays in the history.
 */
import { extractSummary } from "../../lib/omni/blocks";
import { event, model } from "../../lib/omni/build";
import { heldOver, refusedInput } from "../../lib/omni/carry-over";
import type { CompletePayload, OmniMessage, StopReason, TextPayload } from "../../lib/omni/message";
import { type CompactionPlan, inVain } from "./compaction-plan";
import { squeezed, unsigned } from "./history";
import { announceTools, buildRequest } from "./prepare";
import { type RequestResult, runRequest } from "./request";
import { MAX_RETRIES } from "./retry";
import { type CompactionSettings, commit, type EngineState, type TaskDeps } from "./state";

export type CompactionOutcome =
  | { kind: "completed" }
  | { kind: "aborted" }
  /** The context is what it was. `auth`: for want of a credential. */
  | { kind: "failed" | "auth"; message: string };

/** What the `compaction_end` record says, and what follows from it. */
interface Ending {
  status: StopReason;
  attempt?: number;
  error_message?: string;
  summary?: string;
  auth?: true;
}

/** Every call of a model that was asked for a summary gets this for an output. */
export const CALL_REFUSED = "[tool error] the compaction request expects a summary, not tool calls";
const NO_SUMMARY = "the response held no summary";
const CALLED_TOOLS = "the response called tools instead of writing a summary";
const NOTE = `That answer cannot be used as the summary. Answer once more, with text only and without calling any tool, in this form:

[summary]the whole summary[/summary]`;

/** One begin/end pair, whatever happens. `state` is changed only by what is on disk. */
export async function* compact(
  state: EngineState,
  plan: CompactionPlan,
  deps: TaskDeps,
  signal: AbortSignal,
): AsyncGenerator<OmniMessage, CompactionOutcome, void> {
  const { reason, context, settings } = plan;
  const { mode } = settings;
  yield event({ type: "compaction_begin", reason, mode, context, turns: state.session_turns });
  const { summary, auth, ...ending } = yield* attempts(state, plan, deps, signal);
  yield event({ type: "compaction_end", reason, mode, ...ending });
  if (ending.status === "completed") openContext(state, settings, summary);
  else if (plan.too_long) setAside(state);
  if (ending.status === "completed" || ending.status === "aborted") return { kind: ending.status };
  return { kind: auth ? "auth" : "failed", message: ending.error_message ?? ending.status };
}

async function* attempts(
  state: EngineState,
  plan: CompactionPlan,
  deps: TaskDeps,
  signal: AbortSignal,
): AsyncGenerator<OmniMessage, Ending, void> {
  const useless = inVain(state, plan, deps);
  if (useless) return { status: "failed", error_message: useless };
  if (plan.settings.mode === "discard") return { status: "completed" };
  return yield* summarize(state, plan, deps, signal);
}

/** The new context: nothing was said in it yet. */
function openContext(state: EngineState, settings: CompactionSettings, summary: string | undefined): void {
  state.quick_compactions = state.session_turns > 1 ? 1 : state.quick_compactions + 1;
  state.history = [];
  // Outputs answer calls that nobody remembers any more.
  state.carry_over = state.carry_over.filter(({ type }) => type !== "tool_call_output");
  state.pending_summary = summary ?? null;
  state.last_request_total = 0;
  state.session_turns = 0;
  state.tool_list = settings.meta_tools;
}

/** A Request stays too long when it could not be compacted: its prompt returns to the person (EN4). */
function setAside(state: EngineState): void {
  const { kept, dropped } = refusedInput(state.carry_over);
  state.carry_over = kept;
  state.refused = dropped;
}

type Reduction = (conversation: CompletePayload[]) => CompletePayload[];

async function* summarize(
  state: EngineState,
  plan: CompactionPlan,
  deps: TaskDeps,
  signal: AbortSignal,
): AsyncGenerator<OmniMessage, Ending, void> {
  const prompt = harnessText(plan.settings.prompt);
  yield prompt;
  state.carry_over = heldOver(state.carry_over);
  let note: CompletePayload[] = [];
  let reduce: Reduction | null = plan.too_long ? squeezed : null;
  for (let attempt = 1; ; attempt += 1) {
    yield* announceTools(state, deps);
    const input = [...state.carry_over, ...note, prompt.payload];
    const result = yield* ask(state, input, reduce, deps, attempt, signal);
    if (result.outcome.status !== "completed") {
      if (mayReduce(result) && !reduce) {
        reduce = result.outcome.context_too_long ? squeezed : unsigned;
        continue;
      }
      const failure = notCompleted(result, attempt);
      if (failure) return failure;
      if (result.step?.retry) await deps.retry.sleep(result.step.delay_ms, signal);
      if (signal.aborted) return { status: "aborted", attempt };
      continue;
    }
    commit(state, input, result);
    const { summary, problem } = judge(result.content);
    if (problem === undefined) return { status: "completed", attempt, summary };
    if (signal.aborted) return { status: "aborted", attempt };
    if (attempt > MAX_RETRIES) return { status: "failed", attempt, error_message: problem };
    const again = harnessText(NOTE);
    note = [again.payload];
    yield again;
  }
}

/** One Request for a summary, with the same tools as any other (the provider's cache); none of them runs. */
async function* ask(
  state: EngineState,
  input: CompletePayload[],
  reduce: Reduction | null,
  deps: TaskDeps,
  attempt: number,
  signal: AbortSignal,
): AsyncGenerator<OmniMessage, RequestResult, void> {
  const conversation = [...state.history, ...input];
  const request = buildRequest(reduce ? reduce(conversation) : conversation, state, deps);
  state.refused = [];
  return yield* runRequest(request, { ...deps, refuse_calls: CALL_REFUSED }, attempt, state.session_tokens, signal);
}

/** A context that its provider refuses can only be left by a summary, so less of it is tried once. */
function mayReduce({ step }: RequestResult): boolean {
  return step?.retry === false && step.kind === "refused";
}

/** null: another attempt follows. */
function notCompleted({ step }: RequestResult, attempt: number): Ending | null {
  if (!step) return { status: "aborted", attempt };
  if (step.retry) return null;
  return { status: "failed", attempt, error_message: step.reason, ...(step.kind === "auth" ? { auth: true } : {}) };
}

function judge(content: CompletePayload[]): { summary?: string; problem?: string } {
  if (content.some(({ type }) => type === "tool_call")) return { problem: CALLED_TOOLS };
  const summary = extractSummary(content.map((payload) => (payload.type === "text" ? payload.text : "")).join(""));
  return summary === "" ? { problem: NO_SUMMARY } : { summary };
}

function harnessText(text: string) {
  const payload: TextPayload = { type: "text", role: "user", text, sender: "harness", stop_reason: "completed" };
  return model(payload);
}
