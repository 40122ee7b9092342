"use client";
import { type KeyboardEvent, useState } from "react";

interface Active {
  active: number;
  setActive: (index: number) => void;
  /** Moves with the arrows; true: the key was for the list. */
  move: (event: KeyboardEvent) => boolean;
}

/** Which entry of a list is the chosen one while the focus stays in a text box. `key` changes: the first one again. */
export function useActive(count: number, key: string): Active {
  const [state, setState] = useState({ key, active: 0 });
  const active = state.key === key ? Math.min(state.active, Math.max(0, count - 1)) : 0;
  const setActive = (index: number) => setState({ key, active: index });
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || count === 0) return false;
    event.preventDefault();
    setActive((active + step + count) % count);
    return true;
  };
  return { active, setActive, move };
}
