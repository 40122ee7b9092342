import type { Metadata } from "next";
import { translate, type WordKey } from "@/lib/i18n/areas";
import { requestLanguage } from "../request-language";

/** `generateMetadata` of a page with a fixed title, in the reader's language. */
export function localTitle(key: WordKey): () => Promise<Metadata> {
  return async () => ({ title: translate(await requestLanguage(), key) });
}
