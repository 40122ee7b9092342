/**
 * Values in the query of a base URL may be keys (`?key=…`): they are sent in full and shown to nobody. Only the version
 * of an API stays readable, because people compare it.
 */

const HIDDEN = "***";
const READABLE = /^(api-?version|version)$/i;

interface Piece {
  /** As written; "" where a piece has no "=". */
  name: string;
  value: string;
  text: string;
}

function split(url: string): { place: string; pieces: Piece[] } {
  const [bare = ""] = url.split("#");
  const at = bare.indexOf("?");
  if (at < 0) return { place: bare, pieces: [] };
  const pieces = bare
    .slice(at + 1)
    .split("&")
    .map((text) => {
      const equals = text.indexOf("=");
      return { name: text.slice(0, Math.max(equals, 0)), value: text.slice(equals + 1), text };
    });
  return { place: bare.slice(0, at), pieces };
}

const isHidden = ({ name, value }: Piece) => value !== "" && !READABLE.test(name);

function spell(place: string, pieces: readonly { name: string; value: string; text: string }[]): string {
  return pieces.length === 0 ? place : `${place}?${pieces.map(({ text }) => text).join("&")}`;
}

/** How an address is shown. Also one that is none, as a file written by hand may hold it. */
export function shownUrl(url: string): string {
  const { place, pieces } = split(url);
  const shown = pieces.map((piece) =>
    isHidden(piece) ? { ...piece, text: piece.name === "" ? HIDDEN : `${piece.name}=${HIDDEN}` } : piece,
  );
  return spell(place.replace(/\/\/[^/]*@/, `//${HIDDEN}@`), shown);
}

/** What must not be repeated of an address: the hidden values, as written and as they are meant. */
export function urlSecrets(url: string): string[] {
  return split(url)
    .pieces.filter(isHidden)
    .flatMap(({ value }) => [value, decoded(value)]);
}

/**
 * A shown address with its hidden values put back from `stored`, which must lead to the same origin. null: a value is
 * hidden that nobody here knows.
 */
export function restoredUrl(given: string, stored: string | undefined): string | null {
  const { place, pieces } = split(given);
  if (!pieces.some(({ value }) => value === HIDDEN)) return given;
  if (!stored || !sameOrigin(place, stored)) return null;
  const known = split(stored).pieces;
  const full: Piece[] = [];
  for (const piece of pieces) {
    if (piece.value !== HIDDEN) full.push(piece);
    else {
      const at = known.findIndex(({ name }) => name === piece.name);
      const [found] = at < 0 ? [] : known.splice(at, 1);
      if (!found) return null;
      full.push(found);
    }
  }
  return spell(place, full);
}

function sameOrigin(a: string, b: string): boolean {
  const [one, other] = [a.trim(), b.trim()];
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll("+", " "));
  } catch {
    return value;
  }
}
