import type { Metadata } from "next";
import { cookies, headers } from "next/headers";
import { chooseLanguage, LANGUAGE_COOKIE, translate, type WordKey } from "@/lib/i18n/t";

/** `generateMetadata` of a page with a fixed title, in the reader's language. */
export function localTitle(key: WordKey): () => Promise<Metadata> {
  return async () => {
    const remembered = (await cookies()).get(LANGUAGE_COOKIE)?.value;
    const language = chooseLanguage(remembered, (await headers()).get("accept-language"));
    return { title: translate(language, key) };
  };
}
