"use client";
import { CircleHelp, CircleSlash, Clock, EqualApproximately } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { useT } from "@/components/ui/language";
import type { CostSum } from "@/lib/api/usage";
import type { Certainty } from "@/lib/api/usage-values";
import { costWords } from "./cost-words";

const ICONS: Partial<Record<Certainty, ComponentType<{ className?: string }>>> = {
  today: Clock,
  estimated: EqualApproximately,
  unpriced: CircleSlash,
  unknown: CircleHelp,
};

/** The sign of a certainty; its word always stands beside it or in the legend. */
export function CertaintyIcon({ certainty, className }: { certainty: Certainty; className?: string }) {
  const Icon = ICONS[certainty];
  return Icon ? <Icon className={cn("size-3 shrink-0 self-center", className)} aria-hidden="true" /> : null;
}

interface CostFigureProps {
  sum: CostSum;
  /** `line`: notes behind the amount; `stack`: under it; `none`: only the amount, where the words stand elsewhere. */
  notes?: "line" | "stack" | "none";
  /** Makes a note a way to its Requests. */
  link?: (certainty: Certainty, text: string) => ReactNode;
  className?: string;
}

/** An amount, and what in it is not a plain fact. What is missing from it is shown by a plus; never 0 for what is not known. */
export function CostFigure({ sum, notes = "line", link, className }: CostFigureProps) {
  const t = useT();
  const words = costWords(t, sum);
  const main = words.partial ? `${words.main}+` : words.main;
  if (notes === "none" || words.notes.length === 0) return <span className={cn("tabular", className)}>{main}</span>;
  return (
    <span className={cn("tabular", notes === "stack" && "flex flex-col", className)}>
      <span>{main}</span>
      <span
        className={cn(
          "text-xs font-normal text-dim tracking-normal",
          notes === "line" ? "ml-2" : "flex flex-wrap justify-[inherit] gap-x-3",
        )}
      >
        {words.notes.map(({ certainty, text }) => (
          <span
            key={certainty}
            className={cn("inline-flex items-baseline gap-1 whitespace-nowrap", notes === "line" && "not-last:mr-2")}
          >
            <CertaintyIcon certainty={certainty} />
            {link ? link(certainty, text) : text}
          </span>
        ))}
      </span>
    </span>
  );
}
