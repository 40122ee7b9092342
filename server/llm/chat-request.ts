/**
 * History -> body of a chat completions request. A pure function: the same history gives the same bytes, so that a
 * provider's prompt cache holds.
 */
import type { ChatCompletionMessageParam, ChatCompletionTool } from "openai/resources/chat/completions";
import { groupByRole } from "../../lib/omni/history";
import type { CompletePayload, ToolCallPayload, ToolSchema } from "../../lib/omni/message";
import type { LlmRequest } from "../engine/ports";
import { wireCalls, wireId } from "./call-ids";
import { type Dialect, effortFor } from "./chat-dialect";
import { asArray, asString, isArgumentObject } from "./json";
import { inlineThinking } from "./think-tags";
import { Verbatim } from "./verbatim";

/** Wire fields from which thinking may come and into which it goes back. */
export const REASONING_FIELDS: readonly string[] = ["reasoning_content", "reasoning", "reasoning_text"];
/** `reasoning_field` of thinking that stood between `<think>` tags inside the content. */
export const INLINE_FIELD = "content";

const NO_OUTPUT = "[no output]";
const LOST_OUTPUT = "[the output of this call was not recorded]";
const NO_IMAGE = "[an image was left out: this model takes text only]";

type UserPart = { type: "text"; text: string } | { type: "image_url"; image_url: { url: string } };
interface Draft {
  role: "user";
  parts: UserPart[];
}

export interface ChatBody {
  model: string;
  messages: ChatCompletionMessageParam[];
  tools?: ChatCompletionTool[];
  stream: true;
  [field: string]: unknown;
}

/** `vision: false` replaces images by a line of text. `cap`: the model's own bound of output tokens. */
export function chatBody(
  model: string,
  request: LlmRequest,
  dialect: Dialect,
  { vision, cap, verbatim = new Verbatim() }: { vision: boolean; cap?: number; verbatim?: Verbatim },
): ChatBody {
  const limit = [request.max_tokens, cap].filter((n) => n !== undefined && n > 0);
  const effort = effortFor(request.thinking_level, dialect);
  return {
    model,
    messages: chatMessages(request.system_prompt, request.history, vision, dialect.reasoning_required, verbatim),
    ...(request.tools.length > 0 ? { tools: request.tools.map(chatTool) } : {}),
    stream: true,
    ...(dialect.stream_options ? { stream_options: { include_usage: true } } : {}),
    ...(request.max_tokens !== undefined && limit.length > 0 && dialect.max_tokens !== "none"
      ? { [dialect.max_tokens]: Math.min(...limit.map(Number)) }
      : {}),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
  };
}

function chatTool(tool: ToolSchema): ChatCompletionTool {
  const parameters = tool.parameters ?? { type: "object", properties: {} };
  return { type: "function", function: { name: tool.name, description: tool.description, parameters } };
}

/**
 * Legal messages whatever the history: calls are followed by their outputs in call order, neighbours of one role are
 * merged, nothing empty is sent.
 */
export function chatMessages(
  systemPrompt: string,
  history: readonly CompletePayload[],
  vision: boolean,
  reasoningRequired: boolean,
  verbatim = new Verbatim(),
): ChatCompletionMessageParam[] {
  const speaksReasoning = history.some((p) => p.type === "thinking" && fieldOf(p) === "reasoning_content");
  const out: (ChatCompletionMessageParam | Draft)[] = [];
  if (systemPrompt !== "") out.push({ role: "system", content: systemPrompt });
  let pending: SentCall[] = [];
  const answerPending = (side: CompletePayload[]) => {
    out.push(...toolMessages(pending, side));
    const parts = userParts(side, new Set(pending.map((c) => c.id)), vision);
    pending = [];
    if (parts.length === 0) return;
    const last = out.at(-1);
    if (last && "parts" in last) last.parts.push(...parts);
    else out.push({ role: "user", parts });
  };
  for (const { role, payloads: side } of groupByRole(history.filter(saysSomething))) {
    if (role === "user") {
      answerPending(side);
      continue;
    }
    if (pending.length > 0) answerPending([]);
    const turn = assistantMessage(side, reasoningRequired || speaksReasoning, verbatim);
    if (turn === null) continue;
    out.push(turn.message);
    pending = turn.calls;
  }
  if (pending.length > 0) answerPending([]);
  return out.map((message) => ("parts" in message ? userMessage(message.parts) : message));
}

