/** What stands right before a model call: the tool list on record, and the Request as the model gets it. */
import { event } from "../../lib/omni/build";
import type { CompletePayload, OmniMessage } from "../../lib/omni/message";
import { estimatedTokens } from "./estimate";
import { legalHistory } from "./history";
import type { LlmRequest } from "./ports";
import type { EngineState, TaskDeps } from "./state";

/** The list sent is in the Trace: from the meta, or from this event directly before the Request it first applies to. */
export function* announceTools(state: EngineState, deps: TaskDeps): Generator<OmniMessage, void, void> {
  const tools = deps.tools.schemas();
  const list = JSON.stringify(tools);
  if (list === state.tool_list) return;
  yield event({ type: "tool_list_ready", tools });
  state.tool_list = list;
}

/** `conversation`: committed turns and the input that follows them. */
export function buildRequest(conversation: CompletePayload[], state: EngineState, deps: TaskDeps): LlmRequest {
  const max_tokens = roomForAnswer(conversation, state, deps);
  return {
    system_prompt: deps.system_prompt,
    history: legalHistory(conversation),
    tools: deps.tools.schemas(),
    thinking_level: deps.thinking_level,
    ...(max_tokens === undefined ? {} : { max_tokens }),
    idle_timeout_ms: deps.idle_timeout_ms,
  };
}

/** Windows below this are taken for a mistake in the model's entry. */
const SMALLEST_WINDOW = 4_096;
const RESERVE = 1_024;
const LEAST_ANSWER = 512;

/** FF 5.1: no more than what the window leaves, which many providers refuse as a whole; undefined: no limit is sent. */
function roomForAnswer(conversation: CompletePayload[], state: EngineState, deps: TaskDeps): number | undefined {
  const { max_tokens, context_window } = deps;
  if (max_tokens === undefined || context_window === undefined || context_window < SMALLEST_WINDOW) return max_tokens;
  const left = context_window - estimatedTokens(conversation, deps, state.last_request_total) - RESERVE;
  return Math.min(max_tokens, Math.max(left, LEAST_ANSWER));
}
