/** The figures of a card's head, from an analysed Task. Pure. */
import { type Cost, requestCost } from "@/lib/model/price";
import type { TaskAnalysis } from "@/lib/trace/analysis";
import { elapsed } from "@/lib/trace/task";

export interface Money {
  usd: number;
  /** Requests with a price, with none. */
  priced: number;
  unpriced: number;
}

/** Stamped prices only: what was paid does not change when a price is edited (US3). */
export function costOfTasks(tasks: readonly Pick<TaskAnalysis, "requests">[]): Money {
  const sum: Money = { usd: 0, priced: 0, unpriced: 0 };
  for (const { requests } of tasks) {
    for (const { usage } of requests) {
      if (!usage) continue;
      const cost: Cost = requestCost(usage.counts.request, usage.counts.price);
      if (cost.kind === "unpriced") sum.unpriced++;
      else {
        sum.priced++;
        if (cost.kind !== "free") sum.usd += cost.usd;
      }
    }
  }
  return sum;
}

/** Output tokens a second while the model worked; null when there is nothing to divide. */
export function speedOf({ tokens, llm_ms }: Pick<TaskAnalysis, "tokens" | "llm_ms">): number | null {
  return llm_ms > 0 && tokens.output > 0 ? tokens.output / (llm_ms / 1000) : null;
}

export type TaskEnd = "running" | "interrupted" | "stopped" | "max_turns" | "failed" | null;

/** How a Task ended, where that is worth a word. `live`: the Session is at work and this is its newest Task. */
export function endOf(task: TaskAnalysis, live: boolean): TaskEnd {
  if (task.max_turns) return "max_turns";
  if (task.compaction) {
    if (!task.compaction.end) return live ? "running" : "interrupted";
    return task.compaction.end.status === "completed" ? null : "failed";
  }
  const last = task.requests.at(-1);
  if (task.abort)
    return last?.end && ["failed", "auth", "timeout", "malformed"].includes(last.end.result.status)
      ? "failed"
      : "stopped";
  if (live) return "running";
  if (!last?.end) return "interrupted";
  if (last.end.result.status !== "completed") return "failed";
  return last.tools.some((tool) => !tool.output) ? "interrupted" : null;
}

/** Milliseconds from the Prompt to the last record, as a person waited. */
export const waited = (task: TaskAnalysis): number => elapsed(task.start.timestamp, task.end.timestamp);
