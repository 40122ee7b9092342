"use client";
import { useT } from "@/components/ui/language";
import { duration, percent, shortCount } from "@/lib/format";
import type { SessionAnalysis } from "@/lib/trace/analysis";
import { CostText } from "./task-card";
import { costOfTasks, speedOf } from "./task-figures";

/** The figures of the whole Session: sums over its Tasks. */
export function TraceTotals({ analysis }: { analysis: SessionAnalysis }) {
  const t = useT();
  const { tasks, compactions, reconnects, elapsed_ms } = analysis;
  const sum = { cache_read: 0, cache_write: 0, output: 0, total: 0 };
  let calls = 0;
  let llm_ms = 0;
  for (const task of tasks) {
    sum.cache_read += task.tokens.cache_read;
    sum.cache_write += task.tokens.cache_write;
    sum.output += task.tokens.output;
    llm_ms += task.llm_ms;
    for (const request of task.requests) calls += request.tools.length;
  }
  const input = sum.cache_read + sum.cache_write;
  const speed = speedOf({ tokens: sum, llm_ms });
  const words = [
    t("trace.total_tasks", { count: tasks.filter(({ kind }) => kind === "task").length }),
    t("timeline.calls", { count: calls }),
    ...(compactions > 0 ? [t("trace.total_compactions", { count: compactions })] : []),
    ...(reconnects > 0 ? [t("trace.total_reconnects", { count: reconnects })] : []),
    t("timeline.tokens", { input: shortCount(input), output: shortCount(sum.output) }),
    ...(input > 0 ? [t("timeline.cache_hit", { share: percent(sum.cache_read / input) })] : []),
    duration(elapsed_ms),
    ...(speed === null ? [] : [t("timeline.speed", { speed: speed.toFixed(speed < 10 ? 1 : 0) })]),
  ];
  return (
    <ul className="tabular mx-4 flex flex-wrap gap-x-4 gap-y-1 py-4 text-xs text-dim md:mx-6">
      {words.map((word) => (
        <li key={word}>{word}</li>
      ))}
      <li>
        <CostText cost={costOfTasks(tasks)} />
      </li>
    </ul>
  );
}
