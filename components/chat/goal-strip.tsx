"use client";
import { Goal } from "lucide-react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { shortCount } from "@/lib/format";
import type { Transcript } from "@/lib/trace/transcript-items";
import { Elapsed } from "./elapsed";

interface GoalStripProps {
  transcript: Transcript;
  running: boolean;
  onStop: () => void;
  stopping: boolean;
}

export interface GoalProgress {
  round: number;
  /** Tokens of its rounds so far that were not cached. */
  used: number;
  budget?: number;
  /** ISO time. */
  since: string;
}

/** The goal that is being worked on; null: none, or it is over. */
export function goalProgress({ tasks }: Transcript): GoalProgress | null {
  let found: GoalProgress | null = null;
  for (const { items, stats } of tasks) {
    for (const item of items) {
      if (item.kind === "goal") found = null;
      if (item.kind !== "banner" || item.banner.type !== "goal") continue;
      const { round, budget } = item.banner;
      const since: string = round === 1 || !found ? item.at : found.since;
      found = { round, used: round === 1 || !found ? 0 : found.used, since, ...(budget ? { budget } : {}) };
    }
    if (found) found.used += Math.max(0, stats.tokens.total - stats.tokens.cache_read);
  }
  return found;
}

/** While a goal is worked on: which round, how much of its budget is left, and the way to stop it. */
export function GoalStrip({ transcript, running, onStop, stopping }: GoalStripProps) {
  const t = useT();
  const goal = running ? goalProgress(transcript) : null;
  if (!goal) return null;
  const { round, used, budget, since } = goal;
  const share = budget ? Math.min(1, used / budget) : null;
  return (
    <section
      aria-label={t("goal.running", { round })}
      className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border bg-sunken py-1 pr-1.5 pl-3 text-sm text-dim"
    >
      <Goal className="size-4 shrink-0 text-faint" aria-hidden="true" />
      <span className="text-ink">{t("goal.running", { round })}</span>
      {share !== null && (
        <span aria-hidden="true" className="h-1.5 w-16 overflow-hidden rounded-full bg-press">
          <span className="block h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
        </span>
      )}
      <span className="tabular text-xs">
        {budget
          ? t("goal.left", { left: shortCount(Math.max(0, budget - used)), total: shortCount(budget) })
          : t("goal.used", { used: shortCount(used) })}
      </span>
      <span className="text-xs">
        <Elapsed since={since} />
      </span>
      <Button size="sm" variant="ghost" className="ml-auto" onClick={onStop} busy={stopping}>
        {t("goal.stop")}
      </Button>
    </section>
  );
}
