/** The protocols in which models are spoken to. */

export const CLIENT_TYPES = ["openai-chat", "openai-responses", "anthropic-messages", "gemini"] as const;
export type ClientType = (typeof CLIENT_TYPES)[number];

/** Their names as people know them; no words to translate. */
export const PROTOCOL_NAMES: Record<ClientType, string> = {
  "openai-chat": "OpenAI Chat Completions",
  "openai-responses": "OpenAI Responses",
  "anthropic-messages": "Anthropic Messages",
  gemini: "Gemini",
};
