/** A model behind the hard budgets: each call is asked about first, and a refusal is an outcome like any other. */
import type { Llm, LlmRequest } from "../engine/ports";
import type { Budgets } from "./budgets";
import type { Spender } from "./reservations";

const BYTES_PER_TOKEN = 4;

/** `spender` is asked at each call: a Session may be used by somebody else by then. */
export function limited(llm: Llm, budgets: Pick<Budgets, "check">, spender: () => Spender): Llm {
  return {
    async *stream(request, signal) {
      const verdict = await budgets.check(spender(), () => inputTokens(request));
      if (!verdict.ok) {
        return { status: "failed", refused: true, over_budget: true, error_message: verdict.message };
      }
      try {
        return yield* llm.stream(request, signal);
      } finally {
        verdict.done();
      }
    },
  };
}

/** About, from below: images are not counted. */
function inputTokens({ system_prompt, history, tools }: LlmRequest): number {
  let bytes = system_prompt.length + JSON.stringify(tools).length;
  for (const payload of history) {
    if (payload.type === "text") bytes += payload.text.length;
    else if (payload.type === "tool_call") bytes += payload.arguments.length;
    else if (payload.type === "tool_call_output") bytes += payload.output.length;
  }
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
