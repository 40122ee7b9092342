/** "Test this model": one tiny Request through the same adapter and the same address as the chat (PV16). */
import type { ModelTestResult } from "../../lib/api/schemas";
import { isComplete } from "../../lib/omni/guards";
import type { LlmRequest } from "../engine/ports";
import { createLlm } from "./adapters";
import type { AdapterDeps } from "./call";
import type { ModelConfig } from "./model-config";

const TIMEOUT_MS = 30_000;
/** Enough for models that think before they say a word. */
const MAX_TOKENS = 512;
const PROMPT = "Reply with one short sentence that says hello.";
const CHARS_PER_TOKEN = 4;

/** Never throws: a failed probe is an answer with the provider's own words. Times in milliseconds. */
export async function testModel(model: ModelConfig, deps: AdapterDeps = {}): Promise<ModelTestResult> {
  const request: LlmRequest = {
    system_prompt: "",
    history: [{ type: "text", role: "user", text: PROMPT }],
    tools: [],
    thinking_level: "low",
    max_tokens: MAX_TOKENS,
    idle_timeout_ms: TIMEOUT_MS,
  };
  const stream = createLlm(model, deps).stream(request, AbortSignal.timeout(TIMEOUT_MS));
  const started = performance.now();
  let first: number | undefined;
  let characters = 0;
  let counted = 0;
  for (;;) {
    const step = await stream.next();
    if (step.done) {
      const ended = performance.now();
      const { status, error_message } = step.value;
      if (status !== "completed") {
        const late = `No answer within ${TIMEOUT_MS / 1000} s.`;
        return {
          ok: false,
          latency_ms: Math.round(ended - started),
          message: status === "aborted" ? late : error_message,
        };
      }
      const seconds = (ended - (first ?? ended)) / 1000;
      const tokens = counted || Math.ceil(characters / CHARS_PER_TOKEN);
      return {
        ok: true,
        latency_ms: Math.round(ended - started),
        ...(first === undefined ? {} : { ttft_ms: Math.round(first - started) }),
        // A burst that came in one piece says nothing about speed.
        ...(seconds > 0.02 && tokens > 1 ? { tokens_per_s: Math.round((tokens / seconds) * 10) / 10 } : {}),
      };
    }
    if (step.value.kind === "usage") counted = step.value.request.output;
    else if (!isComplete(step.value.message)) first ??= performance.now();
    else if ("text" in step.value.message.payload) characters += String(step.value.message.payload.text).length;
  }
}
