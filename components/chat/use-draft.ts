"use client";
import { useCallback, useEffect, useState } from "react";

const prefix = "penguin:draft:";

/** The half-typed text under a key (person and Session), kept in the browser until it was sent. */
export function useDraft(key: string): [text: string, setText: (text: string) => void] {
  const [draft, setDraft] = useState({ key, text: "" });
  // The server has no storage: the text appears with the first effect.
  useEffect(() => setDraft({ key, text: readDraft(key) }), [key]);
  const setText = useCallback(
    (text: string) => {
      setDraft({ key, text });
      writeDraft(key, text);
    },
    [key],
  );
  return [draft.key === key ? draft.text : "", setText];
}

function readDraft(key: string): string {
  try {
    return localStorage.getItem(prefix + key) ?? "";
  } catch {
    return "";
  }
}

function writeDraft(key: string, text: string): void {
  try {
    if (text === "") localStorage.removeItem(prefix + key);
    else localStorage.setItem(prefix + key, text);
  } catch {
    // Storage is blocked or full: the text stays on the page.
  }
}

/** A small choice that the browser remembers, such as how a message is sent while a Task runs. */
export function useRemembered<T extends string>(
  key: string,
  choices: readonly T[],
  initial: T,
): [T, (value: T) => void] {
  const [value, setValue] = useState(initial);
  useEffect(() => {
    const stored = readDraft(key);
    const known = choices.find((choice) => choice === stored);
    if (known) setValue(known);
  }, [key, choices]);
  const remember = useCallback(
    (next: T) => {
      setValue(next);
      writeDraft(key, next);
    },
    [key],
  );
  return [value, remember];
}
