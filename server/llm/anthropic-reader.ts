/** Events of a Messages stream -> the answer. */
import type { TokenCounts } from "../../lib/omni/message";
import type { Answer, OpenCall } from "./answer";
import { asArray, asObject, asString, isArgumentObject, isObject, type JsonObject } from "./json";
import { StreamReader } from "./stream-reader";

/** FF 2.3: how thinking that the vendor hides stands in a Trace. */
const REDACTED = "[redacted]";

interface OpenBlock {
  type: string;
  call?: OpenCall;
  /** Arguments that came with the start, from servers that do not stream them. */
  input?: JsonObject;
}

export class AnthropicReader extends StreamReader {
  private readonly blocks = new Map<number, OpenBlock>();
  private counted: JsonObject = {};

  constructor(private readonly answer: Answer) {
    super();
  }

  override get callsAreWhole(): boolean {
    return [...this.blocks.values()].every(({ call }) => !call || isArgumentObject(call.parts.join("") || "{}"));
  }

  override chunk(raw: unknown): void {
    if (!isObject(raw)) return;
    const index = typeof raw.index === "number" ? raw.index : 0;
    switch (raw.type) {
      case "message_start":
        this.count(asObject(asObject(raw.message)?.usage));
        break;
      case "content_block_start":
        this.start(index, asObject(raw.content_block) ?? {});
        break;
      case "content_block_delta":
        this.delta(this.blocks.get(index), asObject(raw.delta) ?? {});
        break;
      case "content_block_stop":
        this.stop(this.blocks.get(index));
        break;
      case "message_delta":
        this.count(asObject(raw.usage));
        this.over(asString(asObject(raw.delta)?.stop_reason));
        break;
      case "message_stop":
        this.ended = true;
        break;
      case "message":
        this.whole(raw);
        break;
      case "ping":
        break;
      default:
        if (raw.type === "error" || isObject(raw.error)) this.failure ??= JSON.stringify(raw);
    }
  }

  /** From a server that does not stream. */
  private whole(message: JsonObject): void {
    asArray(message.content).forEach((block, index) => {
      const { text, thinking, signature, ...rest } = asObject(block) ?? {};
      this.start(index, { ...rest, text, thinking, signature });
      this.stop(this.blocks.get(index));
    });
    this.count(asObject(message.usage));
    this.over(asString(message.stop_reason));
    this.ended = true;
  }

  private start(index: number, block: JsonObject): void {
    const type = asString(block.type);
    const open: OpenBlock = { type };
    this.blocks.set(index, open);
    if (type === "text") {
      this.answer.block("text");
      this.answer.text(asString(block.text));
    } else if (type === "thinking") {
      this.answer.block("thinking");
      this.answer.thinking(asString(block.thinking));
      this.sign(block.signature);
    } else if (type === "redacted_thinking") {
      this.answer.block("thinking", { redacted_data: block.data });
      this.answer.thinking(REDACTED);
    } else if (type === "tool_use") {
      open.call = this.answer.openCall(asString(block.id), asString(block.name));
      const input = asObject(block.input);
      if (input && Object.keys(input).length > 0) open.input = input;
    }
  }

  private delta(open: OpenBlock | undefined, delta: JsonObject): void {
    if (delta.type === "text_delta") this.answer.text(asString(delta.text));
    else if (delta.type === "thinking_delta") this.answer.thinking(asString(delta.thinking));
    else if (delta.type === "signature_delta") this.sign(delta.signature);
    else if (delta.type === "input_json_delta" && open?.call) {
      this.answer.callDelta(open.call, asString(delta.partial_json));
    }
  }

  private sign(signature: unknown): void {
    if (asString(signature) !== "") this.answer.seal({ signature });
  }

  private stop(open: OpenBlock | undefined): void {
    if (open?.call && open.input && open.call.parts.length === 0) {
      this.answer.callDelta(open.call, JSON.stringify(open.input));
    }
  }

  private over(reason: string): void {
    if (reason === "") return;
    const cut = reason === "max_tokens" || reason === "model_context_window_exceeded";
    this.finish = cut ? "length" : reason === "refusal" ? "content_filter" : reason;
  }

  /** Counts are running sums; what a later event leaves out stays. */
  private count(usage: JsonObject | undefined): void {
    for (const [key, value] of Object.entries(usage ?? {})) if (typeof value === "number") this.counted[key] = value;
    this.usage = anthropicUsage(this.counted);
  }
}

/** Input tokens exclude the cached ones here (UC11). undefined: the object says nothing. */
export function anthropicUsage(usage: JsonObject): TokenCounts | undefined {
  const count = (key: string) => Math.max(0, Math.round(Number(usage[key] ?? 0)) || 0);
  const cache_read = count("cache_read_input_tokens");
  const created = count("cache_creation_input_tokens");
  const cache_write = count("input_tokens") + created;
  const output = count("output_tokens");
  if (cache_read + cache_write + output === 0) return undefined;
  const total = cache_read + cache_write + output;
  return { cache_read, cache_write, output, total, ...(created > 0 ? { cache_creation: created } : {}) };
}
