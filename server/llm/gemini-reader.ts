/** Chunks of a Gemini stream -> the answer. */
import type { TokenCounts } from "../../lib/omni/message";
import type { Answer } from "./answer";
import { asArray, asObject, asString, isObject, type JsonObject } from "./json";
import { StreamReader } from "./stream-reader";

const FILTERED = /SAFETY|RECITATION|BLOCKLIST|PROHIBITED|SPII|LANGUAGE/;
const BAD_CALL = /MALFORMED_FUNCTION_CALL|UNEXPECTED_TOOL_CALL|TOO_MANY_TOOL_CALLS/;

export class GeminiReader extends StreamReader {
  /** The last text carried a signature: nothing may be added to it. */
  private closed = false;

  constructor(private readonly answer: Answer) {
    super();
  }

  /** Calls come whole. */
  override get callsAreWhole(): boolean {
    return true;
  }

  override chunk(raw: unknown): void {
    if (Array.isArray(raw)) {
      for (const one of raw) this.chunk(one);
      return;
    }
    if (!isObject(raw)) return;
    if (raw.error) {
      this.failure ??= JSON.stringify(raw);
      return;
    }
    this.usage = geminiUsage(asObject(raw.usageMetadata) ?? {}) ?? this.usage;
    const candidate = asObject(asArray(raw.candidates)[0]);
    for (const part of asArray(asObject(candidate?.content)?.parts)) this.part(asObject(part) ?? {});
    const blocked = asString(asObject(raw.promptFeedback)?.blockReason);
    if (blocked !== "") this.finish = "content_filter";
    const reason = asString(candidate?.finishReason);
    if (reason === "" || reason === "FINISH_REASON_UNSPECIFIED") return;
    if (BAD_CALL.test(reason))
      this.fault ??= asString(candidate?.finishMessage) || `The model's call failed: ${reason}`;
    this.finish = reason === "MAX_TOKENS" ? "length" : FILTERED.test(reason) ? "content_filter" : reason;
  }

  private part(part: JsonObject): void {
    const signature = asString(part.thoughtSignature);
    const call = asObject(part.functionCall);
    if (call) {
      const name = asString(call.name);
      const open = this.answer.openCall(asString(call.id) || name, name);
      if (signature !== "") open.fidelity = { thought_signature: signature };
      const args = asObject(call.args);
      if (args) this.answer.callDelta(open, JSON.stringify(args));
      return;
    }
    if (typeof part.text !== "string") return;
    if (part.thought === true) {
      if (part.text !== "" && !this.answer.thinkingIsOpen) this.answer.block("thinking");
      this.answer.thinking(part.text);
      return;
    }
    if (signature === "" && part.text === "") return;
    if (signature !== "" || this.closed || !this.answer.textIsOpen) this.answer.block("text");
    this.answer.text(part.text);
    if (signature !== "") this.answer.seal({ signature });
    this.closed = signature !== "";
  }
}

/** The prompt's tokens contain the cached ones; thinking is counted beside the answer. undefined: it says nothing. */
export function geminiUsage(usage: JsonObject): TokenCounts | undefined {
  const count = (key: string) => Math.max(0, Math.round(Number(usage[key] ?? 0)) || 0);
  const prompt = count("promptTokenCount") + count("toolUsePromptTokenCount");
  const cache_read = Math.min(count("cachedContentTokenCount"), prompt);
  const output = count("candidatesTokenCount") + count("thoughtsTokenCount");
  if (prompt + output === 0) return undefined;
  return { cache_read, cache_write: prompt - cache_read, output, total: prompt + output };
}
