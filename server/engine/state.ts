/** What the loop works on: the state one Task hands to the next, and what a Task is given. */
import { writeContextSummary } from "../../lib/omni/blocks";
import type { CompletePayload, TextPayload, ThinkingLevel, TokenCounts } from "../../lib/omni/message";
import type { Inbox } from "./inbox";
import type { Approve, Llm, Tools } from "./ports";
import type { RequestResult, Stamp } from "./request";
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
  /** Tokens of the last Request, as its provider told; 0 in a new context. */
  last_request_total: number;
  /** Committed Requests of this context, compactions not counted. */
  session_turns: number;
  /** JSON of the tool list that the Trace says is being sent. */
  tool_list: string;
  /** Completed compactions in a row, each of a context that held no more than one Request. */
  quick_compactions: number;
}

/** How an Agent's contexts are compacted. */
export interface CompactionSettings {
  mode: "summarize" | "discard";
  /** A Request of so many tokens, or more, calls for a compaction. */
  threshold: number;
  /** So many Requests in one context do too; <= 0: never. */
  max_turns: number;
  /** What the model is asked for. */
  prompt: string;
  /** JSON of the tool list in the Session's meta: what a new file says is being sent. */
  meta_tools: string;
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
  /** Of an answer; absent: no limit is sent. */
  max_tokens?: number;
  /** Tokens that the model can hold; absent: unknown. */
  context_window?: number;
  idle_timeout_ms: number;
  /** Requests per Task; <= 0: no limit. */
  max_turns: number;
  /** null: contexts are never compacted. */
  compaction: CompactionSettings | null;
}

/** The commit point: `request_end` completed is on disk. What is owed next are the outputs of its calls. */
export function commit(state: EngineState, input: CompletePayload[], result: RequestResult): void {
  state.history = [...state.history, ...input, ...result.content];
  state.carry_over = result.outputs;
  if (result.session) state.session_tokens = result.session;
  if (result.usage) state.last_request_total = result.usage.total;
}

/** The text by which a context begins with the summary of the one before it. */
export function summaryText(summary: string): TextPayload {
  return { type: "text", role: "user", text: writeContextSummary(summary), stop_reason: "completed" };
}

/** The reason of a Task's abort signal. */
export interface StopReasonDetail {
  reason: string;
  by?: string;
}

export function stopDetail(signal: AbortSignal): StopReasonDetail {
  const given: unknown = signal.reason;
  const isDetail = (value: unknown): value is StopReasonDetail =>
    typeof value === "object" && value !== null && "reason" in value && typeof value.reason === "string";
  return isDetail(given) ? given : { reason: "aborted by user" };
}
