"use client";
import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Does this drawing have to be the one of the server, which knows neither the reader's clock nor the screen? */
export function useHydrating(): boolean {
  return useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
}
