/** What is known of somebody who opens a share link. */
import { chooseLanguage, LANGUAGE_COOKIE, type Language } from "../../lib/i18n/t";

/** The language chosen in this browser, else the one it asks for. */
export function readersLanguage(headers: Headers): Language {
  const cookie = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=(\\w+)`).exec(headers.get("cookie") ?? "")?.[1];
  return chooseLanguage(cookie, headers.get("accept-language"));
}
