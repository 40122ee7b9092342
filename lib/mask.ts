/**
 * Replaces secrets (vault values, keys) in a stream of text, also where one is cut by a chunk border (AC3). Only a tail
 * that could be the beginning of a secret is held back, so ordinary text is not delayed.
 */

/** Shorter ones would mask ordinary words; as vault values they are refused when saved. */
export const MIN_SECRET_CHARS = 8;
const MASK = "***";

export class StreamMask {
  /** Longest first: a secret may contain another. */
  readonly #secrets: string[];
  #held = "";

  constructor(
    secrets: Iterable<string>,
    private readonly mark = MASK,
  ) {
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

  /** What was held back. A text that ends in the middle of a secret does not show the part that came. */
  flush(): string {
    const rest = this.#held;
    this.#held = "";
    return rest.length < MIN_SECRET_CHARS ? rest : this.mark;
  }

  #masked(text: string): string {
    return this.#secrets.reduce((masked, secret) => masked.replaceAll(secret, this.mark), text);
  }

  /** Length of the longest tail with which a secret begins. */
  #openTail(text: string): number {
    let longest = 0;
    for (const secret of this.#secrets) {
      const first = secret.charAt(0);
      let at = text.indexOf(first, Math.max(0, text.length - secret.length + 1));
      while (at >= 0 && text.length - at > longest) {
        if (secret.startsWith(text.slice(at))) longest = text.length - at;
        else at = text.indexOf(first, at + 1);
      }
    }
    return longest;
  }
}

/** A whole text without secrets. */
export function masked(text: string, secrets: Iterable<string>, mark = MASK): string {
  const mask = new StreamMask(secrets, mark);
  return mask.push(text) + mask.flush();
}
