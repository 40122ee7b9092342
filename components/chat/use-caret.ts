"use client";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";

interface Caret {
  caret: number;
  /** Takes note of where the caret stands now. */
  note: (box: HTMLTextAreaElement) => void;
  /** Puts it there once the text that is being set is on the page. */
  place: (at: number) => void;
}

/** Where the caret of a controlled text box stands. */
export function useCaret(box: RefObject<HTMLTextAreaElement | null>, text: string): Caret {
  const [caret, setCaret] = useState(0);
  const wanted = useRef<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the text it waited for is there
  useLayoutEffect(() => {
    if (wanted.current === null || !box.current) return;
    const at = Math.min(wanted.current, text.length);
    wanted.current = null;
    box.current.setSelectionRange(at, at);
    setCaret(at);
  }, [text]);
  return {
    caret: Math.min(caret, text.length),
    note: ({ selectionStart, selectionEnd }) => setCaret(selectionStart === selectionEnd ? selectionStart : -1),
    place: (at) => {
      wanted.current = at;
      setCaret(at);
    },
  };
}
