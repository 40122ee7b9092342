/** The Responses protocol as a fake vendor speaks it. */
import { asArray, asObject, asString, isArgumentObject, type JsonObject } from "../json";
import { extras, halves, seal, sse, type Wire, type WireCall, type WirePart, type WireUsage } from "./wire";

/** A reasoning item's blob is bound to its id. */
const encrypted = (id: string) => seal("enc", id);
const idOf = (content: string) => `rs_${seal("id", content).replace(/\W/g, "")}`;

class Script {
  private sequence = 0;
  private index = 0;
  private readonly output: JsonObject[] = [];
  private text = "";

  event(type: string, fields: JsonObject): void {
    this.text += sse({ type, sequence_number: this.sequence++, ...fields }, type);
  }

  /** One output item: added, its pieces, done. `whole: false` leaves it open. */
  item(start: JsonObject, done: JsonObject, pieces: (output_index: number) => void, whole: boolean): void {
    const output_index = this.index++;
    this.event("response.output_item.added", { output_index, item: start });
    pieces(output_index);
    if (!whole) return;
    this.event("response.output_item.done", { output_index, item: done });
    this.output.push(done);
  }

  end(type: "response.completed" | "response.incomplete", usage?: WireUsage): string {
    const response = { ...BASE, output: this.output, ...(usage ? { usage: usageOf(usage) } : {}) };
    const cut = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    const over = type === "response.completed" ? { status: "completed" } : cut;
    this.event(type, { response: { ...response, ...over } });
    return this.text;
  }

  get soFar(): string {
    return this.text;
  }
}

const BASE = { id: "resp_1", object: "response", created_at: 1, model: "m", error: null, incomplete_details: null };

function begin(): Script {
  const script = new Script();
  script.event("response.created", { response: { ...BASE, status: "in_progress", output: [] } });
  return script;
}

function say(script: Script, part: WirePart, whole: boolean): void {
  if ("thinking" in part || "hidden" in part) think(script, part, whole);
  else if ("text" in part) sayText(script, part.text, whole);
  else call(script, part.call, whole);
}

function sayText(script: Script, text: string, whole: boolean): void {
  const item = { id: "msg_1", type: "message", role: "assistant", phase: "commentary" };
  const done = { ...item, status: "completed", content: [{ type: "output_text", text, annotations: [] }] };
  const where = { item_id: item.id, content_index: 0 };
  script.item(
    { ...item, status: "in_progress", content: [] },
    done,
    (output_index) => {
      for (const delta of halves(text)) {
        script.event("response.output_text.delta", { ...where, output_index, delta });
      }
      if (whole) script.event("response.output_text.done", { ...where, output_index, text });
    },
    whole,
  );
}

function call(script: Script, { id, name, args }: WireCall, whole: boolean): void {
  const item = { id: `fc_${id}`, type: "function_call", call_id: id, name };
  script.item(
    { ...item, arguments: "", status: "in_progress" },
    { ...item, arguments: args, status: "completed" },
    (output_index) => {
      for (const delta of halves(args)) {
        script.event("response.function_call_arguments.delta", { item_id: item.id, output_index, delta });
      }
      if (whole) {
        script.event("response.function_call_arguments.done", { item_id: item.id, output_index, arguments: args });
      }
    },
    whole,
  );
}

function think(script: Script, part: { thinking: string } | { hidden: string }, whole: boolean): void {
  const content = "thinking" in part ? part.thinking : "";
  const id = idOf("thinking" in part ? part.thinking : part.hidden);
  const item = { id, type: "reasoning" };
  const summary = content === "" ? [] : [{ type: "summary_text", text: content }];
  script.item(
    { ...item, summary: [] },
    { ...item, summary, encrypted_content: encrypted(id) },
    (output_index) => {
      const where = { item_id: id, output_index, summary_index: 0 };
      for (const delta of halves(content)) script.event("response.reasoning_summary_text.delta", { ...where, delta });
    },
    whole,
  );
}

function usageOf({ fresh, cached, created, output }: WireUsage): JsonObject {
  const input_tokens = fresh + cached + created;
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: cached, ...(created > 0 ? { cache_write_tokens: created } : {}) },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: Math.floor(output / 2) },
    total_tokens: input_tokens + output,
  };
}

/** All calls open before any of them goes on, so that their fragments interleave. */
function interleaved(calls: WireCall[]): string {
  const script = begin();
  const items = calls.map(({ id, name }) => ({ id: `fc_${id}`, type: "function_call", call_id: id, name }));
  items.forEach((item, output_index) => {
    script.event("response.output_item.added", { output_index, item: { ...item, arguments: "" } });
  });
  for (const half of [0, 1]) {
    calls.forEach(({ args }, output_index) => {
      const delta = halves(args)[half] ?? "";
      const item_id = items[output_index]?.id;
      script.event("response.function_call_arguments.delta", { item_id, output_index, delta });
    });
  }
  calls.forEach(({ args }, output_index) => {
    const item = { ...items[output_index], arguments: args };
    script.event("response.output_item.done", { output_index, item });
  });
  return script.end("response.completed");
}

