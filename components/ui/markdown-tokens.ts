/** Markdown to tokens, for display only: nothing in here makes HTML. Loaded with the first text that is to be shown. */
import { Marked, type MarkedToken, type Token, type TokenizerExtension } from "marked";
import remend from "remend";
import { soon } from "./behind";

/** `[^1]` where a note is referred to. */
interface NoteRef {
  type: "note_ref";
  raw: string;
  label: string;
}
/** `[^1]: …`, the note itself. */
interface Note {
  type: "note";
  raw: string;
  label: string;
  tokens: Token[];
}
export type MarkdownToken = MarkedToken | NoteRef | Note;

const noteRef: TokenizerExtension = {
  name: "note_ref",
  level: "inline",
  start: (src) => src.indexOf("[^"),
  tokenizer: (src) => {
    const found = /^\[\^([^\]\s]{1,100})\]/.exec(src);
    return found?.[1] ? { type: "note_ref", raw: found[0], label: found[1] } : undefined;
  },
};

const note: TokenizerExtension = {
  name: "note",
  level: "block",
  start: (src) => /^ {0,3}\[\^/m.exec(src)?.index,
  tokenizer(src) {
    const found = /^ {0,3}\[\^([^\]\s]{1,100})\]:[ \t]*([^\n]*(?:\n(?!\s*\n| {0,3}\[\^)[^\n]+)*)(?:\n|$)/.exec(src);
    if (!found?.[1]) return undefined;
    const { 0: raw, 1: label, 2: text = "" } = found;
    return { type: "note", raw, label, tokens: this.lexer.inlineTokens(text.replace(/\n\s*/g, "\n")) };
  },
};

const marked = new Marked({ gfm: true, extensions: [note, noteRef] });

/** Every kind that the tokenizer and the extensions above make. */
const KINDS = new Set<string>([
  "blockquote",
  "br",
  "checkbox",
  "code",
  "codespan",
  "def",
  "del",
  "em",
  "escape",
  "heading",
  "hr",
  "html",
  "image",
  "link",
  "list",
  "list_item",
  "note",
  "note_ref",
  "paragraph",
  "space",
  "strong",
  "table",
  "text",
] satisfies MarkdownToken["type"][]);

export function isKnown(token: Token): token is MarkdownToken {
  return KINDS.has(token.type);
}

/** `open`: the text still grows, half-open markup at its end is closed. */
export function tokensOf(text: string, open: boolean): Token[] {
  try {
    return marked.lexer(open ? remend(text, { katex: false }) : text);
  } catch {
    // Nested deeper than the stack is: shown as it is.
    return [{ type: "html", raw: text, text, block: true, pre: false }];
  }
}

/** The first text of a page compiles every pattern, for longer than a frame lasts: it is one that nobody waits for. */
const SAMPLE =
  "# a\n\nb **c** `d` ~e~ [f](g) <https://h.i>\n\n- j\n\n1. k\n\n> l\n\n| m |\n|---|\n| n |\n\n```\no\n```\n\n[^p]: q";
soon(async () => tokensOf(SAMPLE, true));

const ENTITY = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/g;
const decoded = new Map<string, string>();

/** `&amp;` and the like as the characters they stand for. */
export function withEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(ENTITY, (entity) => {
    const known = decoded.get(entity);
    if (known !== undefined) return known;
    // The text of a textarea is characters and never markup.
    const area = document.createElement("textarea");
    area.innerHTML = entity;
    if (decoded.size < 1_000) decoded.set(entity, area.value);
    return area.value;
  });
}
