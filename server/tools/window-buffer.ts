/** Bounded storage of a long text as UTF-8: all of it, or equal windows of its head and tail around a marker. */

/** Size of a recovery file at most: one byte less than 8 MiB. */
export const MAX_BYTES = 8 * 1024 * 1024 - 1;
const MARKER = new TextEncoder().encode("\n[archive middle truncated]\n");
const BLOCK = 64 * 1024;

/** Encoded text in fixed blocks; no character is ever split over two. */
class Blocks {
  readonly list: Uint8Array[] = [];
  readonly #encoder = new TextEncoder();
  #block: Uint8Array = new Uint8Array(0);
  #used = 0;
  /** Forgotten ones, to be used again: an endless output would keep the collector of garbage busy. */
  readonly #spare: Uint8Array[] = [];
  bytes = 0;

  /** Appends as much as fits below `limit` bytes in total; answers with what did not. */
  write(text: string, limit: number): string {
    let rest = text;
    while (rest !== "") {
      const room = Math.min(this.#block.length - this.#used, limit - this.bytes);
      const { read, written } = this.#encoder.encodeInto(rest, this.#block.subarray(this.#used, this.#used + room));
      this.#used += written;
      this.bytes += written;
      this.#publish();
      rest = rest.slice(read);
      if (rest === "") break;
      // Not even one more character fits.
      if (limit - this.bytes < 4) break;
      if (read === 0 || this.#block.length - this.#used < 4) this.#grow();
    }
    return rest;
  }

  #grow(): void {
    this.#block = this.#spare.pop() ?? new Uint8Array(BLOCK);
    this.#used = 0;
    this.list.push(this.#block);
  }

  /** The last entry of the list shows exactly the used part of the open block. */
  #publish(): void {
    if (this.list.length > 0) this.list[this.list.length - 1] = this.#block.subarray(0, this.#used);
  }

  /** Forgets whole blocks from the front while at least `keep` bytes remain. */
  trim(keep: number): void {
    while (this.list.length > 1 && this.bytes - (this.list[0]?.length ?? 0) >= keep) {
      const gone = this.list.shift();
      if (!gone) return;
      this.bytes -= gone.length;
      this.#spare.push(new Uint8Array(gone.buffer));
    }
  }
}

/** The last `bytes` of the blocks, beginning on a character. Nothing is copied: fresh memory for 8 MiB takes 60 ms. */
function lastBytes(blocks: Uint8Array[], bytes: number): Uint8Array[] {
  const kept: Uint8Array[] = [];
  let missing = bytes;
  for (let at = blocks.length - 1; at >= 0 && missing > 0; at -= 1) {
    const block = blocks[at] ?? new Uint8Array(0);
    let start = Math.max(0, block.length - missing);
    missing -= block.length - start;
    while (start < block.length && ((block[start] ?? 0) & 0xc0) === 0x80) start++;
    kept.unshift(block.subarray(start));
  }
  return kept;
}

export class WindowBuffer {
  readonly #max: number;
  readonly #window: number;
  readonly #head = new Blocks();
  readonly #tail = new Blocks();
  #headFull = false;
  #total = 0;

  /** @param max bytes of the whole, marker included */
  constructor(max = MAX_BYTES) {
    this.#max = max;
    this.#window = Math.floor((max - MARKER.length) / 2);
  }

  write(text: string): void {
    let rest = text;
    if (!this.#headFull) {
      const before = this.#head.bytes;
      rest = this.#head.write(text, this.#window);
      this.#total += this.#head.bytes - before;
      if (rest === "") return;
      this.#headFull = true;
    }
    // In steps, so that one huge string does not have to fit before the front is forgotten.
    for (let at = 0, end = 0; at < rest.length; at = end) {
      end = at + BLOCK;
      const last = rest.charCodeAt(end - 1);
      if (last >= 0xd800 && last <= 0xdbff) end++;
      const before = this.#tail.bytes;
      this.#tail.write(rest.slice(at, end), Number.POSITIVE_INFINITY);
      this.#total += this.#tail.bytes - before;
      this.#tail.trim(this.#max - this.#head.bytes);
    }
  }

  /** In blocks that are the buffer's own. `windows`: the middle was left out. */
  content(): { blocks: Uint8Array[]; windows: boolean } {
    if (this.#total <= this.#max) return { blocks: [...this.#head.list, ...this.#tail.list], windows: false };
    return { blocks: [...this.#head.list, MARKER, ...lastBytes(this.#tail.list, this.#window)], windows: true };
  }
}