export const responsesWire: Wire = {
  answer(parts, end, usage) {
    const script = begin();
    parts.forEach((part, i) => {
      say(script, part, end === "stop" || i < parts.length - 1);
    });
    if (end === "none") return script.soFar;
    return script.end(end === "length" ? "response.incomplete" : "response.completed", usage);
  },
  interleaved,
  error(kind, message) {
    const codes = { auth: "invalid_api_key", context: "context_length_exceeded" };
    const code = kind === "auth" || kind === "context" ? codes[kind] : null;
    return JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code } });
  },
  errorInside(text, message) {
    const script = begin();
    say(script, { text }, false);
    const error = { code: "server_error", message };
    script.event("response.failed", { response: { ...BASE, status: "failed", error, output: [] } });
    return script.soFar;
  },
  illegal: responsesIllegal,
  asks: (path) => /\/responses$/.test(path),
  models: (ids) => JSON.stringify({ object: "list", data: ids.map((id) => ({ id, object: "model", created: 1 })) }),
};

const TOP = ["model", "input", "instructions", "tools", "stream", "store", "include", "reasoning", "max_output_tokens"];
const ITEMS: Record<string, string[]> = {
  user: ["type", "role", "content"],
  assistant: ["type", "role", "content", "phase"],
  function_call: ["type", "call_id", "name", "arguments"],
  function_call_output: ["type", "call_id", "output"],
  reasoning: ["type", "id", "summary", "content", "encrypted_content"],
};

function responsesIllegal(body: JsonObject, headers: Readonly<Record<string, unknown>>): string[] {
  const bad = extras(body, [...TOP, "prompt_cache_key"], "body");
  if (!headers.authorization) bad.push("no authorization");
  if (body.store !== false || body.stream !== true) bad.push("store and stream must be false and true");
  if (!asArray(body.include).includes("reasoning.encrypted_content")) bad.push("encrypted reasoning is not asked for");
  if (typeof body.max_output_tokens === "number" && body.max_output_tokens < 16) bad.push("max_output_tokens < 16");
  const items = asArray(body.input).map((item) => asObject(item) ?? {});
  if (items.length === 0) bad.push("no input");
  const open = new Set<string>();
  const seen = new Set<string>();
  items.forEach((item, i) => {
    const kind = asString(item.type) === "message" ? asString(item.role) : asString(item.type);
    const at = `input.${i}`;
    bad.push(...(ITEMS[kind] ? extras(item, ITEMS[kind], at) : [`${at}: unknown item ${kind}`]));
    if (kind === "function_call_output") {
      if (!open.delete(asString(item.call_id))) bad.push(`${at}: no tool call found for ${item.call_id}`);
      if (typeof item.output === "string" ? item.output === "" : asArray(item.output).length === 0) {
        bad.push(`${at}: empty output`);
      }
      return;
    }
    if (kind === "user" && open.size > 0) bad.push(`${at}: no tool output found for ${[...open]}`);
    if (kind === "user" || kind === "assistant") bad.push(...contentProblems(item, kind, at));
    if (kind === "function_call") {
      const id = asString(item.call_id);
      if (id === "" || seen.has(id)) bad.push(`${at}: call id ${id} is empty or taken`);
      if (asString(item.name) === "") bad.push(`${at}: call without name`);
      if (!isArgumentObject(asString(item.arguments))) bad.push(`${at}: arguments are no object`);
      open.add(id);
      seen.add(id);
    }
    if (kind === "reasoning") bad.push(...reasoningProblems(item, items[i + 1], at));
  });
  if (open.size > 0) bad.push(`end: no tool output found for ${[...open]}`);
  return bad;
}

function contentProblems(item: JsonObject, role: string, at: string): string[] {
  const parts = asArray(item.content).map((part) => asObject(part) ?? {});
  const bad = parts.length === 0 ? [`${at}: empty content`] : [];
  for (const part of parts) {
    const type = asString(part.type);
    const fits = role === "user" ? ["input_text", "input_image"].includes(type) : type === "output_text";
    if (!fits) bad.push(`${at}: ${type} in a message of ${role}`);
    if (type !== "input_image" && asString(part.text) === "") bad.push(`${at}: empty text`);
    if (type === "input_image" && asString(part.image_url) === "") bad.push(`${at}: image without address`);
  }
  return bad;
}

function reasoningProblems(item: JsonObject, next: JsonObject | undefined, at: string): string[] {
  const bad: string[] = [];
  const id = asString(item.id);
  if (!Array.isArray(item.summary)) bad.push(`${at}: reasoning without summary`);
  if (item.encrypted_content !== encrypted(id)) bad.push(`${at}: the encrypted content could not be verified`);
  const follows = next && (next.type === "reasoning" || next.type === "function_call" || next.role === "assistant");
  if (!follows) bad.push(`${at}: item ${id} of type 'reasoning' was provided without its required following item`);
  return bad;
}
