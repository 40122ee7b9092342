"use client";
import Link from "next/link";
import { memo } from "react";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { useT } from "@/components/ui/language";
import { places } from "@/lib/api/places";
import type { ComparedSide, ComparedStep, TraceComparison } from "@/lib/api/trace-compare";

interface CompareRowProps {
  project: string;
  data: Pick<TraceComparison, "left" | "right">;
  row: TraceComparison["rows"][number];
  step: number;
  /** The first row in which they differ. */
  first: boolean;
}

/** One step of both; words say whether it is the same. Each side leads to its record. */
export const CompareRow = memo(function CompareRow({ project, data, row, step, first }: CompareRowProps) {
  const t = useT();
  const word = row.same
    ? t("compare.equal")
    : !row.right
      ? t("compare.only_left")
      : !row.left
        ? t("compare.only_right")
        : t("compare.differs");
  return (
    <li
      tabIndex={-1}
      className={cn(
        "grid grid-cols-[2.5rem_minmax(0,1fr)] gap-x-2 gap-y-1 border-b px-3 py-2 [contain-intrinsic-size:auto_4rem] [content-visibility:auto] last:border-b-0 md:grid-cols-[2.5rem_minmax(0,1fr)_minmax(0,1fr)]",
        !row.same && "bg-attention-soft",
        first && "outline-2 -outline-offset-2 outline-attention",
      )}
    >
      <div className="flex flex-col gap-1 text-xs text-faint md:row-span-1">
        <span className="tabular font-mono">{step}</span>
      </div>
      <StepSide project={project} side={data.left} step={row.left} />
      {!(row.same && row.right) || row.left === null ? (
        <StepSide project={project} side={data.right} step={row.right} className="max-md:col-start-2" />
      ) : (
        <StepSide project={project} side={data.right} step={row.right} className="max-md:hidden" />
      )}
      <p className="col-start-2 flex items-center gap-2 text-xs text-dim md:col-span-2">
        {first && <Badge tone="attention">{t("compare.first_here")}</Badge>}
        {word}
      </p>
    </li>
  );
});

interface StepSideProps {
  project: string;
  side: ComparedSide;
  step: ComparedStep | null;
  className?: string;
}
function StepSide({ project, side, step, className }: StepSideProps) {
  if (!step) return <div className={cn("text-faint", className)}>–</div>;
  const trace = { project, agent: side.agent, session: side.session_id, index: step.at.file_index };
  return (
    <div className={cn("min-w-0 text-sm", className)}>
      <Link href={places.trace(trace, step.at.line)} className="font-mono text-xs text-accent-ink hover:underline">
        {[step.kind, step.name].filter(Boolean).join(" ")}
      </Link>
      <p className="line-clamp-3 whitespace-pre-wrap">{step.text}</p>
    </div>
  );
}
