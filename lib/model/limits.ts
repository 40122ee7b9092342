/** Bounds of a model's entry. Schemas with their sentences: `lib/api/model-fields.ts`; the browser takes this file only. */

export const MAX_KEY = 4_096;
export const MAX_ADDRESS = 2_000;
export const MAX_PROVIDER = 64;
export const MAX_ID = 200;
export const MAX_NAME = 120;
/** Tokens. */
export const MAX_OUTPUT = 10_000_000;
export const MAX_WINDOW = 100_000_000;
/** USD per million tokens. */
export const MAX_PRICE = 1_000_000;

/** Control characters, line ends, half characters, marks that turn the direction of text, and what cannot be seen. */
const UNSEEN = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

export const isPlain = (text: string): boolean => !UNSEEN.test(text);
export const isKey = (text: string): boolean => text.length <= MAX_KEY && /^[\x21-\x7e]+$/.test(text);
