"use client";
import { ChevronRight, FoldVertical, Rows3, Table2 } from "lucide-react";
import { memo, type ReactNode, useMemo, useState } from "react";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { useT } from "@/components/ui/language";
import { Tooltip } from "@/components/ui/tooltip";
import { duration, money, shortCount } from "@/lib/format";
import type { SessionAnalysis } from "@/lib/trace/analysis";
import { type Span, timelineOf } from "@/lib/trace/timeline";
import { CacheBar } from "./cache-bar";
import { ContextDonut } from "./context-donut";
import { SpanTable } from "./span-table";
import { TaskChart } from "./task-chart";
import { costOfTasks, endOf, type Money, speedOf, type TaskEnd } from "./task-figures";

export type AnalysedTask = SessionAnalysis["tasks"][number];

interface TaskCardProps {
  task: AnalysedTask;
  /** Compactions in the middle of it. */
  inner: readonly AnalysedTask[];
  number: number;
  /** Records under the card. */
  rows: number;
  open: boolean;
  /** The Session is at work, and this is its newest Task. */
  live: boolean;
  window: number | undefined;
  onToggle: (task: number, open: boolean) => void;
  onPin: (span: Span) => void;
}

/** One Task: what it was about, its figures, what happened when. */
export const TaskCard = memo(function TaskCard(props: TaskCardProps) {
  const { task, inner, number, rows, open, live, window, onToggle, onPin } = props;
  const t = useT();
  const timeline = useMemo(() => timelineOf(task, inner), [task, inner]);
  const [table, setTable] = useState(false);
  const compaction = task.kind === "compaction";
  const name = compaction ? t("timeline.compaction") : t("timeline.task", { number });
  return (
    <article aria-label={name} className="mx-4 mt-4 rounded-lg border bg-surface md:mx-6">
      <header className="flex items-start gap-3 px-3 pt-3 sm:px-4">
        <div className="min-w-0 flex-1">
          <h2 className="flex min-w-0 flex-wrap items-center gap-x-2 text-sm">
            {compaction && <FoldVertical className="size-4 text-attention" aria-hidden="true" />}
            <span className="font-semibold">{name}</span>
            <End end={endOf(task, live)} by={task.abort?.payload.by} />
            {task.title && !compaction && <span className="min-w-0 max-w-full truncate text-dim">{task.title}</span>}
          </h2>
          <Figures task={task} inner={inner} />
        </div>
        {!compaction && <ContextDonut context={task.context} window={window} />}
      </header>
      <div className="flex flex-col gap-3 px-3 py-3 sm:px-4">
        <CacheBar tokens={task.tokens} />
        <TaskChart number={number} timeline={timeline} onPin={onPin} />
        {table && <SpanTable timeline={timeline} onPin={onPin} />}
        <div className="flex flex-wrap gap-2">
          <Button size="sm" variant="ghost" aria-expanded={open} onClick={() => onToggle(task.index, !open)}>
            <ChevronRight className={cn("transition-transform duration-120", open && "rotate-90")} aria-hidden="true" />
            <Rows3 aria-hidden="true" />
            <span className="sr-only">{t(open ? "timeline.hide_records" : "timeline.show_records")}: </span>
            {t("timeline.records", { count: rows })}
          </Button>
          <Button size="sm" variant="ghost" aria-expanded={table} onClick={() => setTable(!table)}>
            <Table2 aria-hidden="true" />
            {t(table ? "timeline.as_chart" : "timeline.as_table")}
          </Button>
        </div>
      </div>
    </article>
  );
});

const ENDS = {
  running: ["timeline.running", "info"],
  interrupted: ["timeline.interrupted", "attention"],
  stopped: ["timeline.stopped", "attention"],
  max_turns: ["timeline.max_turns", "attention"],
  failed: ["timeline.failed", "danger"],
} as const satisfies Record<NonNullable<TaskEnd>, [string, Tone]>;

function End({ end, by }: { end: TaskEnd; by: string | undefined }) {
  const t = useT();
  if (!end) return null;
  const [words, tone] = ENDS[end];
  return <Badge tone={tone}>{end === "stopped" && by ? t("timeline.stopped_by", { by }) : t(words)}</Badge>;
}

function Figures({ task, inner }: { task: AnalysedTask; inner: readonly AnalysedTask[] }) {
  const t = useT();
  const calls = task.requests.reduce((sum, request) => sum + request.tools.length, 0);
  const speed = speedOf(task);
  const { cache_read, cache_write, output } = task.tokens;
  return (
    <ul className="tabular mt-1 flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-dim">
      <li>{t("timeline.requests", { count: task.requests.length })}</li>
      {calls > 0 && <li>{t("timeline.calls", { count: calls })}</li>}
      <li>
        <Detail text={t("timeline.elapsed")}>{duration(task.span_ms)}</Detail>
      </li>
      <li>{t("timeline.tokens", { input: shortCount(cache_read + cache_write), output: shortCount(output) })}</li>
      <li>
        <CostText cost={costOfTasks([task, ...inner])} />
      </li>
      {speed !== null && (
        <li>
          <Detail text={t("timeline.speed_detail")}>
            {t("timeline.speed", { speed: speed.toFixed(speed < 10 ? 1 : 0) })}
          </Detail>
        </li>
      )}
    </ul>
  );
}

function Detail({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Tooltip text={text}>
      <span>{children}</span>
    </Tooltip>
  );
}

/** An amount, or that there is no price: never 0 for what is not known. */
export function CostText({ cost }: { cost: Money }) {
  const t = useT();
  if (cost.priced === 0) return cost.unpriced > 0 ? t("timeline.no_price") : null;
  if (cost.usd === 0 && cost.unpriced === 0) return t("timeline.free");
  return cost.unpriced > 0 ? t("timeline.some_unpriced", { cost: money(cost.usd) }) : money(cost.usd);
}
