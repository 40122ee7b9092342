/**
 * One Request on its way, the same for every protocol: send, learn from refusals, read the stream, judge how it ended.
 * Timeouts, retries and the reading of the stream are ours; a vendor's package only spells the request.
 *
 * When is an answer whole? When the provider said so. A stream that just stops is `malformed` (FF 5.3), its text stays
 * visible and the engine asks again.
 */

import type { ClientType } from "../../lib/model/protocol";
import type { StopReason } from "../../lib/omni/message";
import type { Llm, LlmEvent, LlmOutcome, LlmRequest } from "../engine/ports";
import { Answer } from "./answer";
import { normaliseBaseUrl } from "./base-url";
import { CallIds } from "./call-ids";
import { parseJson } from "./json";
import type { ModelConfig } from "./model-config";
import { failureOutcome, type ProviderFailure, scrub, thrownOutcome } from "./outcome";
import { drain, type Sent, type Target } from "./post";
import { pull } from "./pull";
import { AnswerMask, secretsOf } from "./secrets";
import { SseDecoder } from "./sse";
import type { StreamReader } from "./stream-reader";
import { Verbatim } from "./verbatim";

/** After the finish reason only usage can follow; nobody waits longer for it. Milliseconds. */
const GRACE_MS = 3_000;
/** Refusals of optional fields that one Request answers by leaving them out. */
const MAX_LESSONS = 6;
/** Of what came instead of an answer. Characters. */
const MAX_QUOTE = 260;

export interface AdapterDeps {
  fetch?: typeof fetch;
  /** Ids of tool calls the Session has used before this context. */
  usedToolCallIds?: Iterable<string>;
}

/** What a protocol does with one Request. */
export interface Exchange {
  /** The next try; null: the history says nothing that could be sent. */
  next(verbatim: Verbatim): ((target: Target) => Promise<Sent>) | null;
  /** Is a refusal about an optional field, so that the next try leaves it out? */
  learn(failure: ProviderFailure): boolean;
  reader(answer: Answer): StreamReader;
}
export interface Protocol {
  client_type: ClientType;
  /** The vendor's own address, for models that name none. */
  home: string;
  /** Why no Request can be made of this entry; null: one can. */
  unusable?(model: ModelConfig): string | null;
  exchange(model: ModelConfig, url: string, request: LlmRequest): Exchange;
}

/** An `Llm` for one model. A bad base URL is an outcome, not an error. */
export function protocolLlm(protocol: Protocol, model: ModelConfig, deps: AdapterDeps): Llm {
  const ids = new CallIds(deps.usedToolCallIds);
  const address = normaliseBaseUrl(model.base_url?.trim() || protocol.home, protocol.client_type);
  return {
    stream(request, signal) {
      for (const p of request.history) if (p.type === "tool_call") ids.note(p.tool_call_id);
      if (!address.ok) return refuse(address.message);
      const unusable = protocol.unusable?.(model) ?? null;
      if (unusable !== null) return refuse(unusable);
      const exchange = protocol.exchange(model, address.url, request);
      return new Call(model, address.url, deps.fetch ?? fetch, exchange, request, signal).run(ids);
    },
  };
}

// biome-ignore lint/correctness/useYield: the shape of a stream, with nothing to say
export async function* refuse(error_message: string): AsyncGenerator<LlmEvent, LlmOutcome, void> {
  return { status: "failed", refused: true, error_message };
}

type Opened = { body: ReadableStream<Uint8Array> } | { outcome: LlmOutcome };

class Call {
  private readonly control = new AbortController();
  private readonly secrets: string[];
  /** The answer is whole; the connection is on its way back to the pool. */
  private draining = false;

