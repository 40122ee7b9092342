/** The Messages protocol as a fake vendor speaks it. */
import { asArray, asObject, asString, isObject, type JsonObject } from "../json";
import { extras, halves, seal, sse, type Wire, type WireCall, type WirePart, type WireUsage } from "./wire";

/** A signature belongs to its thinking. */
export const signature = (thinking: string) => seal("sig", thinking);
const redacted = (content: string) => seal("red", content);

const event = (value: JsonObject & { type: string }) => sse(value, value.type);

function block(index: number, start: JsonObject, deltas: JsonObject[], whole: boolean): string {
  return (
    event({ type: "content_block_start", index, content_block: start }) +
    deltas.map((delta) => event({ type: "content_block_delta", index, delta })).join("") +
    (whole ? event({ type: "content_block_stop", index }) : "")
  );
}

function spellPart(part: WirePart, index: number, whole: boolean): string {
  if ("hidden" in part) return block(index, { type: "redacted_thinking", data: redacted(part.hidden) }, [], whole);
  if ("text" in part) {
    const deltas = halves(part.text).map((text) => ({ type: "text_delta", text }));
    return block(index, { type: "text", text: "", citations: null }, deltas, whole);
  }
  if ("thinking" in part) {
    const deltas = halves(part.thinking).map((thinking): JsonObject => ({ type: "thinking_delta", thinking }));
    if (whole) deltas.push({ type: "signature_delta", signature: signature(part.thinking) });
    return block(index, { type: "thinking", thinking: "", signature: "" }, deltas, whole);
  }
  const { id, name, args } = part.call;
  const deltas = halves(args).map((partial_json) => ({ type: "input_json_delta", partial_json }));
  return block(index, { type: "tool_use", id, name, input: {} }, deltas, whole);
}

function usageOf({ fresh, cached, created, output }: WireUsage): JsonObject {
  return {
    input_tokens: fresh,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: created,
    output_tokens: output,
  };
}

const NO_USAGE = { input_tokens: 0, output_tokens: 0 };

function begin(usage: JsonObject = NO_USAGE): string {
  const message = { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], stop_reason: null };
  return event({ type: "message_start", message: { ...message, usage } }) + event({ type: "ping" });
}

/** Fragments of several calls interleave by their block index; the real vendor sends one block after the other. */
function interleaved(calls: WireCall[]): string {
  const starts = calls.map(({ id, name }, index) => block(index, { type: "tool_use", id, name, input: {} }, [], false));
  const deltas = [0, 1].flatMap((half) =>
    calls.map(({ args }, index) => {
      const delta = { type: "input_json_delta", partial_json: halves(args)[half] ?? "" };
      return event({ type: "content_block_delta", index, delta });
    }),
  );
  const stops = calls.map((_, index) => event({ type: "content_block_stop", index }));
  return begin() + [...starts, ...deltas, ...stops].join("") + finish("tool_use");
}

function finish(stop_reason: string, usage?: JsonObject): string {
  const delta = { stop_reason, stop_sequence: null };
  return (
    event({ type: "message_delta", delta, usage: usage ?? { output_tokens: 0 } }) + event({ type: "message_stop" })
  );
}

export const anthropicWire: Wire = {
  answer(parts, end, usage) {
    const said = usage && usageOf(usage);
    const spelled = parts.map((part, i) => spellPart(part, i, end !== "none" || i < parts.length - 1)).join("");
    // The head tells the input and a first guess at the output, the end tells the sum.
    const head = begin(said && { ...said, output_tokens: 1 });
    if (end === "none") return head + spelled;
    const calls = parts.some((part) => "call" in part);
    return head + spelled + finish(end === "length" ? "max_tokens" : calls ? "tool_use" : "end_turn", said);
  },
  interleaved,
  error(kind, message) {
    const types = { auth: "authentication_error", rate_limit: "rate_limit_error", server: "overloaded_error" };
    const type = kind === "refused" || kind === "context" ? "invalid_request_error" : types[kind];
    const words = kind === "context" ? `prompt is too long: 210000 tokens > 200000 maximum (${message})` : message;
    return JSON.stringify({ type: "error", error: { type, message: words }, request_id: "req_1" });
  },
  errorInside(text, message) {
    const error = { type: "overloaded_error", message };
    return begin() + spellPart({ text }, 0, false) + event({ type: "error", error });
  },
  illegal: anthropicIllegal,
  asks: (path) => /\/v1\/messages$/.test(path) && !/\/v1\/v1\//.test(path),
  models: (ids) =>
    JSON.stringify({ data: ids.map((id) => ({ id, type: "model", display_name: id })), has_more: false }),
};

const TOP = ["model", "messages", "max_tokens", "system", "tools", "thinking", "output_config", "stream"];
const BLOCKS: Record<string, string[]> = {
  text: ["type", "text", "cache_control"],
  image: ["type", "source", "cache_control"],
  thinking: ["type", "thinking", "signature"],
  redacted_thinking: ["type", "data"],
  tool_use: ["type", "id", "name", "input", "cache_control"],
  tool_result: ["type", "tool_use_id", "content", "is_error", "cache_control"],
};
const IMAGES = ["image/jpeg", "image/png", "image/gif", "image/webp"];

