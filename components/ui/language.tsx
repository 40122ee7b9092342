"use client";
import { createContext, type ReactNode, use, useCallback, useContext, useMemo, useRef, useState } from "react";
import type { Area, WordKey } from "@/lib/i18n/areas";
import { errorSentence, knows, knowsAll, learn, learnAll, translate } from "@/lib/i18n/known";
import { LANGUAGE_COOKIE, type Language, type Params } from "@/lib/i18n/t";

const Context = createContext<{ language: Language; setLanguage: (language: Language) => void }>({
  language: "en",
  setLanguage: () => {},
});

/** Holds the language of the interface; the server rendered with `initial`. Remembered in a cookie and in the browser. */
export function LanguageProvider({ initial, children }: { initial: Language; children: ReactNode }) {
  const [language, set] = useState(initial);
  const wanted = useRef(initial);
  const setLanguage = useCallback((next: Language) => {
    wanted.current = next;
    const change = () => {
      // The last choice counts, whichever words come first.
      if (wanted.current !== next) return;
      set(next);
      document.documentElement.lang = next;
    };
    if (knowsAll()) change();
    // Offline, the page stays in the language it has; the choice holds from the next page on.
    else learnAll().then(change, () => {});
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API is missing in Firefox and Safari
    document.cookie = `${LANGUAGE_COOKIE}=${next}; path=/; max-age=31536000; samesite=lax`;
    try {
      localStorage.setItem(LANGUAGE_COOKIE, next);
    } catch {
      // Storage is blocked: the cookie is enough.
    }
  }, []);
  const value = useMemo(() => ({ language, setLanguage }), [language, setLanguage]);
  return <Context.Provider value={value}>{children}</Context.Provider>;
}

interface WordsSentProps {
  /** The language they are in. */
  language: Language;
  /** JSON by area. */
  words: Partial<Record<Area | "errors", string>>;
  children: ReactNode;
}

/** Makes words known before anything inside is drawn; see `Words` in `app/words.tsx`. */
export function WordsSent({ language, words, children }: WordsSentProps) {
  const shown = useContext(Context).language;
  learn(language, words);
  // The language was changed since, in another window: the page waits for all the words, and shows no keys.
  if (!knows(shown, Object.keys(words))) use(learnAll());
  return children;
}

export function useLanguage(): [Language, (language: Language) => void] {
  const { language, setLanguage } = useContext(Context);
  return [language, setLanguage];
}

export type T = (key: WordKey, params?: Params) => string;

/** The words of the interface in the chosen language. */
export function useT(): T {
  const { language } = useContext(Context);
  return useCallback((key, params) => translate(language, key, params), [language]);
}

/** What went wrong, in the reader's language: for failures of the server and of the network. */
export function useErrorText(): (failure: { code: string; message: string }) => string {
  const { language } = useContext(Context);
  return useCallback(
    ({ code, message }) =>
      code === "network" ? translate(language, "network") : errorSentence(language, code, message),
    [language],
  );
}
