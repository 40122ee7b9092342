"use client";
import { useRef } from "react";

/**
 * Arrow keys through earlier prompts, only from an empty draft. Editing ends the walk; past the newest the draft is
 * empty again. `prompts`: oldest first. Gives the text to show, or null when the key is not for the history.
 */
export function useHistory(prompts: readonly string[]): (key: string, draft: string) => string | null {
  const at = useRef<number | null>(null);
  return (key, draft) => {
    const shown = at.current === null ? "" : (prompts[at.current] ?? "");
    if (draft !== shown) at.current = null;
    if (key === "ArrowUp" && (at.current !== null || draft === "")) {
      const next = (at.current ?? prompts.length) - 1;
      if (next < 0) return null;
      at.current = next;
      return prompts[next] ?? null;
    }
    if (key === "ArrowDown" && at.current !== null) {
      const next = at.current + 1;
      at.current = next < prompts.length ? next : null;
      return prompts[next] ?? "";
    }
    return null;
  };
}
