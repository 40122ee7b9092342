"use client";
import { useCallback, useEffect, useState } from "react";

const prefix = "penguin:";

/** A small choice that this browser remembers, such as how a list is grouped. */
export function useRemembered<T extends string>(
  key: string,
  choices: readonly T[],
  initial: T,
): [T, (value: T) => void] {
  const [value, setValue] = useState(initial);
  useEffect(() => {
    const known = choices.find((choice) => choice === read(key));
    if (known) setValue(known);
  }, [key, choices]);
  const remember = useCallback(
    (next: T) => {
      setValue(next);
      try {
        localStorage.setItem(prefix + key, next);
      } catch {
        // Storage is blocked or full: the choice lasts as long as the page.
      }
    },
    [key],
  );
  return [value, remember];
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(prefix + key);
  } catch {
    return null;
  }
}
