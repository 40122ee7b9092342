"use client";
import { memo } from "react";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { places } from "@/lib/api/places";
import type { ComparedSide, ComparedStep, TraceComparison } from "@/lib/api/trace-compare";
import { describeHit } from "@/lib/trace/describe";
import { KindIcon } from "./kind-icon";
import { say } from "./phrase";

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
      <StepSide project={project} side={data.left} step={row.left} words="compare.left" same={row.same} />
      {!(row.same && row.right) || row.left === null ? (
        <StepSide
          project={project}
          side={data.right}
          step={row.right}
          words="compare.right"
          same={row.same}
          className="max-md:col-start-2"
        />
      ) : (
        <StepSide
          project={project}
          side={data.right}
          step={row.right}
          words="compare.right"
          same={row.same}
          className="max-md:hidden"
        />
      )}
      <p className="col-start-2 col-end-[-1] flex items-center gap-2 text-xs text-dim">
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
  /** Which side it is: told in words where both stand below each other. */
  words: "compare.left" | "compare.right";
  same: boolean;
  className?: string;
}
function StepSide({ project, side, step, words, same, className }: StepSideProps) {
  const t = useT();
  const which = <span className={cn("text-xs text-faint", same ? "sr-only" : "md:sr-only")}>{t(words)}</span>;
  if (!step) {
    return (
      <div className={cn("flex items-center gap-2 text-faint", className)}>
        {which}
        <span>–</span>
      </div>
    );
  }
  const { kind, label } = step.kind === "prompt" ? describeHit("text", "user") : describeHit(step.kind);
  const trace = { project, agent: side.agent, session: side.session_id, index: step.at.file_index };
  return (
    <div className={cn("min-w-0 text-sm", className)}>
      <div className="flex min-w-0 items-center gap-2">
        <KindIcon kind={kind} className="size-3.5" />
        <Link
          href={places.trace(trace, step.at.line)}
          className="min-w-0 truncate text-xs text-accent-ink hover:underline"
        >
          {say(t, label)} {step.name !== "" && <code className="font-mono">{step.name}</code>}
        </Link>
        {which}
      </div>
      <p className="line-clamp-3 whitespace-pre-wrap">{step.text}</p>
    </div>
  );
}
