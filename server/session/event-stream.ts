/** One subscriber of a Session's channel as an HTTP response: pings, back pressure, cleanup. */
import { PING } from "../../lib/api/frames";
import type { Session } from "./session";

export const PING_MS = 15_000;
/** The channel pauses for this reader above so many bytes. */
export const HIGH_WATER_BYTES = 256 * 1024;

export const STREAM_HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "private, no-cache, no-transform",
  "X-Accel-Buffering": "no",
} as const;

export interface StreamOptions {
  /** Last event id the browser saw. */
  lastId: string | null;
  signal: AbortSignal;
  /** Asked with every ping; false ends the stream. */
  allowed(): Promise<boolean>;
  /** Tells whoever can end this stream how; the result forgets it again. */
  register(close: () => void): () => void;
}

export function eventStream(session: Session, options: StreamOptions): Response {
  const encoder = new TextEncoder();
  let finish = () => {};
  let drained = () => {};
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    let open = true;
    const write = (text: string) => {
      if (open) controller.enqueue(encoder.encode(text));
    };
    finish = () => {
      if (!open) return;
      open = false;
      clearInterval(timer);
      options.signal.removeEventListener("abort", finish);
      forget();
      subscription.close();
      try {
        controller.close();
      } catch {
        // The reader went first.
      }
    };
    const timer = setInterval(() => {
      write(PING);
      options.allowed().then(
        (still) => still || finish(),
        () => finish(),
      );
    }, PING_MS);
    const forget = options.register(finish);
    const subscription = session.subscribe(options.lastId, {
      write,
      writable: () => (controller.desiredSize ?? 0) > 0,
      end: finish,
    });
    drained = subscription.drained;
    if (options.signal.aborted) finish();
    else options.signal.addEventListener("abort", finish);
  };
  const body = new ReadableStream<Uint8Array>(
    { start, pull: () => drained(), cancel: () => finish() },
    new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER_BYTES }),
  );
  return new Response(body, { headers: STREAM_HEADERS });
}
