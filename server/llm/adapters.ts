/** Protocol -> adapter: the only list. */
import type { Llm, LlmEvent, LlmOutcome } from "../engine/ports";
import { DEMO_BASE_URL, DEMO_PROVIDER, demoFetch } from "./demo";
import type { ClientType, ModelConfig } from "./model-config";
import { type ChatDeps, openAiChat } from "./openai-chat";

type Adapter = (model: ModelConfig, deps: ChatDeps) => Llm;

const ADAPTERS: Partial<Record<ClientType, Adapter>> = { "openai-chat": openAiChat };

/** Client types that work in this version. */
export const SUPPORTED_CLIENT_TYPES: readonly string[] = Object.keys(ADAPTERS);

/**
 * The `Llm` of a model. Provider `demo` always resolves (RS9): the ordinary chat adapter over the built-in model.
 * A protocol without an adapter gives an `Llm` whose every Request is refused with a sentence that says so.
 */
export function createLlm(model: ModelConfig, deps: ChatDeps = {}): Llm {
  if (model.provider === DEMO_PROVIDER) {
    const demo: ModelConfig = { ...model, client_type: "openai-chat", base_url: DEMO_BASE_URL, api_key: undefined };
    return openAiChat(demo, { ...deps, fetch: demoFetch });
  }
  return ADAPTERS[model.client_type]?.(model, deps) ?? { stream: () => unsupported(model.client_type) };
}

// biome-ignore lint/correctness/useYield: the shape of a stream, with nothing to say
async function* unsupported(clientType: string): AsyncGenerator<LlmEvent, LlmOutcome, void> {
  const error_message = `The protocol "${clientType}" is not supported yet. Supported: ${SUPPORTED_CLIENT_TYPES.join(", ")}.`;
  return { status: "failed", refused: true, error_message };
}
