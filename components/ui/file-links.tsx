"use client";
import { createContext, useContext } from "react";

/** Which names in an answer are files that can be opened. */
export interface FileLinks {
  /** The path behind a name; null: it is none that is known. */
  find(name: string): string | null;
  open(path: string): void;
}

const NONE: FileLinks = { find: () => null, open: () => {} };
const Context = createContext<FileLinks>(NONE);
export const FileLinksProvider = Context.Provider;

export function useFileLinks(): FileLinks {
  return useContext(Context);
}
