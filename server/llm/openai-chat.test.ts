import { adapterConformance, type Wire, type WirePart } from "./adapter-conformance";
import { CHAT_DONE, callDelta, chatChunk, chatEvent, chatUsageChunk } from "./fixtures/chat-wire";
import { openAiChat } from "./openai-chat";

function spell(parts: WirePart[]): string {
  let calls = 0;
  return parts
    .flatMap((part) => {
      if ("thinking" in part) return halves(part.thinking).map((x) => chatChunk({ reasoning_content: x }));
      if ("text" in part) return halves(part.text).map((x) => chatChunk({ content: x }));
      const index = calls++;
      const opening = chatChunk(callDelta(index, part.call.id, part.call.name, ""));
      return [opening, ...halves(part.call.args).map((x) => chatChunk(callDelta(index, undefined, undefined, x)))];
    })
    .join("");
}
function halves(text: string): string[] {
  const points = [...text];
  const middle = Math.ceil(points.length / 2);
  return [points.slice(0, middle).join(""), points.slice(middle).join("")].filter((x) => x !== "");
}

const wire: Wire = {
  answer(parts, end) {
    if (end === "none") return spell(parts);
    const calls = parts.some((part) => "call" in part);
    const finish = end === "length" ? "length" : calls ? "tool_calls" : "stop";
    return chatChunk({ role: "assistant", content: "" }) + spell(parts) + chatChunk({}, finish) + CHAT_DONE;
  },
  withUsage(parts) {
    const usage = {
      prompt_tokens: 1000,
      completion_tokens: 50,
      total_tokens: 1050,
      prompt_tokens_details: { cached_tokens: 800 },
      completion_tokens_details: { reasoning_tokens: 30 },
    };
    return spell(parts) + chatChunk({}, "stop") + chatUsageChunk(usage) + CHAT_DONE;
  },
  error(kind, message) {
    const code = { auth: "invalid_api_key", context: "context_length_exceeded" }[kind as string] ?? null;
    return JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code } });
  },
  errorInside(text, message) {
    return chatChunk({ content: text }) + chatEvent({ error: { message, type: "server_error", code: 503 } });
  },
};

adapterConformance("openai-chat", wire, (url, api_key) =>
  openAiChat({ provider: "fake", model_id: "m", client_type: "openai-chat", base_url: url, api_key }),
);
