/**
 * Markdown as HTML for readers of a share link. Text of a model is data: tags in it are shown as text, links go to web
 * and mail addresses only, pictures are named and never loaded.
 */
import { Marked, type MarkedToken, type Token } from "marked";

const marked = new Marked({ gfm: true });

/** What a reader gets, and what they read: the text with the addresses behind its links. */
export interface Rendered {
  html: string;
  text: string;
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (one) => ESCAPES[one] ?? one);
}

/** Longer pieces are shown as they are: the parser is not made for them. Characters. */
const MOST = 8_000;
const FENCE = /^(`{3,}|~{3,})/;

/** Pieces that can be drawn one by one: fences at the margin, and what lies between blank lines. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let piece: string[] = [];
  let size = 0;
  let fence: string | null = null;
  const cut = () => {
    if (piece.length > 0) pieces.push(piece.join("\n"));
    [piece, size] = [[], 0];
  };
  for (const line of text.split("\n")) {
    const found = FENCE.exec(line)?.[1];
    const closes = found !== undefined && fence !== null && found[0] === fence[0] && found.length >= fence.length;
    if (found !== undefined && fence === null) {
      cut();
      fence = found;
    } else if (closes) fence = null;
    piece.push(line);
    size += line.length + 1;
    if (closes || (line.trim() === "" && fence === null && size > MOST / 4)) cut();
  }
  cut();
  return pieces;
}

/** Marks of Markdown, and many levels in one line: a text made of these takes the parser long, and nobody reads it. */
const MARKS = /[*_`~[\]<>|\\&#]/g;
const DEEP = /^(?:\s{0,9}(?:>|[-*+]|\d{1,9}[.)])\s?){10}/m;
function isHard(text: string): boolean {
  if (text.length > MOST) return true;
  if (text.length < 1_000) return false;
  return (text.match(MARKS)?.length ?? 0) > text.length / 4 || DEEP.test(text);
}

/** One piece. */
export function renderMarkdown(text: string): Rendered {
  const fence = FENCE.exec(text)?.[1];
  if (fence === undefined && isHard(text)) return asIs(text);
  if (fence !== undefined) return asIs(insideOf(text, fence));
  let tokens: Token[];
  try {
    tokens = marked.lexer(text);
  } catch {
    // Nested deeper than the stack is.
    return asIs(text);
  }
  const out = new Writer();
  out.blocks(tokens);
  return { html: out.html.join(""), text: out.text.join("") };
}

/** The code of a piece that is one fence; its end may be missing. */
function insideOf(text: string, fence: string): string {
  const lines = text.split("\n").slice(1);
  if (lines.at(-1)?.startsWith(fence)) lines.pop();
  return lines.join("\n");
}

/** Nothing of it means anything. */
export function asIs(text: string): Rendered {
  return { html: `<pre>${escapeHtml(text)}</pre>`, text };
}

const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
};
function withEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,6}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

const isKnown = (token: Token): token is MarkedToken => token.type !== undefined;

class Writer {
  readonly html: string[] = [];
  readonly text: string[] = [];

  #tag(name: string, inside: () => void, attributes = ""): void {
    this.html.push(`<${name}${attributes}>`);
    inside();
    this.html.push(`</${name}>`);
  }
  #words(text: string): void {
    this.html.push(escapeHtml(text));
    this.text.push(text);
  }
  /** The text goes on in another line. */
  #end(): void {
    this.text.push("\n");
  }

  blocks(tokens: readonly Token[]): void {
    for (const token of tokens) {
      if (isKnown(token)) this.#block(token);
    }
  }

  #block(token: MarkedToken): void {
    switch (token.type) {
      case "space":
      case "def":
        return;
      case "hr":
        this.html.push("<hr>");
        return;
      case "heading":
        // Below the page's own heading.
        this.#tag(`h${Math.min(6, token.depth + 1)}`, () => this.inline(token.tokens));
        break;
      case "code":
        this.#tag("pre", () => this.#tag("code", () => this.#words(token.text)));
        break;
      case "blockquote":
        this.#tag("blockquote", () => this.blocks(token.tokens));
        break;
      case "list":
        this.#list(token);
        break;
      case "table":
        this.#table(token);
        break;
      case "html":
        this.#tag("p", () => this.#words(token.text.trimEnd()), ' class="pre"');
        break;
      case "paragraph":
        this.#tag("p", () => this.inline(token.tokens));
        break;
      default:
        this.#one(token);
    }
    this.#end();
  }

  #list({ ordered, start, items }: Extract<MarkedToken, { type: "list" }>): void {
    const from = ordered && typeof start === "number" && start !== 1 ? ` start="${start}"` : "";
    this.#tag(
      ordered ? "ol" : "ul",
      () => {
        for (const item of items) this.#tag("li", () => this.blocks(item.tokens));
      },
      from,
    );
  }

  #table({ header, rows }: Extract<MarkedToken, { type: "table" }>): void {
    const row = (cells: typeof header, name: "th" | "td") =>
      this.#tag("tr", () => {
        for (const { tokens, align } of cells) {
          const look = align === "right" || align === "center" ? ` class="${align}"` : "";
          this.#tag(name, () => this.inline(tokens), look);
          this.text.push("\t");
        }
        this.#end();
      });
    this.#tag(
      "div",
      () =>
        this.#tag("table", () => {
          this.#tag("thead", () => row(header, "th"));
          this.#tag("tbody", () => {
            for (const cells of rows) row(cells, "td");
          });
        }),
      ' class="wide" tabindex="0"',
    );
  }

  inline(tokens: readonly Token[]): void {
    for (const token of tokens) {
      if (isKnown(token)) this.#one(token);
    }
  }

  #one(token: MarkedToken): void {
    switch (token.type) {
      case "strong":
      case "em":
      case "del":
        this.#tag(token.type, () => this.inline(token.tokens));
        break;
      case "codespan":
        this.#tag("code", () => this.#words(withEntities(token.text)));
        break;
      case "br":
        this.html.push("<br>");
        this.#end();
        break;
      case "link":
        this.#link(token);
        break;
      case "image":
        this.#words(`‹${withEntities(token.text) || "…"}›`);
        break;
      case "checkbox":
        this.#words(token.checked ? "☑ " : "☐ ");
        break;
      case "text":
        if ("tokens" in token && token.tokens) this.inline(token.tokens);
        else this.#words(withEntities(token.text));
        break;
      default:
        this.#words("text" in token ? token.text : token.raw);
    }
  }

  #link({ href, tokens }: Extract<MarkedToken, { type: "link" }>): void {
    const to = withEntities(href);
    if (!/^(?:https?:\/\/|mailto:)/i.test(to) || !URL.canParse(to)) {
      this.inline(tokens);
      return;
    }
    const attributes = ` href="${escapeHtml(to)}" rel="noopener noreferrer nofollow" target="_blank"`;
    this.#tag("a", () => this.inline(tokens), attributes);
    // It is read too, in the address bar.
    this.text.push(` ${to} `);
  }
}
