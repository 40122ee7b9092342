"use client";
import { CircleHelp, CircleSlash, Clock, EqualApproximately } from "lucide-react";
import type { ComponentType } from "react";
import { cn } from "@/components/ui/cn";
import { useT } from "@/components/ui/language";
import type { CostSum } from "@/lib/api/usage";
import type { Certainty } from "@/lib/api/usage-values";
import { type CostWords, costText, costWords } from "./cost-words";
import { FigureLink } from "./figure-link";
import type { Rows } from "./filters";

const ICONS: Partial<Record<Certainty, ComponentType<{ className?: string }>>> = {
  today: Clock,
  estimated: EqualApproximately,
  unpriced: CircleSlash,
  unknown: CircleHelp,
};

/** The sign of a certainty; its word always stands beside it or in the legend. */
export function CertaintyIcon({ certainty, className }: { certainty: Certainty; className?: string }) {
  const Icon = ICONS[certainty];
  return Icon ? <Icon className={cn("size-3 shrink-0", className)} aria-hidden="true" /> : null;
}

interface CostProps {
  sum: CostSum;
  /** `line`: notes behind the amount; `stack`: under it; `marks`: as signs only, the words for hovering and screen readers. */
  notes?: "line" | "stack" | "marks";
  /** The rows of this figure; a note opens those of its own kind. */
  rows?: Rows;
  className?: string;
}

/** An amount, and what in it is not a plain fact. Never 0 for what is not known. */
export function CostFigure({ sum, notes = "line", rows, className }: CostProps) {
  const t = useT();
  const words = costWords(t, sum);
  const text = costText(t, sum);
  if (notes === "marks")
    return (
      <span className={cn("tabular inline-flex items-center gap-1 whitespace-nowrap", className)} title={text}>
        <span className="sr-only">{text}</span>
        <span aria-hidden="true" className="contents">
          {words.notes.map(({ certainty }) => (
            <CertaintyIcon key={certainty} certainty={certainty} className="text-faint" />
          ))}
          <Main words={words} />
        </span>
      </span>
    );
  return (
    <span className={cn("tabular", notes === "stack" && "flex flex-col", className)}>
      <Main words={words} />
      {words.notes.length > 0 && (
        <span className={cn("text-xs font-normal text-dim", notes === "line" ? "ml-2" : "flex flex-wrap gap-x-3")}>
          {words.notes.map(({ certainty, text: note }) => (
            <span key={certainty} className="inline-flex items-center gap-1 whitespace-nowrap not-last:mr-2">
              <CertaintyIcon certainty={certainty} />
              {rows ? <FigureLink rows={{ ...rows, certainty }}>{note}</FigureLink> : note}
            </span>
          ))}
        </span>
      )}
    </span>
  );
}

/** What is missing from an amount is shown at it. */
function Main({ words }: { words: CostWords }) {
  return (
    <span>
      {words.main}
      {words.partial && "+"}
    </span>
  );
}
