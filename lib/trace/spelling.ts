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
  const characters = [...text].filter((c, i, all) => c !== "\\" || all[i - 1] !== "\\");
  const literal = characters.map((c, i) => spelt(c, placeOf(characters, i)));
  const escaped = characters.map((c, i) => spelt(c, placeOf(characters, i), escapesOf(c)));
  const hint = [...new Set(characters.flatMap(escapesOf))].map((form) => `\\\\${form}`).join("|");
  return {
    literal: new RegExp(literal.join(""), "gi"),
    hint: new RegExp(hint, "i"),
    escaped: new RegExp(escaped.join(""), "gi"),
  };
}

const encoder = new TextEncoder();
const latin1 = (text: string) => String.fromCharCode(...encoder.encode(text));
const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");

/**
 * What stands before a character decides how many backslashes it may begin with. A match may begin anywhere, so at the
 * start one is enough; after a backslash all of them are taken already. So no two parts of a pattern ever want the same
 * backslashes: a file full of them is searched as fast as any other.
 */
type Place = "start" | "after a backslash" | "inside";

function placeOf(characters: readonly string[], at: number): Place {
  if (at === 0) return "start";
  return characters[at - 1] === "\\" ? "after a backslash" : "inside";
}

/** One character as bytes; upper and lower case where those are different bytes. `escapes`: without their backslashes. */
function spelt(character: string, place: Place, escapes: readonly string[] = []): string {
  const some = place === "start" ? "\\\\" : "\\\\+";
  if (character === "\\") return escapes.length > 0 ? `${some}(?:u005c\\\\*)*` : some;
  if (character === '"') {
    const any = place === "inside" ? "\\\\*" : "";
    return escapes.length === 0 ? `${any}"` : `${any}(?:"|${place === "start" ? "\\\\" : ""}u0022)`;
  }
  // The flag of the pattern knows the cases of ASCII.
  const forms = character < "\u0080" ? [character] : casesOf(character);
  const plain = forms.map((form) => quoted(latin1(form)));
  const all =
    escapes.length === 0 ? plain : [...plain, `${place === "after a backslash" ? "" : some}(?:${escapes.join("|")})`];
  return all.length === 1 ? (all[0] ?? "") : `(?:${all.join("|")})`;
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

/** The escapes of one character without their backslash; a character outside of the basic plane is two of them. */
function escapesOf(character: string): string[] {
  const unicode = casesOf(character).map((form) =>
    Array.from({ length: form.length }, (_, i) => `u${form.charCodeAt(i).toString(16).padStart(4, "0")}`).join("\\\\+"),
  );
  const short = SHORT[character];
  return short === undefined ? unicode : [...unicode, short];
}

/** Does a parsed string hold the text, whatever the case? Answers the place of the first match. */
export function finder(text: string): (value: string) => { start: number; end: number } | null {
  const pattern = new RegExp(quoted(text), "i");
  return (value) => {
    const match = pattern.exec(value);
    return match ? { start: match.index, end: match.index + match[0].length } : null;
  };
}
