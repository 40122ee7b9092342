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
  // The flag of the pattern knows the cases of ASCII.
  const forms = character < "\u0080" ? [character] : casesOf(character);
  const bytes = forms.map((form) => quoted(latin1(form)));
  return bytes.length === 1 ? (bytes[0] ?? "") : `(?:${bytes.join("|")})`;
}

/** The letters that a pattern without case (`finder`) takes for this one, itself included. */
function casesOf(character: string): string[] {
  if (character < "\u0080") return [...new Set([character.toLowerCase(), character.toUpperCase()])];
  return alike().get(character) ?? [character];
}

let letters: Map<string, string[]> | undefined;

/**
 * Letters outside of ASCII with more than one case, each with all of its cases: Ǆ, ǅ and ǆ; Σ, σ and ς. The rule is
 * that of patterns without case: one unit whose upper case is one unit, and ASCII stays by itself. Made once.
 */
function alike(): Map<string, string[]> {
  if (letters) return letters;
  const byUpper = new Map<string, string[]>();
  for (let code = 0x80; code <= 0xffff; code++) {
    const letter = String.fromCharCode(code);
    const upper = letter.toUpperCase();
    if (upper === letter || upper.length > 1 || upper < "\u0080") continue;
    byUpper.set(upper, [...(byUpper.get(upper) ?? [upper]), letter]);
  }
  letters = new Map([...byUpper.values()].flatMap((cases) => cases.map((letter) => [letter, cases] as const)));
  return letters;
}

const SHORT: Record<string, string> = { "\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f", "/": "\\/" };

/** The escapes of one character; a character outside of the basic plane is two of them. */
function escapes(character: string): string[] {
  const unicode = casesOf(character).map((form) =>
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
