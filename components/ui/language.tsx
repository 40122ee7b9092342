"use client";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { errorSentence, LANGUAGE_COOKIE, type Language, type Params, translate, type WordKey } from "@/lib/i18n/t";

const Context = createContext<{ language: Language; setLanguage: (language: Language) => void }>({
  language: "en",
  setLanguage: () => {},
});

/** Holds the language of the interface; the server rendered with `initial`. Remembered in a cookie and in the browser. */
export function LanguageProvider({ initial, children }: { initial: Language; children: ReactNode }) {
  const [language, set] = useState(initial);
  const setLanguage = useCallback((next: Language) => {
    set(next);
    document.documentElement.lang = next;
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
