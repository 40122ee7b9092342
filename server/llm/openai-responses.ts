/** The Responses protocol, without anything kept at the vendor. */
import { type AdapterDeps, type Protocol, protocolLlm } from "./call";
import { Manners } from "./habits";
import type { JsonObject } from "./json";
import type { ModelConfig } from "./model-config";
import { OPENAI_BASE_URL, openAiClient } from "./openai-chat";
import { post, type Target } from "./post";
import { ResponsesReader } from "./responses-reader";
import { responsesBody } from "./responses-request";

/** Summaries are for verified customers, and not every server of this protocol hands out what it thought. */
const OPTIONAL = {
  "reasoning.summary": /reasoning\.summary|reasoning summar/i,
  include: /["'`]include|encrypted_content["'`\]]? (is|are) not/,
};

const RESPONSES: Protocol = {
  client_type: "openai-responses",
  home: OPENAI_BASE_URL,
  exchange(model, url, request) {
    const manners = new Manners("openai-responses", model, url, OPTIONAL);
    const thinking = () => manners.thinking(request.thinking_level);
    return {
      next(verbatim) {
        const { vision = true, max_tokens } = model;
        const caps = [max_tokens, manners.habits.max_tokens];
        const options = { vision, caps, include: manners.takes("include") };
        const body = responsesBody(model.model_id, request, options, verbatim);
        const { fields } = thinking();
        const sent = manners.takes("reasoning.summary") ? fields : withoutSummary(fields);
        return body && ((target) => postResponses({ ...body, ...sent }, target));
      },
      learn: (failure) => manners.learn(failure, thinking()),
      reader: (answer) => new ResponsesReader(answer),
    };
  },
};

export function openAiResponses(model: ModelConfig, deps: AdapterDeps = {}) {
  return protocolLlm(RESPONSES, model, deps);
}

function withoutSummary({ reasoning }: Readonly<Record<string, unknown>>): JsonObject {
  if (typeof reasoning !== "object" || reasoning === null) return {};
  return { reasoning: { ...reasoning, summary: undefined } };
}

function postResponses(body: JsonObject, target: Target) {
  const key = target.apiKey;
  return post(target, key ? { authorization: `Bearer ${key}` } : {}, async (fetch) => {
    const client = await openAiClient(target, fetch);
    return client.post("/responses", { body, stream: true });
  });
}
