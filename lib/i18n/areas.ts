/** The words of the interface, by area. All of them: for the server and for tests. A page is sent its own areas, in one language. */

import { accountWords } from "./account";
import { budgetWords } from "./budget";
import { chatWords } from "./chat";
import { commandWords } from "./commands";
import { composerWords } from "./composer";
import { errorWords } from "./errors";
import { frameWords } from "./frame";
import { listWords } from "./list";
import { modelWords } from "./models";
import { panelWords } from "./panels";
import { sessionUsageWords } from "./session-usage";
import { shareWords } from "./share";
import { shellWords } from "./shell";
import { signInWords } from "./sign-in";
import { type Language, type Params, textOf } from "./t";
import { teamWords } from "./team";
import { timelineWords } from "./timeline";
import { traceWords } from "./trace";
import { traceCompareWords } from "./trace-compare";
import { traceSearchWords } from "./trace-search";
import { usageWords } from "./usage";
import type { Words } from "./words";

export const AREAS = {
  shell: shellWords,
  frame: frameWords,
  list: listWords,
  chat: chatWords,
  composer: composerWords,
  panels: panelWords,
  sessionUsage: sessionUsageWords,
  trace: traceWords,
  timeline: timelineWords,
  traceSearch: traceSearchWords,
  traceCompare: traceCompareWords,
  models: modelWords,
  team: teamWords,
  commands: commandWords,
  share: shareWords,
  account: accountWords,
  signIn: signInWords,
  usage: usageWords,
  budget: budgetWords,
} as const satisfies Record<string, Words>;

export type Area = keyof typeof AREAS;
type KeyIn<A> = A extends unknown ? keyof A : never;
export type WordKey = KeyIn<(typeof AREAS)[Area]>;

/** Every word: [English, Chinese]. */
export const WORDS: Readonly<Record<WordKey, readonly [en: string, zh: string]>> = Object.assign(
  {},
  ...Object.values(AREAS),
);

/** The text for a key in a language. */
export function translate(language: Language, key: WordKey, params: Params = {}): string {
  return textOf(WORDS[key][language === "zh" ? 1 : 0], params);
}

/** What a browser is sent of an area, as JSON. */
export function wordsOf(language: Language, area: Area): Record<string, string> {
  const at = language === "zh" ? 1 : 0;
  const words: Words = AREAS[area];
  return Object.fromEntries(Object.entries(words).map(([key, pair]) => [key, pair[at]]));
}

/** Sentences for error codes where the server's own are in another language. */
export function errorsIn(language: Language): Record<string, string> {
  if (language !== "zh") return {};
  return Object.fromEntries(Object.entries(errorWords).map(([code, sentence]) => [`error:${code}`, sentence]));
}