  constructor(
    model: ModelConfig,
    private readonly url: string,
    private readonly fetch: typeof globalThis.fetch,
    private readonly exchange: Exchange,
    private readonly request: LlmRequest,
    private readonly signal: AbortSignal,
  ) {
    this.apiKey = model.api_key;
    this.secrets = secretsOf(model);
  }
  private readonly apiKey: string | undefined;

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
    for (let lessons = 0; ; lessons += 1) {
      const verbatim = new Verbatim();
      const attempt = this.exchange.next(verbatim);
      if (attempt === null) {
        const error_message = "There is nothing to send to the model.";
        return { outcome: { status: "failed", refused: true, error_message } };
      }
      const { url, apiKey, fetch } = this;
      const work = attempt({ url, apiKey, fetch, signal: this.control.signal, verbatim });
      const sent = await pull(work, this.signal, this.request.idle_timeout_ms);
      if (sent.kind === "aborted") return { outcome: { status: "aborted" } };
      if (sent.kind === "idle") return { outcome: this.idle() };
      if (sent.kind === "error") return { outcome: thrownOutcome(sent.error, this.secrets) };
      if ("body" in sent.value) return sent.value;
      const { failure } = sent.value;
      if (lessons >= MAX_LESSONS || !this.exchange.learn(failure)) {
        return { outcome: failureOutcome(failure, this.secrets) };
      }
    }
  }

  private idle(): LlmOutcome {
    const seconds = Math.round(this.request.idle_timeout_ms / 1000);
    return { status: "timeout", error_message: `The provider sent nothing for ${seconds} s.` };
  }

  /** Reads the stream to its end, or to the first reason not to. */
  private async *read(body: ReadableStream<Uint8Array>, ids: CallIds): AsyncGenerator<LlmEvent, LlmOutcome, void> {
    const answer = new Answer(ids, AnswerMask.of(this.secrets));
    const reader = this.exchange.reader(answer);
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
    reader.end();
    const outcome = this.judge(reader, answer, sse.stray, cut);
    answer.finish(proseEnd(outcome, reader.finish), outcome.status);
    yield* answer.take();
    if (reader.usage) yield { kind: "usage", request: reader.usage };
    return outcome;
  }

  /** How it ended. What the provider had already finished counts as finished, whatever happened since (FF 5.2). */
  private judge(r: StreamReader, answer: Answer, stray: string, cut: LlmOutcome | null): LlmOutcome {
    const said = r.finish !== "" && r.finish !== "error";
    if (r.failure !== null && !said) return failureOutcome({ body: r.failure }, this.secrets);
    if (cut !== null && !said) return cut;
    if (r.finish === "error") return { status: "timeout", error_message: "The provider broke off with an error." };
    if (r.finish === "content_filter" && !answer.substantial) {
      return { status: "failed", refused: true, error_message: "The provider's content filter stopped the answer." };
    }
    const malformed = malformedBecause(r, answer, stray);
    if (malformed !== null) {
      // Cut only after keys are out: half a key is one too many.
      return { status: "malformed", error_message: scrub(malformed, this.secrets).slice(0, MAX_QUOTE) };
    }
    return { status: "completed", ...(answer.substantial ? {} : { empty: true }) };
  }
}

/** A cut by length or filter shows on the text, although the Request is complete. */
function proseEnd(outcome: LlmOutcome, finish: string): StopReason {
  const shortened = finish === "length" || finish === "content_filter";
  return outcome.status === "completed" && shortened ? "failed" : outcome.status;
}

function malformedBecause(r: StreamReader, answer: Answer, stray: string): string | null {
  if (r.fault !== null) return r.fault;
  if (r.finish !== "") return null;
  if (!answer.substantial) {
    const words = stray
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim();
    return words === "" ? "The answer was empty." : `The answer is not an event stream: ${words}`;
  }
  if (!r.ended) return "The stream ended without a finish reason.";
  return r.callsAreWhole ? null : "The stream ended inside a tool call.";
}

/** A server that answers 200 with plain JSON: an error, or an answer that was not streamed. */
function readStray(reader: StreamReader, stray: string): void {
  const parsed = stray === "" ? undefined : parseJson(stray);
  if (parsed) reader.chunk(parsed.value);
}
