/**
 * One `text/event-stream` over fetch. Unlike EventSource it tells the HTTP status and sees the server's pings, so that
 * a dead connection is noticed.
 */
export interface ServerEvent {
  /** Which of the streams on this connection; "" on a connection with one. */
  sub: string;
  id: string;
  event: string;
  data: string;
}
export interface EventStreamHandlers {
  onOpen?(): void;
  onEvent(event: ServerEvent): void;
  /** Once. `status` is the HTTP status of a refusal, 0 for a broken or silent connection. */
  onEnd(status: number): void;
}

/** The server pings every 15 s: after this long without a byte the connection is dead. Milliseconds. */
const SILENCE_MS = 40_000;

export function openEventStream(url: string, handlers: EventStreamHandlers): { close: () => void } {
  const abort = new AbortController();
  let ended = false;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  const end = (status: number) => {
    clearTimeout(watchdog);
    abort.abort();
    if (ended) return;
    ended = true;
    handlers.onEnd(status);
  };
  const heard = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => end(0), SILENCE_MS);
  };
  const run = async () => {
    heard();
    const headers = { Accept: "text/event-stream" };
    const response = await fetch(url, { headers, signal: abort.signal, cache: "no-store", credentials: "same-origin" });
    if (!response.ok || !response.body) return end(response.ok ? 0 : response.status);
    handlers.onOpen?.();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const parser = createParser(handlers.onEvent);
    for (;;) {
      const { done, value } = await reader.read();
      if (done || ended) return end(0);
      heard();
      parser(value);
    }
  };
  run().catch(() => end(0));
  return {
    close: () => {
      ended = true;
      end(0);
    },
  };
}

/** Feeds text in any chunking; calls back once per event. Comments are skipped. */
export function createParser(onEvent: (event: ServerEvent) => void): (chunk: string) => void {
  let pieces: string[] = [];
  let id = "";
  let sub = "";
  let event = "";
  let data: string[] = [];
  const line = (text: string) => {
    if (text === "") {
      if (data.length > 0) onEvent({ sub, id, event, data: data.join("\n") });
      // Of one stream only: the next event may be another's.
      id = "";
      sub = "";
      event = "";
      data = [];
      return;
    }
    const colon = text.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? "" : text.slice(text[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "id") id = value;
    else if (field === "sub") sub = value;
    else if (field === "event") event = value;
    else if (field === "data") data.push(value);
  };
  return (chunk) => {
    // A long event comes in many chunks: they are joined once, not once per chunk.
    if (!chunk.includes("\n")) {
      pieces.push(chunk);
      return;
    }
    const lines = (pieces.join("") + chunk).split("\n");
    pieces = [lines.pop() ?? ""];
    for (const text of lines) line(text.endsWith("\r") ? text.slice(0, -1) : text);
  };
}
