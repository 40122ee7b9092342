/** Chunks of a chat completion stream -> the answer. Knows the shapes that real servers send, nothing about HTTP. */
import type { Fidelity } from "../../lib/omni/message";
import type { Answer } from "./answer";
import { INLINE_FIELD, REASONING_FIELDS } from "./chat-request";
import { asArray, asObject, asString, isObject, type JsonObject } from "./json";
import { StreamReader } from "./stream-reader";
import { ThinkTags } from "./think-tags";
import { ToolFragments } from "./tool-fragments";
import { chatUsage } from "./usage";

export class ChatReader extends StreamReader {
  private readonly tags = new ThinkTags();
  private readonly tools: ToolFragments;
  /** Thinking often comes in two fields with the same text: the first one seen is read. */
  private reasoningField = "";
  private details: JsonObject[] = [];

  constructor(
    private readonly answer: Answer,
    tools: ReadonlySet<string>,
  ) {
    super();
    this.tools = new ToolFragments(answer, tools);
  }

  chunk(raw: unknown): void {
    if (!isObject(raw)) return;
    const complaint = raw.choices === undefined && (raw.message !== undefined || raw.detail !== undefined);
    if (raw.error || raw.object === "error" || raw.type === "error" || complaint) {
      this.failure ??= JSON.stringify(raw);
      return;
    }
    const choices = asArray(raw.choices);
    const choice = asObject(choices[0]);
    const usage = chatUsage(raw.usage) ?? chatUsage(choice?.usage) ?? chatUsage(asObject(raw.x_groq)?.usage);
    if (usage) {
      this.usage = usage;
      // Counts as the end as long as nothing follows; running totals are no end.
      if (choices.length === 0) this.ended ||= this.answer.substantial;
    }
    if (choices.length > 0) this.ended = false;
    if (choice === undefined || (typeof choice.index === "number" && choice.index !== 0)) return;
    if (choice.error) this.failure ??= JSON.stringify({ error: choice.error });
    this.delta(asObject(choice.delta) ?? asObject(choice.message) ?? {});
    const finish = asString(choice.finish_reason);
    if (finish !== "") this.finish = finish;
  }

  override end(): void {
    this.content(this.tags.end());
    if (!this.tools.end()) this.fault ??= "The model called a tool without naming it.";
    if (this.details.length > 0) this.answer.attach({ reasoning_details: this.takeDetails() });
  }

  override get callsAreWhole(): boolean {
    return this.tools.whole;
  }

  private delta(delta: JsonObject): void {
    this.reasoning(delta);
    for (const text of [delta.content, delta.refusal]) {
      if (typeof text === "string" && text !== "") this.content(this.tags.push(text));
    }
    for (const part of asArray(delta.content)) this.contentPart(asObject(part) ?? {});
    const calls = asArray(delta.tool_calls);
    if (calls.length > 0) this.content(this.tags.end());
    for (const call of calls) this.tools.push(call);
  }

  private content(pieces: { kind: "text" | "thinking"; text: string }[]): void {
    for (const { kind, text } of pieces) {
      if (text === "") continue;
      if (kind === "thinking") this.answer.thinking(text, { reasoning_field: INLINE_FIELD });
      else {
        this.settleDetails();
        this.answer.text(text);
      }
    }
  }

  /** Content as a list of parts; thinking among them has no place to be sent back to. */
  private contentPart(part: JsonObject): void {
    if (part.type === "thinking") {
      for (const inner of asArray(part.thinking)) this.answer.thinking(asString(asObject(inner)?.text));
    } else if (typeof part.text === "string") this.content(this.tags.push(part.text));
  }

  private reasoning(delta: JsonObject): void {
    const details = asArray(delta.reasoning_details).filter(isObject);
    for (const detail of details) mergeDetail(this.details, detail);
    if (this.reasoningField === "") {
      this.reasoningField = REASONING_FIELDS.find((field) => asString(delta[field]) !== "") ?? "";
    }
    const fidelity: Fidelity = this.reasoningField === "" ? {} : { reasoning_field: this.reasoningField };
    if (this.reasoningField !== "") this.answer.thinking(asString(delta[this.reasoningField]), fidelity);
    else for (const d of details) this.answer.thinking(asString(d.text) || asString(d.summary), fidelity);
  }

  /** Details that came with the thinking go onto its record, before that is closed. */
  private settleDetails(): void {
    if (this.details.length > 0 && this.answer.thinkingIsOpen) {
      this.answer.attach({ reasoning_details: this.takeDetails() });
    }
  }

  private takeDetails(): JsonObject[] {
    const details = this.details;
    this.details = [];
    return details;
  }
}

/** Streamed details: pieces with the same index and type are one. */
function mergeDetail(into: JsonObject[], piece: JsonObject): void {
  const last = into.at(-1);
  if (last === undefined || last.type !== piece.type || last.index !== piece.index || last.index === undefined) {
    into.push({ ...piece });
    return;
  }
  for (const [key, value] of Object.entries(piece)) {
    const joined = (key === "text" || key === "summary" || key === "data") && typeof value === "string";
    if (joined) last[key] = asString(last[key]) + value;
    else if (value !== null && value !== undefined) last[key] = value;
  }
}