interface SentCall {
  id: string;
  wire: string;
}

/** A blank user text is no turn of its own. */
function saysSomething(payload: CompletePayload): boolean {
  return !(payload.type === "text" && payload.role === "user" && payload.text.trim() === "");
}

/** null: the turn says nothing. */
function assistantMessage(
  side: CompletePayload[],
  reasoningAlways: boolean,
  verbatim: Verbatim,
): { message: ChatCompletionMessageParam; calls: SentCall[] } | null {
  let content = "";
  let previous = "";
  const reasoning: Record<string, string> = {};
  const details: unknown[] = [];
  const calls: ToolCallPayload[] = [];
  for (const payload of side) {
    if (payload.type === "tool_call") calls.push(payload);
    if (payload.type === "text") content += previous === "text" ? `\n\n${payload.text}` : payload.text;
    if (payload.type === "thinking") {
      const field = fieldOf(payload);
      if (field === INLINE_FIELD) content += inlineThinking(payload.thinking);
      else if (REASONING_FIELDS.includes(field)) reasoning[field] = (reasoning[field] ?? "") + payload.thinking;
      details.push(...asArray(payload.fidelity?.reasoning_details).map((detail) => verbatim.value(detail)));
    }
    previous = payload.type;
  }
  if (content.trim() === "" && calls.length === 0) return null;
  if (reasoningAlways && calls.length > 0) reasoning.reasoning_content ??= "";
  const sent = wireCalls(calls);
  const message = {
    role: "assistant" as const,
    content: content.trim() === "" ? null : content,
    ...reasoning,
    ...(details.length > 0 ? { reasoning_details: details } : {}),
    ...(sent.length > 0 ? { tool_calls: sent.map(({ call, wire }) => wireCall(call, wire)) } : {}),
  };
  return { message, calls: sent.map(({ call, wire }) => ({ id: call.tool_call_id, wire })) };
}

/** EN6: the history sent is legal, the Trace keeps the original. */
function wireCall(call: ToolCallPayload, id: string) {
  const args = isArgumentObject(call.arguments) ? call.arguments : "{}";
  return { id, type: "function" as const, function: { name: call.name || "unnamed", arguments: args } };
}

function fieldOf(payload: CompletePayload): string {
  return payload.type === "thinking" ? asString(payload.fidelity?.reasoning_field) : "";
}

function toolMessages(pending: SentCall[], side: CompletePayload[]): ChatCompletionMessageParam[] {
  return pending.map(({ id, wire }) => {
    const output = side.find((p) => p.type === "tool_call_output" && p.tool_call_id === id);
    const content = output?.type === "tool_call_output" ? output.output || NO_OUTPUT : LOST_OUTPUT;
    return { role: "tool", tool_call_id: wire, content };
  });
}

/** Everything on the user's side that is not a tool message: images of outputs first, then the input. */
function userParts(side: CompletePayload[], answered: ReadonlySet<string>, vision: boolean): UserPart[] {
  const image = (url: string): UserPart =>
    vision ? { type: "image_url", image_url: { url } } : { type: "text", text: NO_IMAGE };
  const ofOutputs: UserPart[] = [];
  const input: UserPart[] = [];
  for (const payload of side) {
    if (payload.type === "tool_call_output") {
      const images = payload.images ?? [];
      const known = answered.has(payload.tool_call_id);
      const label = `${images.length > 1 ? "Images" : "Image"} from tool call ${wireId(payload.tool_call_id)}:`;
      if (!known) ofOutputs.push({ type: "text", text: `[output of an earlier tool call]\n${payload.output}` });
      if (images.length > 0) ofOutputs.push({ type: "text", text: label }, ...images.map(image));
    } else if (payload.type === "text") input.push({ type: "text", text: payload.text });
    else if (payload.type === "image_url") input.push(image(payload.image_url));
    else if (payload.type === "inline_data") {
      const picture = payload.mime_type.startsWith("image/");
      const text = `[an attachment of type ${payload.mime_type} was left out]`;
      input.push(picture ? image(`data:${payload.mime_type};base64,${payload.data}`) : { type: "text", text });
    }
  }
  return [...ofOutputs, ...input];
}

/** Plain text where there is nothing but text: some servers take no parts. */
function userMessage(parts: UserPart[]): ChatCompletionMessageParam {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return { role: "user", content: texts.length === parts.length ? texts.join("\n\n") : parts };
}
