/**
 * A text as it may stand in a line of JSON. Every character has several spellings there (itself, `\uXXXX`, a short
 * escape), and inside a string that holds JSON again, such as arguments, backslashes are doubled. The patterns work on
 * bytes read as Latin-1, so nothing is decoded in order to search. They may find too much (the case of other letters
 * than ASCII is not told apart in bytes), never too little: who uses them looks at the parsed record afterwards.
 */

export interface Spellings {
  /** Characters as they are. */
  literal: RegExp;
  /** Is a character of the text escaped anywhere here? Only then `escaped` can find more. */
  hint: RegExp;
  /** Any mixture of spellings. */
  escaped: RegExp;
}

/** Patterns for a text that is not empty; `literal` and `escaped` are global. */
export function spellings(text: string): Spellings {
  const characters = [...text];
  const escaped = characters.map((c) => `(?:${spelt(c)}|${escapes(c).join("|")})`).join("");
  const hint = [...new Set(characters.flatMap(escapes))].join("|");
  return {
    literal: new RegExp(characters.map(spelt).join(""), "gi"),
    hint: new RegExp(hint, "i"),
    escaped: new RegExp(escaped, "gi"),
  };
}

const encoder = new TextEncoder();
const latin1 = (text: string) => String.fromCharCode(...encoder.encode(text));
const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");

/** One character as bytes; upper and lower case where those are different bytes. */
function spelt(character: string): string {
  if (character === '"') return '\\\\*"';
  if (character === "\\") return "\\\\+";
  const bytes = casesOf(character).map((form) => quoted(latin1(form)));
  return bytes.length === 1 ? (bytes[0] ?? "") : `(?:${bytes.join("|")})`;
}

function casesOf(character: string): string[] {
  if (character < "\u0080") return [character];
  const forms = [character, character.toLowerCase(), character.toUpperCase()];
  return [...new Set(forms.filter((form) => [...form].length === 1))];
}

const SHORT: Record<string, string> = { "\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f", "/": "\\/" };

/** The escapes of one character; a character outside of the basic plane is two of them. */
function escapes(character: string): string[] {
  const forms = [...new Set([character, character.toLowerCase(), character.toUpperCase()])];
  const unicode = forms.map((form) =>
    Array.from({ length: form.length }, (_, i) => `\\\\+u${form.charCodeAt(i).toString(16).padStart(4, "0")}`).join(""),
  );
  const short = SHORT[character];
  return short === undefined ? unicode : [...unicode, `\\\\+${short}`];
}

/** Does a parsed string hold the text, whatever the case? Answers the place of the first match. */
export function finder(text: string): (value: string) => { start: number; end: number } | null {
  const pattern = new RegExp(quoted(text), "i");
  return (value) => {
    const match = pattern.exec(value);
    return match ? { start: match.index, end: match.index + match[0].length } : null;
  };
}
