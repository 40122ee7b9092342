"use client";
import { createContext, useContext } from "react";

/** What one prefers in every browser. */
export interface PreferenceChange {
  language?: "en" | "zh";
  theme?: "system" | "light" | "dark";
}

/** Keeps a choice for the person's other browsers. Outside of the app it does nothing. */
export const PreferencesContext = createContext<(change: PreferenceChange) => void>(() => {});

export const useSavePreference = (): ((change: PreferenceChange) => void) => useContext(PreferencesContext);
