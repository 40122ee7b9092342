/** One POST to a chat completions endpoint, and what becomes of its connection. */
import OpenAI from "openai";
import { endpoint } from "./base-url";
import type { ChatBody } from "./chat-request";
import type { ProviderFailure } from "./outcome";
import { pull } from "./pull";

/** The SDK's own timer must never be the one that fires. Milliseconds. */
const NEVER_MS = 2_147_483_647;
/** Of an error's body. Bytes. */
const MAX_ERROR_BODY = 64 * 1024;
/** How long the end of a stream is waited for after everything was said. Milliseconds. */
const DRAIN_MS = 500;

export type Sent = { body: ReadableStream<Uint8Array> } | { failure: ProviderFailure };
export interface Target {
  /** A tidied base URL. */
  url: string;
  apiKey: string | undefined;
  fetch: typeof globalThis.fetch;
  signal: AbortSignal;
}

/** Rejects when no answer came at all. The SDK neither retries nor times out. */
export async function postChat(body: ChatBody, target: Target): Promise<Sent> {
  let refused: ProviderFailure | undefined;
  const { base, query } = endpoint(target.url);
  const client = new OpenAI({
    // Nothing may come from the environment: those keys and headers belong to another host.
    apiKey: target.apiKey || "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: "off",
    baseURL: base,
    defaultQuery: query,
    maxRetries: 0,
    timeout: NEVER_MS,
    fetch: async (url, init) => {
      const headers = new Headers({ "content-type": "application/json", accept: "text/event-stream" });
      if (target.apiKey) headers.set("authorization", `Bearer ${target.apiKey}`);
      // A redirect would carry the prompt to a host that nobody checked.
      const response = await target.fetch(url, { ...init, headers, redirect: "manual" });
      if (response.ok) return response;
      refused = await readRefusal(response, target.signal);
      return new Response(null, { status: 400 });
    },
  });
  try {
    const response = await client.chat.completions.create(body, { signal: target.signal }).asResponse();
    return { body: response.body ?? new Blob([]).stream() };
  } catch (error) {
    if (refused) return { failure: refused };
    throw error;
  }
}

async function readRefusal(response: Response, signal: AbortSignal): Promise<ProviderFailure> {
  const moved = response.headers.get("location");
  const body = moved ? `The address redirects to ${moved}; use that one.` : await head(response, signal);
  return { http_status: response.status, headers: response.headers, body };
}

/** The beginning of a body: an error page may be endless. */
async function head(response: Response, signal: AbortSignal): Promise<string> {
  const source = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (source && text.length < MAX_ERROR_BODY) {
    const step = await pull(source.read(), signal, 0);
    if (step.kind !== "value" || step.value.done) return text + decoder.decode();
    text += decoder.decode(step.value.value, { stream: true });
  }
  source?.cancel().catch(() => {});
  return text.slice(0, MAX_ERROR_BODY);
}

/**
 * Reads the little that follows a finished answer, in the background: a stream read to its end gives its connection
 * back, a cancelled one costs the next Request a new handshake.
 */
export async function drain(source: ReadableStreamDefaultReader<Uint8Array>, control: AbortController): Promise<void> {
  const limit = AbortSignal.timeout(DRAIN_MS);
  for (;;) {
    const step = await pull(source.read(), limit, 0);
    if (step.kind !== "value" || step.value.done) break;
  }
  source.cancel().catch(() => {});
  control.abort();
}
