"use client";
import { Ban, TriangleAlert } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { useLanguage, useT } from "@/components/ui/language";
import type { BudgetView } from "@/lib/api/usage";
import { money, percent } from "@/lib/format";
import { budgetName } from "./budget-name";
import { minuteIn } from "./labels";

/** One budget: whose it is, how much of it is spent, and of what that is made. */
export function BudgetRow({ budget }: { budget: BudgetView }) {
  const t = useT();
  const [language] = useLanguage();
  const { spent, limit_usd, used, state, kind, to, tz } = budget;
  const name = budgetName(t, budget);
  const parts = [
    ...(spent.stopped_usd > 0 ? [t("budget.stopped", { amount: money(spent.stopped_usd) })] : []),
    ...(spent.deleted_usd > 0 ? [t("budget.deleted", { amount: money(spent.deleted_usd) })] : []),
    ...(spent.unpriced > 0 ? [t("budget.unpriced", { count: spent.unpriced })] : []),
  ];
  return (
    <li className="flex min-w-0 flex-col gap-1.5 border-b px-4 py-3 last:border-b-0 md:odd:border-r md:nth-last-2:odd:border-b-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <span className="min-w-0 truncate">{name}</span>
        <Badge>{t(`budget.kind_${kind}`)}</Badge>
        {state === "warning" && (
          <Badge tone="attention">
            <TriangleAlert aria-hidden="true" />
            {t("budget.warning")}
          </Badge>
        )}
        {state === "used_up" && (
          <Badge tone={kind === "hard" ? "danger" : "attention"}>
            <Ban aria-hidden="true" />
            {t("budget.used_up")}
          </Badge>
        )}
        <span className="tabular ml-auto text-dim">
          <span className="font-medium text-ink">{money(spent.usd)}</span> / {money(limit_usd)} · {percent(used)}
        </span>
      </p>
      <Progress label={name} {...{ used, state, kind }} text={`${money(spent.usd)} / ${money(limit_usd)}`} />
      <p className="flex flex-wrap gap-x-3 text-xs text-dim">
        {parts.map((part) => (
          <span key={part}>{part}</span>
        ))}
        <span className="text-faint">{t("budget.until", { time: minuteIn(to, tz, language), zone: tz })}</span>
      </p>
    </li>
  );
}

interface ProgressProps {
  label: string;
  used: number;
  state: BudgetView["state"];
  kind: BudgetView["kind"];
  text: string;
}

function Progress({ label, used, state, kind, text }: ProgressProps) {
  // Red is for what refuses.
  const tone = state === "ok" ? "bg-accent" : state === "used_up" && kind === "hard" ? "bg-danger" : "bg-attention";
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(100, Math.round(used * 100))}
      aria-valuetext={text}
      className="relative h-1.5 overflow-hidden rounded-full bg-press"
    >
      <span className={cn("block h-full rounded-full", tone)} style={{ width: `${Math.min(100, used * 100)}%` }} />
      {/* Where the warning begins. */}
      <span aria-hidden="true" className="absolute inset-y-0 left-[80%] w-px bg-surface" />
    </div>
  );
}
