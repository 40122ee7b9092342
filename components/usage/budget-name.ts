import type { T } from "@/components/ui/language";
import type { Budget } from "@/lib/api/usage";

/** "Project, per month", "ana, per day", "gpt-5, per month". */
export function budgetName(
  t: T,
  { scope, period, label }: Pick<Budget, "scope" | "period"> & { label?: string | null },
): string {
  const who =
    scope.kind === "project"
      ? t("budget.scope_project")
      : (label ?? (scope.kind === "member" ? scope.user : scope.model_id));
  return t(`budget.per_${period}`, { who });
}
