"use client";
import { Goal } from "lucide-react";
import { memo } from "react";
import { useT } from "@/components/ui/language";
import { shortCount } from "@/lib/format";
import type { GoalItem as Item } from "@/lib/trace/transcript-items";
import { Notice } from "./row";

/** How a goal ended. */
export const GoalItem = memo(function GoalItem({ item }: { item: Item }) {
  const t = useT();
  return (
    <Notice icon={<Goal className="text-faint" aria-hidden="true" />}>
      {t("chat.goal_finished", { outcome: item.outcome, rounds: item.rounds, tokens: shortCount(item.tokens_used) })}
    </Notice>
  );
});
