/** Reads a window of lines out of a file of any size without holding more than what is shown. */

export interface WindowRequest {
  /** First line, 1-based. */
  offset: number;
  /** Lines at most. */
  limit: number;
  /** First character of the first line, 1-based; the window is then part of that one line when it is long. */
  column: number;
  /** Characters of one line at most. */
  lineChars: number;
  /** Characters of all lines together at most. */
  totalChars: number;
}

export interface ShownLine {
  number: number;
  text: string;
  /** Characters of the line up to the end of `text`. */
  upTo: number;
  /** Is there more of this line? */
  cut: boolean;
}

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** Fed with decoded text in any chunks; `end` must follow the last one. Characters are UTF-16 units. */
export class LineWindow {
  readonly shown: ShownLine[] = [];
  /** Lines seen so far, the open one not included. */
  lines = 0;
  crlf = false;
  /** The character limit of the window, not `limit`, ended it. */
  budgetSpent = false;
  readonly #request: WindowRequest;
  #budget: number;
  /** Of the line being read. */
  #length = 0;
  #kept = "";
  #room = 0;
  #lastUnit = 0;

  constructor(request: WindowRequest) {
    this.#request = request;
    this.#budget = request.totalChars;
    this.#openLine();
  }

  /** Nothing more will be shown: what follows only counts lines. */
  get complete(): boolean {
    const { offset, limit } = this.#request;
    return this.budgetSpent || this.lines + 1 >= offset + limit;
  }

  push(text: string): void {
    for (let at = 0; at < text.length; ) {
      const newline = text.indexOf("\n", at);
      const end = newline === -1 ? text.length : newline;
      this.#append(text, at, end);
      if (newline === -1) return;
      this.#closeLine(true);
      at = newline + 1;
    }
  }

  end(): void {
    if (this.#length > 0) this.#closeLine(false);
  }

  #wanted(): boolean {
    const { offset, limit } = this.#request;
    return !this.budgetSpent && this.lines + 1 >= offset && this.lines + 1 < offset + limit;
  }

  #skip(): number {
    return this.lines + 1 === this.#request.offset ? this.#request.column - 1 : 0;
  }

  #openLine(): void {
    this.#length = 0;
    this.#kept = "";
    this.#lastUnit = 0;
    // One more than may be shown, to know whether something was cut off.
    this.#room = this.#request.lineChars + 1;
  }

  #append(text: string, from: number, to: number): void {
    if (to > from) this.#lastUnit = text.charCodeAt(to - 1);
    if (this.#wanted() && this.#kept.length < this.#room) {
      const start = from + Math.max(0, this.#skip() - this.#length);
      if (start < to) this.#kept += text.slice(start, Math.min(to, start + this.#room - this.#kept.length));
    }
    this.#length += to - from;
  }

  #closeLine(terminated: boolean): void {
    const carriage = terminated && this.#lastUnit === 13;
    if (carriage) this.crlf = true;
    if (this.#wanted()) this.#show(carriage);
    this.lines++;
    this.#openLine();
  }

  #show(carriage: boolean): void {
    const skip = Math.min(this.#skip(), this.#length);
    const length = this.#length - (carriage ? 1 : 0);
    const { lineChars } = this.#request;
    let text = this.#kept.slice(0, Math.max(0, Math.min(lineChars, length - skip)));
    const cut = skip + text.length < length;
    // A cut never divides a character; a start in the middle of one begins at its second half.
    if (cut && isHigh(text.charCodeAt(text.length - 1))) text = text.slice(0, -1);
    if (skip > 0 && isLow(text.charCodeAt(0))) text = `\uFFFD${text.slice(1)}`;
    if (this.shown.length > 0 && text.length > this.#budget) {
      this.budgetSpent = true;
      return;
    }
    this.#budget -= text.length + 8;
    this.shown.push({ number: this.lines + 1, text, upTo: skip + text.length, cut });
    if (this.#budget <= 0) this.budgetSpent = true;
  }
}
