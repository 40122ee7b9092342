"use client";
import { useQuery } from "@tanstack/react-query";
import { Pencil, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/states";
import { failureFrom } from "@/lib/api/client";
import { queries } from "@/lib/api/queries";
import { BudgetEditor } from "./budget-editor";
import { BudgetRow } from "./budget-row";

/** What may be spent, and how much of it is. */
export function BudgetsCard({ project, canSet }: { project: string; canSet: boolean }) {
  const t = useT();
  const found = useQuery(queries.budgets(project));
  const [editing, setEditing] = useState(false);
  const failure = found.error && !found.data ? failureFrom(found.error) : null;
  const budgets = found.data?.budgets ?? [];
  // Who cannot set one has nothing to see where there is none.
  if (found.data && budgets.length === 0 && !canSet) return null;
  return (
    <section aria-labelledby="usage-budgets" className="rounded-lg border bg-surface">
      <header className="flex min-h-11 items-center gap-3 px-4 py-2">
        <h2 id="usage-budgets" className="text-sm font-medium">
          {t("budget.title")}
        </h2>
        {found.data && budgets.length === 0 && <p className="min-w-0 text-sm text-dim">{t("budget.none")}</p>}
        {canSet && found.data && (
          <Button size="sm" variant="ghost" className="ml-auto" onClick={() => setEditing(true)}>
            {budgets.length === 0 ? <Plus aria-hidden="true" /> : <Pencil aria-hidden="true" />}
            {t(budgets.length === 0 ? "budget.set" : "budget.edit")}
          </Button>
        )}
      </header>
      {failure && (
        <ErrorState title={t("budget.failed")} onRetry={() => void found.refetch()} className="mx-4 mb-3">
          {failure.code === "network" ? t("network") : failure.message}
        </ErrorState>
      )}
      {found.isPending && <Skeleton className="mx-4 mb-3 h-8" />}
      {budgets.length > 0 && (
        <ul className="grid border-t md:grid-cols-2">
          {budgets.map((budget) => (
            <BudgetRow key={budget.key} budget={budget} />
          ))}
        </ul>
      )}
      {editing && found.data && <BudgetEditor project={project} budgets={budgets} onClose={() => setEditing(false)} />}
    </section>
  );
}
