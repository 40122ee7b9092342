/** History -> body of a Messages request. The same history gives the same bytes, so that the prompt cache holds. */
import type { CompletePayload, ToolSchema } from "../../lib/omni/message";
import type { LlmRequest } from "../engine/ports";
import { asObject, type JsonObject, parseJson } from "./json";
import { type AssistantTurn, dataUrl, type Turn, turnsOf, type UserPart, type UserTurn } from "./turns";
import type { Verbatim } from "./verbatim";

type Block = JsonObject & { type: string };
type Message = { role: "user" | "assistant"; content: Block[] };

/** The protocol demands a bound; this one where nobody set any. Tokens. */
const DEFAULT_MAX_TOKENS = 32_000;
const CACHE = { cache_control: { type: "ephemeral" } };
const IMAGES = ["image/jpeg", "image/png", "image/gif", "image/webp"];

export interface AnthropicOptions {
  vision: boolean;
  /** Bounds of the output: the model's own, and what the endpoint allows. */
  caps: (number | undefined)[];
  /** Does it take `cache_control`? */
  cache: boolean;
}

export function anthropicMaxTokens(request: LlmRequest, caps: (number | undefined)[]): number {
  const bounds = [request.max_tokens, ...caps].filter((n): n is number => n !== undefined && n > 0);
  return bounds.length > 0 ? Math.min(...bounds) : DEFAULT_MAX_TOKENS;
}

/** Without `thinking`: whether it may be sent depends on the messages (`mayThink`). null: nothing to send. */
export function anthropicBody(
  model: string,
  request: LlmRequest,
  options: AnthropicOptions,
  verbatim: Verbatim,
): (JsonObject & { messages: Message[] }) | null {
  const turns = turnsOf(request.history, options.vision, (id) => id.replace(/[^\w-]/g, "_"));
  if (turns.length === 0) return null;
  const messages = turns.map((turn) => message(turn, verbatim));
  const { cache } = options;
  if (cache) markTurns(messages);
  const system = request.system_prompt.trim() === "" ? null : { type: "text", text: request.system_prompt };
  return {
    model,
    max_tokens: anthropicMaxTokens(request, options.caps),
    ...(system ? { system: [cache ? { ...system, ...CACHE } : system] } : {}),
    ...(request.tools.length > 0 ? { tools: request.tools.map(tool) } : {}),
    messages,
    stream: true,
  };
}

/**
 * With a budget, an assistant message inside a tool loop has to start with its thinking. Where that was left out (it
 * was another endpoint's, or the level was "none" then), this loop goes on without thinking.
 */
export function mayThink(messages: Message[]): boolean {
  if (messages.at(-1)?.content[0]?.type !== "tool_result") return true;
  const first = messages.findLast(({ role }) => role === "assistant")?.content[0];
  return first?.type === "thinking" || first?.type === "redacted_thinking";
}

/** What grows is cached up to its end, and up to where it ended the time before. */
function markTurns(messages: Message[]): void {
  const users = messages.filter(({ role }) => role === "user");
  for (const { content } of users.slice(-2)) {
    const last = content.length - 1;
    const block = content[last];
    if (block) content[last] = { ...block, ...CACHE };
  }
}

function tool({ name, description, parameters }: ToolSchema): JsonObject {
  return { name, description, input_schema: { properties: {}, ...parameters, type: "object" } };
}

function message(turn: Turn, verbatim: Verbatim): Message {
  return turn.role === "user"
    ? { role: "user", content: userBlocks(turn) }
    : { role: "assistant", content: assistantBlocks(turn, verbatim) };
}

function userBlocks({ answers, parts }: UserTurn): Block[] {
  const results = answers.map(({ id, output, images, failed }): Block => {
    const content = images.length > 0 ? [text(output), ...images.map(image)] : output;
    return { type: "tool_result", tool_use_id: id, content, ...(failed ? { is_error: true } : {}) };
  });
  return [...results, ...parts.map(userBlock)];
}

function userBlock(part: UserPart): Block {
  return part.kind === "text" ? text(part.text) : image(part.url);
}

function text(value: string): Block {
  return { type: "text", text: value };
}

function image(url: string): Block {
  const inline = dataUrl(url);
  if (!inline && /^https?:/.test(url)) return { type: "image", source: { type: "url", url } };
  if (!inline || !IMAGES.includes(inline.mime)) return text("[an image of a type that this model does not take]");
  return { type: "image", source: { type: "base64", media_type: inline.mime, data: inline.data } };
}

function assistantBlocks({ payloads, ids }: AssistantTurn, verbatim: Verbatim): Block[] {
  return payloads.flatMap((payload): Block[] => {
    switch (payload.type) {
      case "text":
        return payload.text.trim() === "" ? [] : [text(payload.text)];
      case "thinking":
        return thinking(payload, verbatim);
      case "tool_call": {
        // EN6: what is sent is legal, the Trace keeps the original.
        const input = asObject(parseJson(payload.arguments)?.value) ?? {};
        const name = payload.name.replace(/[^\w-]/g, "_").slice(0, 128) || "unnamed";
        return [{ type: "tool_use", id: ids.get(payload) ?? "", name, input }];
      }
      default:
        return [];
    }
  });
}

/** Thinking goes back as it came, with its signature; without one it has no place. */
function thinking(payload: CompletePayload & { type: "thinking" }, verbatim: Verbatim): Block[] {
  const { fidelity } = payload;
  const data = verbatim.text(fidelity, "redacted_data");
  if (data !== undefined) return [{ type: "redacted_thinking", data }];
  const signature = verbatim.text(fidelity, "signature");
  return signature === undefined ? [] : [{ type: "thinking", thinking: payload.thinking, signature }];
}
