/** Budgets while they are edited: text fields, and what is wrong with them. Pure. */
import type { Budget, BudgetScope } from "@/lib/api/usage";
import { modelKey, splitModel } from "@/lib/api/usage-values";

export interface Draft {
  /** Names the line while it is edited. */
  id: number;
  /** `project`, `member:<user>` or `model:<provider>/<model_id>`. */
  scope: string;
  period: Budget["period"];
  kind: Budget["kind"];
  limit: string;
  tz: string;
}

export type DraftProblem = "limit" | "scope" | "twice";

export function scopeKey(scope: BudgetScope): string {
  if (scope.kind === "project") return "project";
  return scope.kind === "member" ? `member:${scope.user}` : modelScope(scope);
}

export const modelScope = ({ provider, model_id }: { provider: string; model_id: string }): string =>
  `model:${modelKey(provider, model_id)}`;

export const draftsOf = (budgets: readonly Budget[]): Draft[] =>
  budgets.map(({ scope, period, kind, limit_usd, tz }, id) => ({
    id,
    scope: scopeKey(scope),
    period,
    kind,
    limit: String(limit_usd),
    tz,
  }));

function scopeOf(key: string): BudgetScope | null {
  if (key === "project") return { kind: "project" };
  if (key.startsWith("member:")) return { kind: "member", user: key.slice("member:".length) };
  if (!key.startsWith("model:")) return null;
  const [provider, model_id] = splitModel(key.slice("model:".length));
  return provider && model_id ? { kind: "model", provider, model_id } : null;
}

/** null: no number. A comma is read as the point that it is elsewhere. */
export function limitOf(text: string): number | null {
  const given = text.trim().replace(",", ".");
  const value = Number(given);
  return given !== "" && Number.isFinite(value) && value >= 0 ? value : null;
}

/** What must change before it can be saved, by line. */
export function problemsOf(drafts: readonly Draft[]): Map<number, DraftProblem> {
  const problems = new Map<number, DraftProblem>();
  const seen = new Set<string>();
  for (const { id, scope, period, kind, limit } of drafts) {
    const key = `${scope} ${period} ${kind}`;
    if (scopeOf(scope) === null) problems.set(id, "scope");
    else if (seen.has(key)) problems.set(id, "twice");
    else if (limitOf(limit) === null) problems.set(id, "limit");
    seen.add(key);
  }
  return problems;
}

/** The body of PUT budgets; null while something is wrong. */
export function budgetsOf(drafts: readonly Draft[]): Budget[] | null {
  if (problemsOf(drafts).size > 0) return null;
  return drafts.flatMap(({ scope, period, kind, limit, tz }) => {
    const [parsed, limit_usd] = [scopeOf(scope), limitOf(limit)];
    return parsed && limit_usd !== null ? [{ scope: parsed, period, kind, limit_usd, tz }] : [];
  });
}
