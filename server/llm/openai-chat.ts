/**
 * Chat completions, the protocol most servers speak. The SDK spells the request; timeouts, retries and the reading of
 * the stream are ours, because servers differ more than the SDK allows for.
 *
 * When is an answer whole? When the provider said so: a finish reason, `[DONE]`, or the closing usage chunk. A stream
 * that just stops is `malformed` (FF 5.3), its text stays visible and the engine asks again.
 */
import type { StopReason } from "../../lib/omni/message";
import type { Llm, LlmEvent, LlmOutcome, LlmRequest } from "../engine/ports";
import { Answer } from "./answer";
import { normaliseBaseUrl } from "./base-url";
import { CallIds } from "./call-ids";
import { type Dialect, dialectOf, learn, rememberDialect } from "./chat-dialect";
import { drain, postChat, type Sent } from "./chat-http";
import { ChatReader } from "./chat-reader";
import { type ChatBody, chatBody } from "./chat-request";
import { parseJson } from "./json";
import type { ModelConfig } from "./model-config";
import { failureOutcome, thrownOutcome } from "./outcome";
import { pull } from "./pull";
import { SseDecoder } from "./sse";

export const OPENAI_BASE_URL = "https://api.openai.com/v1";

/** After the finish reason only usage can follow; nobody waits longer for it. Milliseconds. */
const GRACE_MS = 3_000;
const MAX_DIALECT_STEPS = 5;

export interface ChatDeps {
  fetch?: typeof fetch;
  /** Ids of tool calls the Session has used before this context. */
  usedToolCallIds?: Iterable<string>;
}

/** An `Llm` for one model behind a chat completions endpoint. A bad base URL is an outcome, not an error. */
export function openAiChat(model: ModelConfig, deps: ChatDeps = {}): Llm {
  const ids = new CallIds(deps.usedToolCallIds);
  const address = normaliseBaseUrl(model.base_url?.trim() || OPENAI_BASE_URL);
  return {
    stream(request, signal) {
      for (const p of request.history) if (p.type === "tool_call") ids.note(p.tool_call_id);
      if (!address.ok) return refuse(address.message);
      return new ChatCall(model, address.url, deps.fetch ?? fetch, request, signal).run(ids);
    },
  };
}

// biome-ignore lint/correctness/useYield: the shape of a stream, with nothing to say
async function* refuse(error_message: string): AsyncGenerator<LlmEvent, LlmOutcome, void> {
  return { status: "failed", refused: true, error_message };
}

type Opened = { body: ReadableStream<Uint8Array> } | { outcome: LlmOutcome };

/** One Request on its way. */
class ChatCall {
  private readonly control = new AbortController();
  private readonly secrets: string[];
  /** The answer is whole; the connection is on its way back to the pool. */
  private draining = false;

  constructor(
    private readonly model: ModelConfig,
    private readonly url: string,
    private readonly fetch: typeof globalThis.fetch,
    private readonly request: LlmRequest,
    private readonly signal: AbortSignal,
  ) {
    this.secrets = model.api_key ? [model.api_key] : [];
  }

  async *run(ids: CallIds): AsyncGenerator<LlmEvent, LlmOutcome, void> {
    try {
      const opened = await this.open();
      if ("outcome" in opened) return opened.outcome;
      return yield* this.read(opened.body, ids);
    } catch (error) {
      return thrownOutcome(error, this.secrets);
    } finally {
      if (!this.draining) this.control.abort();
    }
  }

  /** Sends the request; a refusal of an optional field is answered by the same request without it. */
  private async open(): Promise<Opened> {
    const key = `${this.url} ${this.model.model_id}`;
    let dialect = dialectOf(key);
    for (let step = 0; ; step += 1) {
      const body = this.body(dialect);
      if (!body.messages.some((m) => m.role !== "system")) {
        return {
          outcome: { status: "failed", refused: true, error_message: "There is nothing to send to the model." },
        };
      }
      const sent = await pull(this.send(body), this.signal, this.request.idle_timeout_ms);
      if (sent.kind === "aborted") return { outcome: { status: "aborted" } };
      if (sent.kind === "idle") return { outcome: this.idle() };
      if (sent.kind === "error") return { outcome: thrownOutcome(sent.error, this.secrets) };
      const answer = sent.value;
      if ("body" in answer) return answer;
      const next = learn(dialect, this.request.thinking_level, answer.failure.http_status ?? 0, answer.failure.body);
      if (next === null || step >= MAX_DIALECT_STEPS) return { outcome: failureOutcome(answer.failure, this.secrets) };
      dialect = next;
      rememberDialect(key, dialect);
    }
  }

