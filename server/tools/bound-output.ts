/**
 * Bounds one call's output: keeps the head, archives the whole, and names the path. What streams, what the Trace holds
 * and what the model reads are the same text (EN8).
 */
import { StreamMask } from "../../lib/mask";
import { WindowBuffer } from "./window-buffer";

/** Where "no limit" still ends: a record stays far below the size at which readers give up. UTF-16 units. */
const CEILING = 8 * 1024 * 1024;

export type ArchiveResult =
  | { ok: true; path: string; windows: boolean }
  /** errno name */
  | { ok: false; code: string };

export type Archive = (content: { blocks: Uint8Array[]; windows: boolean }) => Promise<ArchiveResult>;

const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;

export class BoundOutput {
  readonly #limit: number;
  /** All text kept so far. */
  #head: string[] = [];
  #room: number;
  /** Kept, not yet taken. */
  #pending: string[] = [];
  /** A first half of a surrogate pair, waiting for its second half. */
  #half = "";
  #overflow: WindowBuffer | null = null;
  /** What the recovery file begins with where that differs from the head: the text as it was before masking. */
  #raw: string[] = [];
  #closed = false;
  #wake: (() => void) | null = null;
  #news = false;

  /**
   * @param limit characters (UTF-16 units) kept; <= 0: as many as a record can sensibly hold
   * @param mask takes vault values out of what is kept; the recovery file holds them (AC3)
   */
  constructor(
    limit: number,
    private readonly mask = new StreamMask([]),
  ) {
    this.#limit = limit > 0 ? limit : CEILING;
    this.#room = this.#limit;
  }

  get truncated(): boolean {
    return this.#overflow !== null;
  }

  /** Adds output. Whatever comes after `close` is dropped. */
  write(text: string): void {
    if (this.#closed || text === "") return;
    let all = this.#half + text;
    this.#half = "";
    if (isHigh(all.charCodeAt(all.length - 1))) {
      this.#half = all.slice(-1);
      all = all.slice(0, -1);
    }
    this.#admit(all);
  }

  #admit(raw: string): void {
    if (!this.mask.active) this.#accept(raw);
    else if (this.#overflow) this.#overflow.write(raw);
    else {
      this.#raw.push(raw);
      this.#accept(this.mask.push(raw));
    }
  }

  #accept(text: string): void {
    if (text === "") return;
    if (this.#overflow) {
      this.#overflow.write(text);
      return;
    }
    if (text.length <= this.#room) {
      this.#keep(text);
      return;
    }
    // Never keep half of a pair.
    const pair = isHigh(text.charCodeAt(this.#room - 1)) && isLow(text.charCodeAt(this.#room));
    const cut = pair ? this.#room - 1 : this.#room;
    this.#keep(text.slice(0, cut));
    this.#overflow = new WindowBuffer();
    for (const part of this.mask.active ? this.#raw : this.#head) this.#overflow.write(part);
    this.#raw = [];
    if (!this.mask.active) this.#overflow.write(text.slice(cut));
  }

  #keep(text: string): void {
    if (text === "") return;
    this.#head.push(text);
    this.#pending.push(text);
    this.#room -= text.length;
    this.wake();
  }

  /** What was kept since the last call; "" when nothing was. */
  take(): string {
    const text = this.#pending.join("");
    this.#pending = [];
    this.#news = false;
    return text;
  }

  /** Resolves when there is something to take, or at the next `wake`. One waiter at a time. */
  changed(): Promise<void> {
    if (this.#news) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  wake(): void {
    this.#news = true;
    this.#wake?.();
    this.#wake = null;
  }

  /**
   * Ends the output and writes the recovery file if something was cut. Answers with what is still to be streamed: the
   * rest of the kept text and the notes, in the order truncation, archive, then `notes`; `text` is the whole of it.
   */
  async finish(archive: Archive, notes: string[]): Promise<{ text: string; rest: string }> {
    if (this.#half) {
      const half = this.#half;
      this.#half = "";
      this.#admit(half);
    }
    if (!this.#overflow) this.#accept(this.mask.flush());
    this.#closed = true;
    const all = this.#overflow ? [...(await this.#archiveNotes(this.#overflow, archive)), ...notes] : notes;
    const content = this.#head.join("");
    let tail = all.join("\n");
    if (content !== "" && tail !== "") tail = `\n${tail}`;
    if (content === "" && tail === "") tail = "[no output]";
    return { text: content + tail, rest: this.take() + tail };
  }

  async #archiveNotes(overflow: WindowBuffer, archive: Archive): Promise<string[]> {
    const marker = `[output truncated: exceeded ${this.#limit} chars]`;
    const result = await archive(overflow.content());
    if (!result.ok) return [marker, `[output archive failed: ${result.code}]`];
    const kind = result.windows ? "output archived (8 MiB limit; head and tail kept)" : "output archived";
    return [marker, `[${kind}: ${result.path}]`];
  }
}
