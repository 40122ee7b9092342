/** Output of a command that nobody reads at the moment: the newest part is kept, the oldest is dropped and counted. */

/** UTF-16 units. */
const MAX_CHARS = 1024 * 1024;

export class UnreadBuffer {
  #chunks: string[] = [];
  #chars = 0;
  #dropped = 0;
  readonly #max: number;

  constructor(max = MAX_CHARS) {
    this.#max = max;
  }

  push(text: string): void {
    const last = this.#chunks.length - 1;
    // Many tiny writes become few chunks, so that dropping stays cheap.
    if (last >= 0 && (this.#chunks[last]?.length ?? 0) + text.length <= 4096) this.#chunks[last] += text;
    else this.#chunks.push(text);
    this.#chars += text.length;
    while (this.#chars > this.#max) {
      const first = this.#chunks[0] ?? "";
      let drop = Math.min(first.length, this.#chars - this.#max);
      const next = first.charCodeAt(drop);
      // Never leave half of a surrogate pair.
      if (next >= 0xdc00 && next <= 0xdfff) drop++;
      if (drop >= first.length) this.#chunks.shift();
      else this.#chunks[0] = first.slice(drop);
      this.#chars -= drop;
      this.#dropped += drop;
    }
  }

  /** The newest part, which stays in the buffer. */
  tail(chars: number): string {
    let text = "";
    for (let at = this.#chunks.length - 1; at >= 0 && text.length < chars; at -= 1) text = this.#chunks[at] + text;
    if (text.length <= chars) return text;
    const cut = text.slice(-chars);
    // Never begin with half of a surrogate pair.
    return /^[\udc00-\udfff]/.test(cut) ? cut.slice(1) : cut;
  }

  /** Everything kept, with a line in front that says how much was dropped; the buffer is empty afterwards. */
  take(): string {
    const notice = this.#dropped > 0 ? `[... ${this.#dropped} chars of earlier output dropped ...]\n` : "";
    const text = notice + this.#chunks.join("");
    this.#chunks = [];
    this.#chars = 0;
    this.#dropped = 0;
    return text;
  }
}
