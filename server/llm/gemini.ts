/** The Gemini protocol. */
import type { Content, GenerateContentConfig } from "@google/genai";
import { endpoint } from "./base-url";
import { type AdapterDeps, type Protocol, protocolLlm } from "./call";
import { GeminiReader } from "./gemini-reader";
import { geminiConfig, geminiContents } from "./gemini-request";
import { Manners } from "./habits";
import type { ModelConfig } from "./model-config";
import { post, type Target } from "./post";

export const GEMINI_BASE_URL = "https://generativelanguage.googleapis.com";

const GEMINI: Protocol = {
  client_type: "gemini",
  home: GEMINI_BASE_URL,
  unusable: ({ model_id }) => (modelPath(model_id) === null ? BAD_ID : null),
  exchange(model, url, request) {
    const manners = new Manners("gemini", model, url);
    const thinking = () => manners.thinking(request.thinking_level);
    return {
      next(verbatim) {
        const { vision = true, max_tokens } = model;
        const caps = [max_tokens, manners.habits.max_tokens];
        // Models before the third do not know the word that stands for a lost signature.
        const signed = !/gemini-[12]\b|gemma/.test(model.model_id);
        const contents = geminiContents(request, { vision, caps, signed }, verbatim);
        if (contents.length === 0) return null;
        const config = { ...geminiConfig(request, caps), ...thinking().fields };
        return (target) => postGemini(modelPath(model.model_id) ?? "", contents, config, target);
      },
      learn: (failure) => manners.learn(failure, thinking()),
      reader: (answer) => new GeminiReader(answer),
    };
  },
};

const BAD_ID = "The model id cannot stand in an address of the Gemini protocol. Correct it on the Models page.";

/** The id as it stands in the path, where it must name a model and nothing else. null: it cannot be spelt so. */
export function modelPath(id: string): string | null {
  const [, collection = "models", name = ""] = /^(?:(models|tunedModels)\/)?(.*)$/s.exec(id) ?? [];
  // The package takes no two dots in a row.
  if (name === "" || name.includes("..") || /\p{Cs}/u.test(name)) return null;
  return `${collection}/${encodeURIComponent(name)}`;
}

export function gemini(model: ModelConfig, deps: AdapterDeps = {}) {
  return protocolLlm(GEMINI, model, deps);
}

function postGemini(model: string, contents: Content[], config: GenerateContentConfig, target: Target) {
  return post(target, target.apiKey ? { "x-goog-api-key": target.apiKey } : {}, async (carry) => {
    const { GoogleGenAI } = await import("@google/genai");
    const { base, query } = endpoint(target.url);
    const client = new GoogleGenAI({
      // Nothing may come from the environment: those keys and addresses belong to another host.
      apiKey: target.apiKey || "none",
      vertexai: false,
      httpOptions: { baseUrl: base, apiVersion: "v1beta", fetch: (url, init) => carry(withQuery(url, query), init) },
    });
    return client.models.generateContentStream({ model, contents, config });
  });
}

function withQuery(url: string | URL | Request, query: Record<string, string>): URL {
  const full = new URL(url instanceof Request ? url.url : url);
  for (const [key, value] of Object.entries(query)) full.searchParams.set(key, value);
  return full;
}
