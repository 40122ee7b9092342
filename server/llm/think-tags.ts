/**
 * `<think>…</think>` at the very start of the content is thinking; anywhere else the tag is ordinary text (a model may
 * write about it). White space before the opening tag is dropped, everything else is kept to the letter.
 */

const OPEN = "<think>";
const CLOSE = "</think>";

export interface Piece {
  kind: "text" | "thinking";
  text: string;
}

export class ThinkTags {
  private state: "start" | "thinking" | "text" = "start";
  private held = "";

  push(delta: string): Piece[] {
    if (this.state === "text") return [{ kind: "text", text: delta }];
    this.held += delta;
    if (this.state === "start") {
      const head = this.held.trimStart();
      if (!head.startsWith(OPEN)) return OPEN.startsWith(head) ? [] : this.rest();
      this.state = "thinking";
      this.held = head.slice(OPEN.length);
    }
    const close = this.held.indexOf(CLOSE);
    if (close >= 0) {
      const thinking: Piece = { kind: "thinking", text: this.held.slice(0, close) };
      this.held = this.held.slice(close + CLOSE.length);
      return [thinking, ...this.rest()];
    }
    const keep = tailThatMayOpen(this.held, CLOSE);
    const out = this.held.slice(0, this.held.length - keep);
    this.held = this.held.slice(this.held.length - keep);
    return [{ kind: "thinking", text: out }];
  }

  /** What is still held when the content ends. */
  end(): Piece[] {
    return this.state === "thinking" ? [{ kind: "thinking", text: this.take() }] : this.rest();
  }

  private rest(): Piece[] {
    this.state = "text";
    return [{ kind: "text", text: this.take() }];
  }

  private take(): string {
    const held = this.held;
    this.held = "";
    return held;
  }
}

/** Length of the longest end of `text` with which `tag` could begin. */
function tailThatMayOpen(text: string, tag: string): number {
  for (let n = Math.min(text.length, tag.length - 1); n > 0; n -= 1) {
    if (tag.startsWith(text.slice(-n))) return n;
  }
  return 0;
}

/** The inverse: content as the model wrote it. */
export function inlineThinking(thinking: string): string {
  return `${OPEN}${thinking}${CLOSE}`;
}
