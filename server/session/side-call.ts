/** Model calls outside of any Task (titles, image descriptions): one question, one text; counted by an `aux_usage`. */
import { event } from "../../lib/omni/build";
import type { AuxUsagePayload, CompletePayload, EventMessage, TokenCounts } from "../../lib/omni/message";
import type { Llm } from "../engine/ports";
import type { ResolvedModel } from "../project/models";

export interface SideQuestion {
  content: CompletePayload[];
  max_tokens: number;
  /** Milliseconds until it is given up. */
  timeout_ms: number;
}
/** `usage`: also of a call that failed, if the provider told it. */
export type SideAnswer = ({ ok: true; text: string } | { ok: false; message: string }) & { usage?: TokenCounts };

/** FF 5.1: no tools, no system prompt, no thinking; a smaller limit of the model wins. Never throws. */
export async function askAside(
  llm: Llm,
  model: Pick<ResolvedModel, "max_tokens">,
  question: SideQuestion,
  signal: AbortSignal,
): Promise<SideAnswer> {
  const limit = model.max_tokens && model.max_tokens > 0 ? model.max_tokens : question.max_tokens;
  const request = {
    system_prompt: "",
    history: question.content,
    tools: [],
    thinking_level: "none" as const,
    max_tokens: Math.min(limit, question.max_tokens),
    idle_timeout_ms: question.timeout_ms,
  };
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(question.timeout_ms)]);
  let text = "";
  let usage: TokenCounts | undefined;
  const stream = llm.stream(request, bounded);
  for (;;) {
    const step = await stream.next();
    if (step.done) {
      const { status, error_message } = step.value;
      const told = usage ? { usage } : {};
      if (status === "completed" && text.trim() !== "") return { ok: true, text, ...told };
      return { ok: false, message: error_message ?? (status === "completed" ? "no answer came" : status), ...told };
    }
    if (step.value.kind === "usage") usage = step.value.request;
    else if (step.value.message.payload.type === "text") text += step.value.message.payload.text;
  }
}

export function auxUsage(
  purpose: string,
  model: Pick<ResolvedModel, "provider" | "model_id" | "pricing">,
  request: TokenCounts,
  user: string | undefined,
): EventMessage<AuxUsagePayload> {
  const { provider, model_id, pricing } = model;
  const price = pricing ? { price: pricing } : {};
  return event({ type: "aux_usage", purpose, provider, model_id, request, ...price, ...(user ? { user } : {}) });
}
