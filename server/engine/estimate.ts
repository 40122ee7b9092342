/** About how many tokens a Request takes: what its provider will say is known only afterwards. */
import type { CompletePayload } from "../../lib/omni/message";
import type { TaskDeps } from "./state";

const BYTES_PER_TOKEN = 4;
const IMAGE_TOKENS = 1_500;

type Fixed = Pick<TaskDeps, "system_prompt" | "tools">;

/** Of a whole Request; never less than `known`, what the provider said of a shorter conversation. */
export function estimatedTokens(conversation: readonly CompletePayload[], fixed: Fixed, known: number): number {
  const said = conversation.reduce((sum, payload) => sum + payloadTokens(payload), 0);
  return Math.max(known, overheadTokens(fixed) + said);
}

/** Of what every Request of an Agent has: system prompt and tools. */
export function overheadTokens({ system_prompt, tools }: Fixed): number {
  return textTokens(system_prompt) + textTokens(JSON.stringify(tools.schemas()));
}

function textTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

function payloadTokens(payload: CompletePayload): number {
  switch (payload.type) {
    case "text":
      return textTokens(payload.text);
    case "thinking":
      return textTokens(payload.thinking);
    case "tool_call":
      return textTokens(payload.name) + textTokens(payload.arguments);
    case "tool_call_output":
      return textTokens(payload.output) + IMAGE_TOKENS * (payload.images?.length ?? 0);
    default:
      return IMAGE_TOKENS;
  }
}
