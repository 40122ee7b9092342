"use client";
import { useQuery } from "@tanstack/react-query";
import { useTheme } from "next-themes";
import { useEffect } from "react";
import { useLanguage } from "@/components/ui/language";
import { queries } from "@/lib/api/queries";

/** What the person chose elsewhere holds here too, from when it is known. */
export function FollowPreferences() {
  const { data: me } = useQuery(queries.me());
  const { theme: wantedTheme, language: wantedLanguage } = me?.preferences ?? {};
  const { theme, setTheme } = useTheme();
  const [language, setLanguage] = useLanguage();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a choice made here must not be undone by an older answer
  useEffect(() => {
    if (wantedTheme && wantedTheme !== theme) setTheme(wantedTheme);
  }, [wantedTheme]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same
  useEffect(() => {
    if ((wantedLanguage === "en" || wantedLanguage === "zh") && wantedLanguage !== language)
      setLanguage(wantedLanguage);
  }, [wantedLanguage]);
  return null;
}
