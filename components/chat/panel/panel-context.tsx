"use client";
import { createContext, type ReactNode, useContext, useMemo, useState } from "react";

/** What stands beside the conversation: one thing at a time. */
export type Panel =
  | { kind: "files"; path: string | null }
  /** `child`: the subagent whose conversation is shown; null: the graph alone. */
  | { kind: "agents"; child: ChildRef | null };
export interface ChildRef {
  agent: string;
  session: string;
}
interface Panels {
  panel: Panel | null;
  show: (panel: Panel | null) => void;
}

const Context = createContext<Panels>({ panel: null, show: () => {} });

export function PanelProvider({ children }: { children: ReactNode }) {
  const [panel, show] = useState<Panel | null>(null);
  const value = useMemo(() => ({ panel, show }), [panel]);
  return <Context value={value}>{children}</Context>;
}

export function usePanel(): Panels {
  return useContext(Context);
}
