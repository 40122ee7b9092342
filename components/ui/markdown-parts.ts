/**
 * A growing Markdown text cut into parts that are finished, so that only the last one is drawn again: a delta costs the
 * same at the beginning and at the end of a long answer. A fence at the margin is a part of its own and needs no parser.
 */
export type MarkdownPart =
  | { kind: "text"; text: string; table?: TablePiece }
  | { kind: "code"; language?: string; code: string; closed: boolean };

/** The part is a piece of a table that was cut. `head`: the lines of its header, "" in the piece that has them. */
interface TablePiece {
  head: string;
}

/** From this size on a part ends at the next good place; the later ones are for texts without such places. Characters. */
const AT_BLOCK = 400;
const AT_ITEM = 1_500;
const AT_ROW = 2_500;
const AT_LINE = 3_000;
const ANYWHERE = 12_000;
/** A line this long ends a part at a space behind the first number. Characters. */
const [LINE_FROM, LINE_TO] = [5_000, 7_000];

const FENCE = /^(`{3,}|~{3,})([^`]*)$/;
const DEFINITION = /^ {0,3}\[([^\]\n^][^\]\n]*)\]:[ \t]*\S.*$/gm;
/** Below the header of a table. */
const RULE = /^\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t\r]*$/;

export class MarkdownSplitter {
  #text = "";
  #done: MarkdownPart[] = [];
  /** Where the open part begins, and where the first line that was not judged begins. */
  #from = 0;
  #at = 0;
  #fence: { mark: string; language?: string; code: number } | null = null;
  #blank = false;
  /** The line before the one that is judged. */
  #before = "";
  /** Within a table: the lines of its header, and whether its beginning is in an earlier part. */
  #table: { head: string; cut: boolean } | null = null;

