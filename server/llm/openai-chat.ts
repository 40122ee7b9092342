/** Chat completions, the protocol most servers speak. */

import { endpoint } from "./base-url";
import { type AdapterDeps, type Protocol, protocolLlm } from "./call";
import { dialectOf, learn, rememberDialect } from "./chat-dialect";
import { ChatReader } from "./chat-reader";
import { type ChatBody, chatBody } from "./chat-request";
import type { ModelConfig } from "./model-config";
import { NEVER_MS, post, type Target } from "./post";

export const OPENAI_BASE_URL = "https://api.openai.com/v1";

const CHAT: Protocol = {
  client_type: "openai-chat",
  home: OPENAI_BASE_URL,
  exchange(model, url, request) {
    const key = `${url} ${model.model_id}`;
    const { vision = true, max_tokens: cap } = model;
    return {
      next(verbatim) {
        const body = chatBody(model.model_id, request, dialectOf(key), { vision, cap, verbatim });
        return body.messages.some((m) => m.role !== "system") ? (target) => postChat(body, target) : null;
      },
      learn({ http_status = 0, body }) {
        const next = learn(dialectOf(key), request.thinking_level, http_status, body);
        if (next) rememberDialect(key, next);
        return next !== null;
      },
      reader: (answer) => new ChatReader(answer, new Set(request.tools.map((tool) => tool.name))),
    };
  },
};

/** An `Llm` for one model behind a chat completions endpoint. */
export function openAiChat(model: ModelConfig, deps: AdapterDeps = {}) {
  return protocolLlm(CHAT, model, deps);
}

function postChat(body: ChatBody, target: Target) {
  const key = target.apiKey;
  return post(target, key ? { authorization: `Bearer ${key}` } : {}, async (fetch) => {
    const client = await openAiClient(target, fetch);
    return client.chat.completions.create(body);
  });
}

/** The vendor's client, without anything from the environment: those keys and headers belong to another host. */
export async function openAiClient({ url, apiKey }: Target, fetch: typeof globalThis.fetch) {
  const { default: OpenAI } = await import("openai");
  const { base, query } = endpoint(url);
  return new OpenAI({
    apiKey: apiKey || "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: "off",
    baseURL: base,
    defaultQuery: query,
    maxRetries: 0,
    timeout: NEVER_MS,
    fetch,
  });
}
