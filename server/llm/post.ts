/**
 * One POST through a vendor's package, and what becomes of its connection. The package spells address and body; what
 * goes over the wire and how the answer is read is the same for every protocol, because servers differ more than the
 * packages allow for.
 */
import type { ProviderFailure } from "./outcome";
import { pull } from "./pull";
import type { Verbatim } from "./verbatim";

/** A package's own timer must never be the one that fires. Milliseconds. */
export const NEVER_MS = 2_147_483_647;
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
  /** Puts back how the Trace spells the numbers in `fidelity`. */
  verbatim: Verbatim;
}

/**
 * `spell` makes the package send its request through the given fetch. The package sees an empty answer: the real one
 * is read by us. Nothing of the environment reaches the wire: all headers are `headers`. Rejects when no answer came.
 */
export async function post(
  target: Target,
  headers: Record<string, string>,
  spell: (carry: typeof globalThis.fetch) => Promise<unknown>,
): Promise<Sent> {
  let sent: Sent | undefined;
  let thrown: { error: unknown } | undefined;
  const carry: typeof globalThis.fetch = async (url, init) => {
    try {
      const response = await target.fetch(url, {
        method: init?.method ?? "POST",
        body: typeof init?.body === "string" ? target.verbatim.restore(init.body) : init?.body,
        headers: { "content-type": "application/json", accept: "text/event-stream", ...headers },
        signal: target.signal,
        // A redirect would carry the prompt to a host that nobody checked.
        redirect: "manual",
      });
      sent = response.ok
        ? { body: response.body ?? new Blob([]).stream() }
        : { failure: await readRefusal(response, target.signal) };
    } catch (error) {
      thrown = { error };
      throw error;
    }
    return new Response("", { headers: { "content-type": "text/event-stream" } });
  };
  try {
    await spell(carry);
  } catch (error) {
    if (!sent) throw thrown ? thrown.error : error;
  }
  if (!sent) throw new Error("The request was not sent.");
  return sent;
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
