/** The words that have reached this page: those its areas were sent with, all of them once the language is changed. */
import type { Area, WordKey } from "./areas";
import { LANGUAGES, type Language, type Params, textOf } from "./t";

const words: Record<Language, Record<string, string>> = { en: {}, zh: {} };
/** What was sent, by language and area. */
const sent = new Map<string, string>();
const LEARNT = Promise.resolve();
let everything: Promise<void> | null = null;

/** Words of some areas in a language, as JSON by area; what is known already is not looked at. */
export function learn(language: Language, areas: Partial<Record<Area | "errors", string>>): void {
  for (const [area, json] of Object.entries(areas)) {
    if (sent.get(`${language} ${area}`) === json) continue;
    sent.set(`${language} ${area}`, json);
    Object.assign(words[language], JSON.parse(json));
  }
}

export function knowsAll(): boolean {
  return everything === LEARNT;
}

export function knows(language: Language, areas: readonly string[]): boolean {
  return knowsAll() || areas.every((area) => sent.has(`${language} ${area}`));
}

/** Loads every word in every language; once. Rejects when they cannot be loaded, and may be called again then. */
export function learnAll(): Promise<void> {
  everything ??= import("./areas").then(
    (all) => {
      for (const language of LANGUAGES) {
        for (const [key, [en, zh]] of Object.entries(all.WORDS)) words[language][key] = language === "zh" ? zh : en;
        Object.assign(words[language], all.errorsIn(language));
      }
      everything = LEARNT;
    },
    (error) => {
      everything = null;
      throw error;
    },
  );
  return everything;
}

/** The text for a key in a language. */
export function translate(language: Language, key: WordKey, params: Params = {}): string {
  return textOf(words[language][key] ?? words.en[key] ?? key, params);
}

/** The sentence for an error code; codes without a translation keep the server's message. */
export function errorSentence(language: Language, code: string, message: string): string {
  return words[language][`error:${code}`] ?? message;
}
