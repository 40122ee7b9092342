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
