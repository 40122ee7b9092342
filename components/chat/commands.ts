/** What the slash menu offers. The composer runs it; what a command does is told by the page it stands on. */
import type { ReactNode } from "react";
import type { Staged } from "./staged";

export interface SlashCommand {
  /** Typed behind the slash. */
  name: string;
  title: string;
  detail: string;
  icon: ReactNode;
  /** Why it cannot be used now. */
  off?: string;
  act:
    | { kind: "run"; run: () => void }
    | { kind: "stage"; staged: Staged }
    /** A small panel above the box; `done` closes it, with what it stages. */
    | { kind: "panel"; label: string; render: (done: (staged?: Staged) => void) => ReactNode };
}