function anthropicIllegal(body: JsonObject, headers: Readonly<Record<string, unknown>>): string[] {
  const bad = extras(body, TOP, "body");
  if (!headers["anthropic-version"]) bad.push("anthropic-version is missing");
  if (!headers.authorization && !headers["x-api-key"]) bad.push("no key");
  if (typeof body.max_tokens !== "number" || body.max_tokens < 1) bad.push("max_tokens: field required");
  const messages = asArray(body.messages).map((m) => asObject(m) ?? {});
  if (messages[0]?.role !== "user") bad.push("messages.0: must be of the user");
  if (messages.at(-1)?.role !== "user") bad.push("the conversation must end with a user message");
  let owed: string[] = [];
  const seen = new Set<string>();
  messages.forEach((message, i) => {
    const at = `messages.${i}`;
    if (i > 0 && message.role === messages[i - 1]?.role) bad.push(`${at}: roles must alternate`);
    const blocks = blocksOf(message.content);
    if (blocks.length === 0) bad.push(`${at}: content must not be empty`);
    for (const part of blocks) bad.push(...blockProblems(part, asString(message.role), at));
    if (message.role === "user") {
      bad.push(...resultProblems(blocks, owed, at));
      owed = [];
    } else {
      owed = blocks.filter((b) => b.type === "tool_use").map((b) => asString(b.id));
      for (const id of owed) if (seen.has(id)) bad.push(`${at}: tool_use ids must be unique`);
      for (const id of owed) seen.add(id);
      if (/thinking$/.test(asString(blocks.at(-1)?.type))) bad.push(`${at}: the final block cannot be thinking`);
    }
  });
  return [...bad, ...thinkingProblems(body, messages), ...cacheProblems(body, messages), ...toolProblems(body)];
}

function blocksOf(content: unknown): JsonObject[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return asArray(content).map((b) => asObject(b) ?? {});
}

function blockProblems(part: JsonObject, role: string, at: string): string[] {
  const type = asString(part.type);
  const known = BLOCKS[type];
  if (!known) return [`${at}: unknown block ${type}`];
  const bad = extras(part, known, `${at}.${type}`);
  const assistants = type === "tool_use" || type.endsWith("thinking");
  if (assistants ? role !== "assistant" : type !== "text" && role !== "user") bad.push(`${at}: ${type} of ${role}`);
  if (type === "text" && asString(part.text).trim() === "") bad.push(`${at}: text content blocks must be non-empty`);
  if (type === "thinking" && part.signature !== signature(asString(part.thinking))) {
    bad.push(`${at}: Invalid \`signature\` in \`thinking\` block`);
  }
  if (type === "redacted_thinking" && !Buffer.from(asString(part.data), "base64").toString().startsWith("red|")) {
    bad.push(`${at}: Invalid data in redacted_thinking block`);
  }
  if (type === "tool_use") {
    if (!/^[\w-]+$/.test(asString(part.id))) bad.push(`${at}: tool_use id ${part.id}`);
    if (!/^[\w-]{1,128}$/.test(asString(part.name))) bad.push(`${at}: tool_use name ${part.name}`);
    if (!isObject(part.input)) bad.push(`${at}: tool_use input must be an object`);
  }
  if (type === "image") bad.push(...imageProblems(asObject(part.source) ?? {}, at));
  if (type === "tool_result") {
    for (const inner of blocksOf(part.content)) bad.push(...blockProblems(inner, "user", `${at}.tool_result`));
  }
  return bad;
}

function imageProblems(source: JsonObject, at: string): string[] {
  if (source.type === "url") return /^https?:/.test(asString(source.url)) ? [] : [`${at}: image address`];
  const fits = IMAGES.includes(asString(source.media_type)) && /^[\w+/]+=*$/.test(asString(source.data));
  return source.type === "base64" && fits ? [] : [`${at}: image must be base64 of a known type`];
}

/** Results answer exactly the calls before, and stand ahead of everything else. */
function resultProblems(blocks: JsonObject[], owed: string[], at: string): string[] {
  const bad: string[] = [];
  const open = new Set(owed);
  const first = blocks.findIndex((b) => b.type !== "tool_result");
  blocks.forEach((b, i) => {
    if (b.type !== "tool_result") return;
    if (!open.delete(asString(b.tool_use_id))) bad.push(`${at}: unexpected tool_use_id ${b.tool_use_id}`);
    if (first !== -1 && i > first) bad.push(`${at}: tool_result behind other content`);
  });
  if (open.size > 0) bad.push(`${at}: tool_use ids without tool_result blocks immediately after: ${[...open]}`);
  return bad;
}

function thinkingProblems(body: JsonObject, messages: JsonObject[]): string[] {
  const thinking = asObject(body.thinking);
  if (thinking?.type !== "enabled") return [];
  const budget = Number(thinking.budget_tokens);
  const bad = budget >= 1024 && budget < Number(body.max_tokens) ? [] : [`thinking.budget_tokens: ${budget}`];
  // In the middle of a tool loop the last assistant message has to start with its thinking.
  const last = messages.findLast((m) => m.role === "assistant");
  const blocks = blocksOf(last?.content);
  const loop = blocksOf(messages.at(-1)?.content)[0]?.type === "tool_result";
  if (loop && !/thinking$/.test(asString(blocks[0]?.type))) {
    bad.push(`Expected \`thinking\` or \`redacted_thinking\`, but found \`${blocks[0]?.type}\``);
  }
  return bad;
}

function cacheProblems(body: JsonObject, messages: JsonObject[]): string[] {
  const places = [...blocksOf(body.system), ...blocksOf(body.tools), ...messages.flatMap((m) => blocksOf(m.content))];
  const marked = places.filter((place) => place.cache_control !== undefined);
  return marked.length > 4 ? [`a maximum of 4 blocks with cache_control may be provided, found ${marked.length}`] : [];
}

function toolProblems(body: JsonObject): string[] {
  return blocksOf(body.tools).flatMap((tool, i) => [
    ...extras(tool, ["name", "description", "input_schema", "cache_control"], `tools.${i}`),
    ...(asObject(tool.input_schema)?.type === "object" ? [] : [`tools.${i}.input_schema.type must be object`]),
  ]);
}
