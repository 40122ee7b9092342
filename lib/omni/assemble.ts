/**
 * Streaming fragments -> what is open right now. The same fold serves the server (a snapshot for a new subscriber) and
 * the browser (the text that is still growing).
 *
 *   start ──delta*──stop── the complete message
 *     └────── open ───────┘   closes it
 *
 * One fragment is open per kind, call id and child. A `start` on an open one replaces it; a `delta` without a `start`
 * opens one, because a subscriber may have joined late.
 */
import type { CompleteMessage, OmniMessage, PartialMessage, PartialPayload } from "./message";

export interface OpenFragment {
  /** Child chain, kind and call id. */
  key: string;
  /** A `start` that carries all text so far. */
  message: PartialMessage;
}

interface Growing {
  head: PartialMessage;
  /** Joined only when asked, so that appending costs the size of the delta. */
  chunks: string[];
  images: string[];
}

export class Assembler {
  readonly #growing = new Map<string, Growing>();

  push(message: PartialMessage): void {
    const key = keyOf(message, message.payload.type);
    const { payload } = message;
    let fragment = this.#growing.get(key);
    if (!fragment || payload.event_type === "start") {
      fragment = { head: message, chunks: [], images: [] };
      this.#growing.set(key, fragment);
    }
    const text = textOf(payload);
    if (text) fragment.chunks.push(text);
    if (payload.type === "partial_tool_call_output" && payload.images) fragment.images.push(...payload.images);
  }

  /** Closes the fragment that this message completes. */
  complete(message: CompleteMessage): void {
    this.#growing.delete(keyOf(message, `partial_${message.payload.type}`));
  }

  /** Oldest first. */
  fragments(): OpenFragment[] {
    return [...this.#growing].map(([key, fragment]) => ({ key, message: whole(fragment) }));
  }

  open(): PartialMessage[] {
    return [...this.#growing.values()].map(whole);
  }

  clear(): void {
    this.#growing.clear();
  }
}

function keyOf(message: OmniMessage, kind: string): string {
  const { payload } = message;
  const call = "tool_call_id" in payload && typeof payload.tool_call_id === "string" ? payload.tool_call_id : "";
  return [...(message.origin ?? []), kind, call].join("\n");
}

/** What a fragment adds. */
export function textOf(payload: PartialPayload): string {
  switch (payload.type) {
    case "partial_text":
      return payload.text;
    case "partial_thinking":
      return payload.thinking;
    case "partial_tool_call":
      return payload.arguments;
    case "partial_tool_call_output":
      return payload.output;
  }
}

function whole(fragment: Growing): PartialMessage {
  const text = fragment.chunks.join("");
  fragment.chunks = [text];
  return { ...fragment.head, payload: withText(fragment.head.payload, text, fragment.images) };
}

function withText(head: PartialPayload, text: string, images: string[]): PartialPayload {
  switch (head.type) {
    case "partial_text":
      return { ...head, event_type: "start", text };
    case "partial_thinking":
      return { ...head, event_type: "start", thinking: text };
    case "partial_tool_call":
      return { ...head, event_type: "start", arguments: text };
    case "partial_tool_call_output":
      return { ...head, event_type: "start", output: text, ...(images.length > 0 ? { images: [...images] } : {}) };
  }
}
