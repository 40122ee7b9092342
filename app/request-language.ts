import { cookies, headers } from "next/headers";
import { chooseLanguage, LANGUAGE_COOKIE, type Language } from "@/lib/i18n/t";

/** The language of whoever asks for this page. */
export async function requestLanguage(): Promise<Language> {
  const remembered = (await cookies()).get(LANGUAGE_COOKIE)?.value;
  return chooseLanguage(remembered, (await headers()).get("accept-language"));
}
