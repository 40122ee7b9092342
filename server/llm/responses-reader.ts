/** Events of a Responses stream -> the answer. */
import type { Fidelity } from "../../lib/omni/message";
import type { Answer, OpenCall } from "./answer";
import { asArray, asObject, asString, isArgumentObject, isObject, type JsonObject } from "./json";
import { CONTENT_FIELD } from "./responses-request";
import { StreamReader } from "./stream-reader";
import { chatUsage } from "./usage";

interface OpenItem {
  type: string;
  call?: OpenCall;
  /** Has any of its content come in pieces? */
  streamed: boolean;
}

export class ResponsesReader extends StreamReader {
  /** By output index, or by id where a server leaves that out. */
  private readonly items = new Map<string, OpenItem>();

  constructor(private readonly answer: Answer) {
    super();
  }

  override get callsAreWhole(): boolean {
    return [...this.items.values()].every(({ call }) => !call || isArgumentObject(call.parts.join("") || "{}"));
  }

  override chunk(raw: unknown): void {
    if (!isObject(raw)) return;
    const type = asString(raw.type);
    const response = asObject(raw.response) ?? (raw.object === "response" ? raw : undefined);
    if (type === "response.output_item.added") this.open(keyOf(raw), asObject(raw.item) ?? {});
    else if (type === "response.output_item.done") this.done(keyOf(raw), asObject(raw.item) ?? {});
    else if (type.endsWith(".delta")) this.delta(type, raw);
    else if (type === "response.reasoning_summary_part.added") this.part(raw);
    else if (
      response &&
      /^(response\.)?(completed|incomplete|failed|done|cancelled)$/.test(type || statusOf(response))
    ) {
      this.over(response);
    } else if (type === "error" || (type === "" && isObject(raw.error))) this.failure ??= JSON.stringify(raw);
  }

  private open(key: string, item: JsonObject): OpenItem {
    const type = asString(item.type);
    const open: OpenItem = { type, streamed: false };
    this.items.set(key, open);
    if (type === "message") this.answer.block("text", phaseOf(item));
    else if (type === "reasoning") this.answer.block("thinking");
    else if (type === "function_call") {
      open.call = this.answer.openCall(asString(item.call_id) || asString(item.id), asString(item.name));
    }
    return open;
  }

  private delta(type: string, raw: JsonObject): void {
    const open = this.items.get(keyOf(raw));
    const delta = asString(raw.delta);
    if (open) open.streamed ||= delta !== "";
    if (type === "response.output_text.delta" || type === "response.refusal.delta") this.answer.text(delta);
    else if (type === "response.reasoning_summary_text.delta") this.answer.thinking(delta);
    else if (type === "response.reasoning_text.delta" || type === "response.reasoning.delta") {
      this.answer.thinking(delta);
      if (this.answer.thinkingIsOpen) this.answer.seal({ reasoning_field: CONTENT_FIELD });
    } else if (type === "response.function_call_arguments.delta" && open?.call) {
      this.answer.callDelta(open.call, delta);
    }
  }

  /** A further part of a summary is a paragraph of its own. */
  private part(raw: JsonObject): void {
    const open = this.items.get(keyOf(raw));
    if (open?.streamed && Number(raw.summary_index) > 0) this.answer.thinking("\n\n");
  }

  /** The whole item: what did not come in pieces, and what only the end tells. */
  private done(key: string, item: JsonObject): void {
    const open = this.items.get(key) ?? this.open(key, item);
    if (open.call && !open.streamed) this.answer.callDelta(open.call, asString(item.arguments));
    if (open.type === "message") {
      if (!open.streamed) for (const part of asArray(item.content)) this.answer.text(wordsOf(part));
      this.answer.seal(phaseOf(item));
    }
    if (open.type === "reasoning") {
      const content = asArray(item.content).map(wordsOf).join("\n\n");
      const summary = asArray(item.summary).map(wordsOf).join("\n\n");
      if (!open.streamed) this.answer.thinking(summary || content);
      this.answer.seal(reasoningFidelity(item, !open.streamed && summary === "" && content !== ""));
    }
    open.streamed = true;
  }

  private over(response: JsonObject): void {
    const status = statusOf(response);
    if (this.items.size === 0) {
      for (const [i, item] of asArray(response.output).entries()) this.done(String(i), asObject(item) ?? {});
    }
    this.usage = chatUsage(response.usage) ?? this.usage;
    if (isObject(response.error) || status === "failed") {
      this.failure ??= JSON.stringify({ error: response.error ?? { message: "The provider gave up." } });
      return;
    }
    const reason = asString(asObject(response.incomplete_details)?.reason);
    const cut = reason === "content_filter" ? "content_filter" : "length";
    this.finish = status === "incomplete" ? cut : status === "cancelled" ? "error" : "stop";
    this.ended = true;
  }
}

function keyOf(raw: JsonObject): string {
  return String(raw.output_index ?? raw.item_id ?? asObject(raw.item)?.id ?? "");
}
function statusOf(response: JsonObject): string {
  return asString(response.status);
}
function wordsOf(part: unknown): string {
  const inner = asObject(part);
  return asString(inner?.text) || asString(inner?.refusal);
}
function phaseOf({ phase }: JsonObject): Fidelity {
  return typeof phase === "string" ? { phase } : {};
}

function reasoningFidelity({ id, encrypted_content }: JsonObject, fromContent: boolean): Fidelity {
  return {
    ...(asString(id) === "" ? {} : { id }),
    ...(asString(encrypted_content) === "" ? {} : { encrypted_content }),
    ...(fromContent ? { reasoning_field: CONTENT_FIELD } : {}),
  };
}
