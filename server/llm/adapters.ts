/** Protocol -> adapter: the only list. */
import type { Llm } from "../engine/ports";
import { anthropic } from "./anthropic";
import type { AdapterDeps } from "./call";
import { DEMO_BASE_URL, DEMO_PROVIDER, demoFetch } from "./demo";
import { gemini } from "./gemini";
import type { ClientType, ModelConfig } from "./model-config";
import { openAiChat } from "./openai-chat";
import { openAiResponses } from "./openai-responses";

type Adapter = (model: ModelConfig, deps: AdapterDeps) => Llm;

const ADAPTERS: Record<ClientType, Adapter> = {
  "openai-chat": openAiChat,
  "openai-responses": openAiResponses,
  "anthropic-messages": anthropic,
  gemini,
};

/**
 * The `Llm` of a model. Provider `demo` always resolves (RS9): the ordinary chat adapter over the built-in model.
 * The vendors' packages are loaded with the first Request.
 */
export function createLlm(model: ModelConfig, deps: AdapterDeps = {}): Llm {
  if (model.provider === DEMO_PROVIDER) {
    const demo: ModelConfig = { ...model, client_type: "openai-chat", base_url: DEMO_BASE_URL, api_key: undefined };
    return openAiChat(demo, { ...deps, fetch: demoFetch });
  }
  return ADAPTERS[model.client_type](model, deps);
}
