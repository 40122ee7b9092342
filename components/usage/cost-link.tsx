"use client";
import { CostFigure } from "@/components/cost/cost-figure";
import type { CostSum } from "@/lib/api/usage";
import { FigureLink } from "./figure-link";
import type { Rows } from "./filters";

interface CostLinkProps {
  sum: CostSum;
  notes?: "line" | "stack";
  /** The rows of this figure: each note opens those of its own kind. */
  rows: Rows;
  className?: string;
}

/** An amount whose uncertain parts open to their Requests. */
export function CostLink({ sum, notes, rows, className }: CostLinkProps) {
  return (
    <CostFigure
      {...{ sum, notes, className }}
      link={(certainty, text) => <FigureLink rows={{ ...rows, certainty }}>{text}</FigureLink>}
    />
  );
}