  /** The parts of the text. When it only grew, the finished ones are the very same objects as before. */
  split(text: string): readonly MarkdownPart[] {
    if (!text.startsWith(this.#text)) this.#reset();
    this.#text = text;
    for (let end = text.indexOf("\n", this.#at); end >= 0; end = text.indexOf("\n", this.#at)) {
      this.#cutLine(end);
      this.#line(text.slice(this.#at, end), this.#at);
      this.#at = end + 1;
    }
    this.#cutLine(text.length);
    return [...this.#done, ...this.#rest()];
  }

  #reset(): void {
    this.#done = [];
    this.#from = 0;
    this.#at = 0;
    this.#fence = null;
    this.#blank = false;
    this.#before = "";
    this.#table = null;
  }

  /** Cuts within the line that begins at `#at` and is known up to `end`, when it is too long to be drawn again. */
  #cutLine(end: number): void {
    while (this.#fence === null && end - this.#from > LINE_TO) {
      const space = this.#text.indexOf(" ", this.#from + LINE_FROM);
      const at = space < 0 || space > this.#from + LINE_TO ? this.#from + LINE_TO : space;
      if (at <= this.#at) return;
      this.#cut(at);
      this.#at = at;
    }
  }

  /** One finished line. */
  #line(line: string, start: number): void {
    const fence = this.#fence;
    if (fence) {
      if (!closes(fence.mark, line)) return;
      this.#done.push(codePart(this.#text.slice(fence.code, start), fence.language, true));
      this.#fence = null;
      this.#from = start + line.length + 1;
      this.#blank = true;
      return;
    }
    const opened = FENCE.exec(line.replace(/\r$/, ""));
    if (opened?.[1]) {
      this.#cut(start);
      this.#table = null;
      this.#fence = { mark: opened[1], language: languageOf(opened[2]), code: start + line.length + 1 };
      return;
    }
    const blank = line.trim() === "";
    const row = line.startsWith("|");
    const leaves = this.#table !== null && !blank && (!row || this.#blank);
    // Nothing else goes into the last piece of a table.
    if ((leaves && this.#table?.cut) || this.#mayCut(line, start - this.#from)) this.#cut(start);
    if (leaves) this.#table = null;
    if (row && !this.#table && this.#before.startsWith("|") && RULE.test(line))
      this.#table = { head: `${this.#before}\n${line}\n`, cut: false };
    this.#blank = blank;
    this.#before = line;
  }

  #mayCut(line: string, size: number): boolean {
    if (size < AT_BLOCK) return false;
    if (this.#blank && opensBlock(line)) return true;
    if (size >= AT_ITEM && /^([-*+]|(?!1[.)])\d{1,9}[.)]) /.test(line)) return true;
    if (line.startsWith("|")) return this.#table !== null && size >= AT_ROW;
    if (size >= AT_LINE && /^\S/.test(line)) return true;
    return size >= ANYWHERE;
  }

  /** Ends the open part; within a table the next part goes on with it. */
  #cut(at: number): void {
    const within = this.#table !== null && !this.#blank && this.#text.startsWith("|", at);
    const text = this.#text.slice(this.#from, at);
    if (text.trim() !== "") this.#done.push({ kind: "text", text, ...this.#piece(within) });
    if (this.#table) this.#table.cut = within;
    this.#from = at;
  }

  #piece(within: boolean): { table?: TablePiece } {
    if (this.#table?.cut) return { table: { head: this.#table.head } };
    return within ? { table: { head: "" } } : {};
  }

  #rest(): MarkdownPart[] {
    const fence = this.#fence;
    if (fence) {
      const code = this.#text.slice(fence.code);
      // The last line may be the closing mark already.
      const last = code.lastIndexOf("\n") + 1;
      const closed = closes(fence.mark, code.slice(last));
      return [codePart(closed ? code.slice(0, last) : code, fence.language, closed)];
    }
    const text = this.#text.slice(this.#from);
    if (text.trim() === "" && this.#done.length > 0) return [];
    const last = text.lastIndexOf("\n") + 1;
    const opened = FENCE.exec(text.slice(last));
    if (!opened?.[1]) return [{ kind: "text", text, ...this.#piece(false) }];
    const before = text.slice(0, last);
    const code = codePart("", languageOf(opened[2]), false);
    return before.trim() === "" ? [code] : [{ kind: "text", text: before, ...this.#piece(false) }, code];
  }
}

function codePart(code: string, language: string | undefined, closed: boolean): MarkdownPart {
  return { kind: "code", code: code.replace(/\r?\n$/, ""), closed, ...(language ? { language } : {}) };
}

function languageOf(info: string | undefined): string | undefined {
  return info?.trim().split(/[\s{,]/)[0] || undefined;
}

function closes(mark: string, line: string): boolean {
  const found = /^ {0,3}(`{3,}|~{3,})[ \t\r]*$/.exec(line)?.[1];
  return found !== undefined && found[0] === mark[0] && found.length >= mark.length;
}

function opensBlock(line: string): boolean {
  return /^(#{1,6} |[\p{L}*_`"'(])/u.test(line) && !/^([*_] |[*_-]{3,}\s*$|[a-zA-Z0-9]{1,9}[.)] )/.test(line);
}

/**
 * The parts of a text that grows no more: what links refer to is found from every part. A splitter that saw it grow
 * gives the same parts again.
 */
export function finishedParts(text: string, splitter = new MarkdownSplitter()): readonly MarkdownPart[] {
  const parts = splitter.split(text);
  if (parts.length === 1 || !/^ {0,3}\[[^\]\n]+\]:/m.test(text)) return parts;
  const definitions = [...text.matchAll(DEFINITION)].map(([line, label = ""]) => ({
    line,
    used: `[${label.toLowerCase()}]`,
  }));
  return parts.map((part) => {
    if (part.kind === "code") return part;
    const lower = part.text.toLowerCase();
    const missing = definitions.filter(({ line, used }) => lower.includes(used) && !part.text.includes(line));
    return missing.length === 0
      ? part
      : { ...part, text: `${part.text}\n\n${missing.map(({ line }) => line).join("\n")}\n` };
  });
}
