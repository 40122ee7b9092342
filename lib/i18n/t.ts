/** The words of the interface. One dictionary per area, English and Chinese side by side, so that none is forgotten. */

import { accountWords } from "./account";
import { budgetWords } from "./budget";
import { chatWords } from "./chat";
import { composerWords } from "./composer";
import { errorWords } from "./errors";
import { listWords } from "./list";
import { modelWords } from "./models";
import { panelWords } from "./panels";
import { shellWords } from "./shell";
import { teamWords } from "./team";
import { timelineWords } from "./timeline";
import { traceWords } from "./trace";
import { traceCompareWords } from "./trace-compare";
import { traceSearchWords } from "./trace-search";
import { usageWords } from "./usage";

export const LANGUAGES = ["en", "zh"] as const;
export type Language = (typeof LANGUAGES)[number];
export const LANGUAGE_COOKIE = "penguin_language";

export type Params = Record<string, string | number>;

export const WORDS = {
  ...shellWords,
  ...traceWords,
  ...traceSearchWords,
  ...traceCompareWords,
  ...modelWords,
  ...chatWords,
  ...composerWords,
  ...panelWords,
  ...listWords,
  ...timelineWords,
  ...teamWords,
  ...usageWords,
  ...budgetWords,
  ...accountWords,
};
export type WordKey = keyof typeof WORDS;

/** The text for a key in a language. */
export function translate(language: Language, key: WordKey, params: Params = {}): string {
  const [en, zh] = WORDS[key];
  return fill(language === "zh" ? zh : en, params);
}

/** The sentence for an error code; codes without a translation keep the server's message. */
export function errorSentence(language: Language, code: string, message: string): string {
  const known = Object.entries(errorWords).find(([name]) => name === code);
  return language === "zh" && known ? known[1] : message;
}

/** Puts the values in. */
export function fill(template: string, params: Params): string {
  const forms = template.split("|");
  const form = (params.count === 1 ? forms[0] : forms[forms.length - 1]) ?? template;
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}

/** The language a browser asks for: a remembered choice first, then its own list, else English. */
export function chooseLanguage(remembered: string | undefined, acceptLanguage: string | null): Language {
  const known = LANGUAGES.find((language) => language === remembered);
  if (known) return known;
  const first = acceptLanguage?.split(",")[0]?.trim().toLowerCase() ?? "";
  return first.startsWith("zh") ? "zh" : "en";
}
