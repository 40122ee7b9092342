/** Languages, and how a text is made of its template. Holds no words: it is part of every page. */

export const LANGUAGES = ["en", "zh"] as const;
export type Language = (typeof LANGUAGES)[number];
export const LANGUAGE_COOKIE = "penguin_language";

export type Params = Record<string, string | number>;

/** They would turn the words of a sentence round behind a name that holds them. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/** `{name}` is replaced; "one|many" chooses by `count`. */
export function textOf(template: string, params: Params): string {
  const forms = template.split("|");
  const form = (params.count === 1 ? forms[0] : forms[forms.length - 1]) ?? template;
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole).replace(TURNING, ""));
}

/** The language a browser asks for: a remembered choice first, then its own list, else English. */
export function chooseLanguage(remembered: string | undefined, acceptLanguage: string | null): Language {
  const known = LANGUAGES.find((language) => language === remembered);
  if (known) return known;
  const first = acceptLanguage?.split(",")[0]?.trim().toLowerCase() ?? "";
  return first.startsWith("zh") ? "zh" : "en";
}
