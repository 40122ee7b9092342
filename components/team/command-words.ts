"use client";
import { useCallback } from "react";
import { useLanguage } from "@/components/ui/language";
import { commandWords } from "@/lib/i18n/commands";
import { fill, type Params } from "@/lib/i18n/t";

export type CommandT = (key: keyof typeof commandWords, params?: Params) => string;

/** The words of the cards about commands. */
export function useCommandWords(): CommandT {
  const [language] = useLanguage();
  return useCallback((key, params = {}) => fill(commandWords[key][language === "zh" ? 1 : 0], params), [language]);
}
