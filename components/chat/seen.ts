/**
 * What a person allows must be what they see. Characters that a page does not draw, or that turn round what stands
 * beside them, are written as their code: `[U+202E]`. Line ends and tabs stay.
 */
const UNSEEN =
  /(?!\r\n|[\t\n]|\ufe0f\u20e3)(?:[\p{Cc}\p{Cs}\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|[\ufe00-\ufe0f])/gu;
/** They shape letters of many scripts, and emoji: unseen only beside ASCII. */
const SHAPING = /\u200c|\u200d|[\ufe00-\ufe0f]/;

export const seen = (text: string): string =>
  text.replace(UNSEEN, (character, at: number) => {
    if (SHAPING.test(character) && (text[at - 1] ?? "") > "\u007f") return character;
    const code = character.codePointAt(0) ?? 0;
    return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
