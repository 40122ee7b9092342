/**
 * Replaces vault values in a stream of text, also where a value is cut by a chunk border (AC3). Only a tail that could
 * be the beginning of a value is held back, so ordinary output is not delayed.
 */

/** Shorter values would mask ordinary words; they are refused when saved. */
const MIN_SECRET_CHARS = 8;
const MASK = "***";

export class StreamMask {
  /** Longest first: a value may contain another. */
  readonly #secrets: string[];
  #held = "";

  constructor(secrets: Iterable<string>) {
    this.#secrets = [...new Set(secrets)]
      .filter((secret) => secret.length >= MIN_SECRET_CHARS)
      .sort((a, b) => b.length - a.length);
  }

  /** Is there anything to look for? */
  get active(): boolean {
    return this.#secrets.length > 0;
  }

  /** The next piece of text that can be shown. */
  push(text: string): string {
    const all = this.#masked(this.#held + text);
    const kept = all.length - this.#openTail(all);
    this.#held = all.slice(kept);
    return all.slice(0, kept);
  }

  /** What was held back and turned out to be no value. */
  flush(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }

  #masked(text: string): string {
    return this.#secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
  }

  /** Length of the longest tail with which a value begins. */
  #openTail(text: string): number {
    let longest = 0;
    for (const secret of this.#secrets) {
      for (let n = Math.min(secret.length - 1, text.length); n > longest; n -= 1) {
        if (text.endsWith(secret.slice(0, n))) longest = n;
      }
    }
    return longest;
  }
}

/** A whole text without vault values. */
export function masked(text: string, secrets: Iterable<string>): string {
  const mask = new StreamMask(secrets);
  return mask.push(text) + mask.flush();
}

/** A file's bytes without vault values, one character per byte, so that nothing else changes. */
export async function* maskedBytes(
  pieces: AsyncIterable<Uint8Array>,
  secrets: Iterable<string>,
): AsyncGenerator<Uint8Array> {
  const mask = new StreamMask(Array.from(secrets, (secret) => Buffer.from(secret).toString("latin1")));
  for await (const piece of pieces) {
    const shown = mask.push(Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString("latin1"));
    if (shown !== "") yield Buffer.from(shown, "latin1");
  }
  const rest = mask.flush();
  if (rest !== "") yield Buffer.from(rest, "latin1");
}
