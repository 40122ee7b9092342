/** The command token under the caret: pure, so that every caret position can be tested. */

export interface SlashToken {
  /** Index of the slash. */
  start: number;
  /** Behind the last letter of the word. */
  end: number;
  /** What stands between slash and caret, lower case. */
  query: string;
}

const NAME = /[\p{L}\p{N}_-]/u;

/** White space, and the punctuation behind which Chinese has none. */
const BEFORE = /[\s\u3001\u3002\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\u201d\u300d\u2026]/;

/**
 * The token that the caret stands in or behind: a slash at the start or after such a mark, and letters. A slash inside
 * a word or a path is no command.
 */
export function slashToken(text: string, caret: number): SlashToken | null {
  let start = caret;
  while (start > 0 && NAME.test(text[start - 1] ?? "")) start -= 1;
  if (start === 0 || text[start - 1] !== "/") return null;
  start -= 1;
  if (start > 0 && !BEFORE.test(text[start - 1] ?? "")) return null;
  let end = caret;
  while (end < text.length && NAME.test(text[end] ?? "")) end += 1;
  // "/usr/bin" is a path.
  if (text[end] === "/") return null;
  return { start, end, query: text.slice(start + 1, caret).toLocaleLowerCase() };
}

export const withoutToken = (text: string, { start, end }: SlashToken): string =>
  text.slice(0, start) + text.slice(end);

/** Entries whose name begins with the query, then those that hold it in name or title. */
export function matchCommands<C extends { name: string; title: string }>(commands: readonly C[], query: string): C[] {
  const rank = ({ name, title }: C) => {
    const [id, words] = [name.toLocaleLowerCase(), title.toLocaleLowerCase()];
    return id.startsWith(query) ? 0 : id.includes(query) || words.includes(query) ? 1 : 2;
  };
  return commands
    .map((command) => ({ command, at: rank(command) }))
    .filter(({ at }) => at < 2)
    .sort((a, b) => a.at - b.at)
    .map(({ command }) => command);
}
