/** The last look at what a model is about to get: the Trace keeps the original, the model gets what it can accept. */
import type { CompletePayload, ToolCallPayload } from "../../lib/omni/message";
import { argumentsProblem } from "./tool-calls";

/**
 * EN6: arguments that are not a JSON object are sent as `{}` (the output of that call tells the model why it was not
 * run), and messages without any content are left out. Everything else passes unchanged and by reference.
 */
export function legalHistory(history: CompletePayload[]): CompletePayload[] {
  return history.flatMap((payload) => {
    if (payload.type === "tool_call") return withLegalArguments(payload);
    return isEmpty(payload) ? [] : payload;
  });
}

function withLegalArguments(call: ToolCallPayload): ToolCallPayload {
  const legal = call.arguments.trim() !== "" && argumentsProblem(call) === null;
  return legal ? call : { ...call, arguments: "{}" };
}

/** An opaque provider payload can be all there is of a message; then it counts. */
function isEmpty(payload: CompletePayload): boolean {
  if (payload.type === "text") return payload.text === "" && !payload.fidelity;
  if (payload.type === "thinking") return payload.thinking === "" && !payload.fidelity;
  return false;
}

const SQUEEZED_CHARS = 4_000;

/** What is left of a conversation that was too long to be sent: large outputs lose their middle, and their images. */
export function squeezed(conversation: CompletePayload[]): CompletePayload[] {
  return conversation.map((payload) => {
    if (payload.type !== "tool_call_output") return payload;
    const { images, output, ...rest } = payload;
    if (output.length <= SQUEEZED_CHARS) return images ? { ...rest, output } : payload;
    const half = SQUEEZED_CHARS / 2;
    const short = `${output.slice(0, half)}\n[${output.length - SQUEEZED_CHARS} characters left out]\n${output.slice(-half)}`;
    return { ...rest, output: short };
  });
}

/** What any provider should accept: without what it signed or wrote for itself alone, and without images. */
export function unsigned(conversation: CompletePayload[]): CompletePayload[] {
  return squeezed(conversation).flatMap((payload) => {
    if (payload.type === "thinking" || payload.type === "inline_thinking") return [];
    if (!("fidelity" in payload)) return payload;
    const { fidelity: _, ...rest } = payload;
    return rest;
  });
}