  private body(dialect: Dialect): ChatBody {
    const { vision = true, max_tokens: cap } = this.model;
    return chatBody(this.model.model_id, this.request, dialect, { vision, cap });
  }

  private send(body: ChatBody): Promise<Sent> {
    return postChat(body, {
      url: this.url,
      apiKey: this.model.api_key,
      fetch: this.fetch,
      signal: this.control.signal,
    });
  }

  private idle(): LlmOutcome {
    const seconds = Math.round(this.request.idle_timeout_ms / 1000);
    return { status: "timeout", error_message: `The provider sent nothing for ${seconds} s.` };
  }

  /** Reads the stream to its end, or to the first reason not to. */
  private async *read(body: ReadableStream<Uint8Array>, ids: CallIds): AsyncGenerator<LlmEvent, LlmOutcome, void> {
    const answer = new Answer(ids);
    const reader = new ChatReader(answer, new Set(this.request.tools.map((tool) => tool.name)));
    const sse = new SseDecoder();
    const source = body.getReader();
    let cut: LlmOutcome | null = null;
    try {
      while (cut === null && reader.failure === null) {
        const limit = reader.finish === "" ? this.request.idle_timeout_ms : GRACE_MS;
        const step = await pull(source.read(), this.signal, limit);
        if (step.kind === "aborted") cut = { status: "aborted" };
        else if (step.kind === "idle") cut = this.idle();
        else if (step.kind === "error") cut = thrownOutcome(step.error, this.secrets);
        else {
          const { done, value } = step.value;
          for (const data of done ? sse.end() : sse.push(value)) reader.event(data);
          if (done) readStray(reader, sse.stray);
          yield* answer.take();
          if (done || (reader.finish !== "" && reader.ended)) break;
        }
      }
      this.draining = cut === null && reader.failure === null;
    } finally {
      if (this.draining) drain(source, this.control);
      else source.cancel().catch(() => {});
    }
    const complete = reader.end();
    const outcome = this.judge(reader, answer, complete, sse.stray, cut);
    answer.finish(proseEnd(outcome, reader.finish), outcome.status);
    yield* answer.take();
    if (reader.usage) yield { kind: "usage", request: reader.usage };
    return outcome;
  }

  /** How it ended. What the provider had already finished counts as finished, whatever happened since (FF 5.2). */
  private judge(r: ChatReader, answer: Answer, complete: boolean, stray: string, cut: LlmOutcome | null): LlmOutcome {
    const said = r.finish !== "" && r.finish !== "error";
    if (r.failure !== null && !said) return failureOutcome({ body: r.failure }, this.secrets);
    if (cut !== null && !said) return cut;
    if (r.finish === "error") return { status: "timeout", error_message: "The provider broke off with an error." };
    if (r.finish === "content_filter" && !answer.substantial) {
      return { status: "failed", refused: true, error_message: "The provider's content filter stopped the answer." };
    }
    const malformed = malformedBecause(r, answer, complete, stray);
    if (malformed !== null) return { status: "malformed", error_message: malformed };
    return { status: "completed", ...(answer.substantial ? {} : { empty: true }) };
  }
}

/** A cut by length or filter shows on the text, although the Request is complete. */
function proseEnd(outcome: LlmOutcome, finish: string): StopReason {
  const shortened = finish === "length" || finish === "content_filter";
  return outcome.status === "completed" && shortened ? "failed" : outcome.status;
}

function malformedBecause(r: ChatReader, answer: Answer, complete: boolean, stray: string): string | null {
  if (r.unreadable !== null) return `The stream holds something that is not JSON: ${r.unreadable.slice(0, 200)}`;
  if (!complete) return "The model called a tool without naming it.";
  if (r.finish !== "") return null;
  if (!answer.substantial) {
    const words = stray
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim();
    return words === "" ? "The answer was empty." : `The answer is not an event stream: ${words.slice(0, 200)}`;
  }
  if (!r.ended) return "The stream ended without a finish reason.";
  return r.callsAreWhole ? null : "The stream ended inside a tool call.";
}

/** A server that answers 200 with plain JSON: an error, or a completion that was not streamed. */
function readStray(reader: ChatReader, stray: string): void {
  const parsed = stray === "" ? undefined : parseJson(stray);
  if (parsed) reader.chunk(parsed.value);
}
