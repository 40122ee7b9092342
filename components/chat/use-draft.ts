"use client";
import { useCallback, useEffect, useState } from "react";
import { NOTHING, readStaged, type Staged } from "./staged";

const prefix = "penguin:draft:";
const stagedPrefix = "penguin:staged:";

export interface Draft {
  text: string;
  staged: Staged;
  /** What the browser kept under the key has been read. */
  ready: boolean;
  setText: (text: string) => void;
  setStaged: (staged: Staged) => void;
}

/** What is half written under a key (person and Session), kept in the browser until it was sent. */
export function useDraft(key: string): Draft {
  const [draft, setDraft] = useState({ key: "", text: "", staged: NOTHING });
  // The server has no storage: the text appears with the first effect.
  useEffect(() => setDraft(load(key)), [key]);
  const setText = useCallback(
    (text: string) => {
      setDraft((now) => ({ ...(now.key === key ? now : load(key)), text }));
      store(prefix + key, text);
    },
    [key],
  );
  const setStaged = useCallback(
    (staged: Staged) => {
      setDraft((now) => ({ ...(now.key === key ? now : load(key)), staged }));
      store(stagedPrefix + key, Object.keys(staged).length === 0 ? "" : JSON.stringify(staged));
    },
    [key],
  );
  const ready = draft.key === key;
  const { text, staged } = ready ? draft : { text: "", staged: NOTHING };
  return { text, staged, ready, setText, setStaged };
}

const load = (key: string) => ({ key, text: read(prefix + key), staged: readStaged(read(stagedPrefix + key)) });

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function store(key: string, value: string): void {
  try {
    if (value === "") localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Storage is blocked or full: the text stays on the page.
  }
}
