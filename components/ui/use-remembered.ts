"use client";
import { useCallback, useEffect, useState } from "react";

const prefix = "penguin:";

/** A text that this browser remembers; "" until it is read, and where there is none. */
export function useRememberedText(key: string): [string, (text: string) => void] {
  const [text, setText] = useState("");
  useEffect(() => {
    const known = read(key);
    if (known) setText(known);
  }, [key]);
  const remember = useCallback(
    (next: string) => {
      setText(next);
      try {
        localStorage.setItem(prefix + key, next);
      } catch {
        // Storage is blocked or full: it lasts as long as the page.
      }
    },
    [key],
  );
  return [text, remember];
}

/** A small choice that this browser remembers, such as how a list is grouped. */
export function useRemembered<T extends string>(
  key: string,
  choices: readonly T[],
  initial: T,
): [T, (value: T) => void] {
  const [text, remember] = useRememberedText(key);
  return [choices.find((choice) => choice === text) ?? initial, remember];
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(prefix + key);
  } catch {
    return null;
  }
}
