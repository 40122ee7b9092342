import type { ReactNode } from "react";
import { WordsSent } from "@/components/ui/language";
import { type Area, errorsIn, wordsOf } from "@/lib/i18n/areas";
import type { Language } from "@/lib/i18n/t";
import { requestLanguage } from "./request-language";

const packed = new Map<string, string>();

function pack(language: Language, area: Area | "errors"): string {
  const key = `${language} ${area}`;
  const known = packed.get(key);
  if (known !== undefined) return known;
  const made = JSON.stringify(area === "errors" ? errorsIn(language) : wordsOf(language, area));
  packed.set(key, made);
  return made;
}

/**
 * Sends the browser the words of these areas, in the reader's language, with the page itself: they are there before
 * anything inside is drawn. What an outer page part has sent need not be named again (`app/words.test.ts` checks it).
 */
export async function Words({ areas, children }: { areas: readonly (Area | "errors")[]; children: ReactNode }) {
  const language = await requestLanguage();
  const words = Object.fromEntries(areas.map((area) => [area, pack(language, area)]));
  return (
    <WordsSent language={language} words={words}>
      {children}
    </WordsSent>
  );
}
