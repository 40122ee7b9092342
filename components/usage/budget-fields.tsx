"use client";
import { Trash2 } from "lucide-react";
import { Field } from "@/components/ui/field";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { useT } from "@/components/ui/language";
import { Select } from "@/components/ui/select";
import type { Draft, DraftProblem } from "./budget-draft";

interface BudgetFieldsProps {
  draft: Draft;
  scopes: readonly { value: string; label: string }[];
  problem: DraftProblem | undefined;
  onChange: (change: Partial<Draft>) => void;
  onRemove: () => void;
}

/** One budget as a line of fields. */
export function BudgetFields({ draft, scopes, problem, onChange, onRemove }: BudgetFieldsProps) {
  const t = useT();
  return (
    <li className="grid grid-cols-2 gap-3 rounded-lg border bg-rail p-3 sm:grid-cols-[minmax(0,1.6fr)_1fr_1fr_7rem_auto]">
      <Field
        label={t("budget.for")}
        className="max-sm:col-span-2"
        error={problem === "twice" || problem === "scope" ? t(`budget.problem_${problem}`) : undefined}
      >
        {(control) => (
          <Select id={control.id} value={draft.scope} onChange={(scope) => onChange({ scope })} options={scopes} />
        )}
      </Field>
      <Field label={t("budget.period")}>
        {(control) => (
          <Select
            id={control.id}
            value={draft.period}
            onChange={(period) => onChange({ period })}
            options={[
              { value: "day", label: t("budget.day") },
              { value: "month", label: t("budget.month") },
            ]}
          />
        )}
      </Field>
      <Field label={t("budget.kind")}>
        {(control) => (
          <Select
            id={control.id}
            value={draft.kind}
            onChange={(kind) => onChange({ kind })}
            options={[
              { value: "soft", label: t("budget.kind_soft"), detail: t("budget.about_soft") },
              { value: "hard", label: t("budget.kind_hard"), detail: t("budget.about_hard") },
            ]}
          />
        )}
      </Field>
      <Field label={t("budget.limit")} error={problem === "limit" ? t("budget.problem_limit") : undefined}>
        {(control) => (
          <Input
            {...control}
            inputMode="decimal"
            value={draft.limit}
            placeholder="50"
            onChange={(event) => onChange({ limit: event.target.value })}
          />
        )}
      </Field>
      <div className="flex items-end max-sm:justify-end">
        <IconButton label={t("budget.remove")} className="mb-0.5" onClick={onRemove}>
          <Trash2 />
        </IconButton>
      </div>
      <p className="text-xs text-faint max-sm:col-span-2 sm:col-span-5">{t("budget.begins", { zone: draft.tz })}</p>
    </li>
  );
}
