/** The chat completions protocol as a fake vendor speaks it. */
import { CHAT_DONE, callDelta, chatChunk, chatEvent, chatUsageChunk } from "../fixtures/chat-wire";
import { asArray, asObject, asString, isArgumentObject, type JsonObject } from "../json";
import { halves, type Wire, type WirePart, type WireUsage } from "./wire";

function spell(parts: WirePart[]): string {
  let calls = 0;
  return parts
    .flatMap((part) => {
      if ("hidden" in part) {
        return [chatChunk({ reasoning_details: [{ type: "reasoning.encrypted", data: part.hidden, index: 0 }] })];
      }
      if ("thinking" in part) return halves(part.thinking).map((x) => chatChunk({ reasoning_content: x }));
      if ("text" in part) return halves(part.text).map((x) => chatChunk({ content: x }));
      const index = calls++;
      const opening = chatChunk(callDelta(index, part.call.id, part.call.name, ""));
      return [opening, ...halves(part.call.args).map((x) => chatChunk(callDelta(index, undefined, undefined, x)))];
    })
    .join("");
}

function usageOf({ fresh, cached, created, output }: WireUsage): JsonObject {
  const prompt_tokens = fresh + cached + created;
  return {
    prompt_tokens,
    completion_tokens: output,
    total_tokens: prompt_tokens + output,
    prompt_tokens_details: { cached_tokens: cached, ...(created > 0 ? { cache_write_tokens: created } : {}) },
    completion_tokens_details: { reasoning_tokens: Math.floor(output / 2) },
  };
}

export const chatWire: Wire = {
  answer(parts, end, usage) {
    if (end === "none") return spell(parts);
    const calls = parts.some((part) => "call" in part);
    const finish = end === "length" ? "length" : calls ? "tool_calls" : "stop";
    const tail = usage ? chatUsageChunk(usageOf(usage)) : "";
    return chatChunk({ role: "assistant", content: "" }) + spell(parts) + chatChunk({}, finish) + tail + CHAT_DONE;
  },
  interleaved(calls) {
    const starts = calls.map(({ id, name }, i) => chatChunk(callDelta(i, id, name, "")));
    const pieces = [0, 1].flatMap((half) =>
      calls.map(({ args }, i) => chatChunk(callDelta(i, undefined, undefined, halves(args)[half] ?? ""))),
    );
    return [...starts, ...pieces].join("") + chatChunk({}, "tool_calls") + CHAT_DONE;
  },
  error(kind, message) {
    const codes = { auth: "invalid_api_key", context: "context_length_exceeded" };
    const code = kind === "auth" || kind === "context" ? codes[kind] : null;
    return JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code } });
  },
  errorInside(text, message) {
    return chatChunk({ content: text }) + chatEvent({ error: { message, type: "server_error", code: 503 } });
  },
  illegal: (body) => chatIllegal(body),
  asks: (path) => /\/chat\/completions$/.test(path),
  models: (ids) => JSON.stringify({ object: "list", data: ids.map((id) => ({ id, object: "model", created: 1 })) }),
};

/** Pairing, ids, arguments, empty contents and members that only our Trace knows, as strict servers check them. */
export function chatIllegal(body: JsonObject): string[] {
  const bad: string[] = [];
  const open = new Set<string>();
  const messages = asArray(body.messages).map((m) => asObject(m) ?? {});
  if (messages.length === 0) bad.push("no messages");
  let previous = "";
  for (const message of messages) {
    const role = asString(message.role);
    const empty = message.content === null || message.content === undefined || message.content === "";
    if ("fidelity" in message) bad.push("extra input fidelity");
    if (role === "tool") {
      if (!open.delete(asString(message.tool_call_id))) bad.push(`output for unknown call ${message.tool_call_id}`);
      if (empty) bad.push("empty tool output");
    } else {
      if (open.size > 0) bad.push(`calls without output: ${[...open]}`);
      open.clear();
      if (role === previous) bad.push(`two messages of ${role} in a row`);
    }
    previous = role;
    const calls = asArray(message.tool_calls).map((c) => asObject(c) ?? {});
    if (empty && role !== "tool" && calls.length === 0) bad.push(`empty ${role} message`);
    for (const call of calls) {
      const fn = asObject(call.function) ?? {};
      if (open.has(asString(call.id)) || asString(call.id) === "") bad.push(`bad call id ${call.id}`);
      if (asString(fn.name) === "") bad.push("call without a name");
      if (!isArgumentObject(asString(fn.arguments))) bad.push(`arguments are no object: ${fn.arguments}`);
      open.add(asString(call.id));
    }
  }
  if (open.size > 0) bad.push(`end: calls without output: ${[...open]}`);
  return bad;
}
