/** The Messages protocol of Anthropic and of those who speak it too. */
import { AnthropicReader } from "./anthropic-reader";
import { anthropicBody, anthropicMaxTokens, mayThink } from "./anthropic-request";
import { endpoint } from "./base-url";
import { type AdapterDeps, type Protocol, protocolLlm } from "./call";
import { Manners } from "./habits";
import type { JsonObject } from "./json";
import type { ModelConfig } from "./model-config";
import { NEVER_MS, post, type Target } from "./post";

export const ANTHROPIC_BASE_URL = "https://api.anthropic.com";
const VERSION = "2023-06-01";

const MESSAGES: Protocol = {
  client_type: "anthropic-messages",
  home: ANTHROPIC_BASE_URL,
  exchange(model, url, request) {
    const manners = new Manners("anthropic-messages", model, url, { cache_control: /cache_control/ });
    const caps = () => [model.max_tokens, manners.habits.max_tokens];
    const thinking = () => manners.thinking(request.thinking_level, anthropicMaxTokens(request, caps()));
    return {
      next(verbatim) {
        const { vision = true } = model;
        const options = { vision, caps: caps(), cache: manners.takes("cache_control") };
        const body = anthropicBody(model.model_id, request, options, verbatim);
        if (body === null) return null;
        const { fields } = thinking();
        const held = isBudget(fields) && !mayThink(body.messages);
        return (target) => postMessages({ ...body, ...(held ? {} : fields) }, target);
      },
      learn: (failure) => manners.learn(failure, thinking()),
      reader: (answer) => new AnthropicReader(answer),
    };
  },
};

export function anthropic(model: ModelConfig, deps: AdapterDeps = {}) {
  return protocolLlm(MESSAGES, model, deps);
}

function isBudget({ thinking }: Readonly<Record<string, unknown>>): boolean {
  return typeof thinking === "object" && thinking !== null && "budget_tokens" in thinking;
}

function postMessages(body: JsonObject, target: Target) {
  return post(target, headersFor(target), async (fetch) => {
    const { default: Anthropic } = await import("@anthropic-ai/sdk");
    const { base, query } = endpoint(target.url);
    const client = new Anthropic({
      // Nothing may come from the environment: those keys and profiles belong to another host.
      apiKey: target.apiKey || "none",
      webhookKey: null,
      logLevel: "off",
      baseURL: base,
      defaultQuery: query,
      maxRetries: 0,
      timeout: NEVER_MS,
      fetch,
    });
    return client.post("/v1/messages", { body, stream: true });
  });
}

/** The vendor takes the key as a bearer; servers that speak its protocol often know only the older header. */
function headersFor({ apiKey, url }: Target): Record<string, string> {
  const head = { "anthropic-version": VERSION };
  if (!apiKey) return head;
  const bearer = { ...head, authorization: `Bearer ${apiKey}` };
  return new URL(url).origin === new URL(ANTHROPIC_BASE_URL).origin ? bearer : { ...bearer, "x-api-key": apiKey };
}
