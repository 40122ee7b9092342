/** What stands right before a model call: the tool list on record, and the Request as the model gets it. */
import { event } from "../../lib/omni/build";
import type { CompletePayload, OmniMessage } from "../../lib/omni/message";
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
export function buildRequest(conversation: CompletePayload[], deps: TaskDeps): LlmRequest {
  return {
    system_prompt: deps.system_prompt,
    history: legalHistory(conversation),
    tools: deps.tools.schemas(),
    thinking_level: deps.thinking_level,
    ...(deps.max_tokens === undefined ? {} : { max_tokens: deps.max_tokens }),
    idle_timeout_ms: deps.idle_timeout_ms,
  };
}
