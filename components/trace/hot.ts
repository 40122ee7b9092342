"use client";
/** Which records the pointer or the focus is on, and which one is pinned: bars and rows light up together. */
import { createContext, useCallback, useContext, useSyncExternalStore } from "react";

export type Light = "pinned" | "hot" | null;

export class Hot {
  #hovered: ReadonlySet<string> = new Set();
  #pinned: ReadonlySet<string> = new Set();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  hover(keys: readonly string[]): void {
    if (keys.length === 0 && this.#hovered.size === 0) return;
    this.#hovered = new Set(keys);
    this.#tell();
  }
  pin(keys: readonly string[]): void {
    if (keys.length === 0 && this.#pinned.size === 0) return;
    this.#pinned = new Set(keys);
    this.#tell();
  }

  /** How something that these records tell of is lit. */
  lightOf(keys: readonly string[]): Light {
    if (keys.some((key) => this.#pinned.has(key))) return "pinned";
    return keys.some((key) => this.#hovered.has(key)) ? "hot" : null;
  }
  /** Is any of these lit, so that the rest should step back? */
  touches(keys: ReadonlySet<string>): boolean {
    for (const key of this.#hovered) if (keys.has(key)) return true;
    for (const key of this.#pinned) if (keys.has(key)) return true;
    return false;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

export const HotContext = createContext<Hot>(new Hot());
export const useHot = (): Hot => useContext(HotContext);

export function useLight(keys: readonly string[]): Light {
  const hot = useHot();
  const light = useCallback(() => hot.lightOf(keys), [hot, keys]);
  return useSyncExternalStore(hot.subscribe, light, () => null);
}

export function useTouched(keys: ReadonlySet<string>): boolean {
  const hot = useHot();
  const touched = useCallback(() => hot.touches(keys), [hot, keys]);
  return useSyncExternalStore(hot.subscribe, touched, () => false);
}
