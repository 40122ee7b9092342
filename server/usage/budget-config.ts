/** The `[[budgets]]` of a `.project_config.toml`: read tolerantly, changed as a whole; other keys of the file are kept. */
import { z } from "zod";
import { AppError } from "../../lib/api/errors";
import type { Budget, BudgetScope } from "../../lib/api/usage";
import { isTimeZone, modelKey } from "../../lib/api/usage-values";
import { addDays, addMonths, dayOf, dayStart, monthStart } from "../../lib/calendar";
import type { Layout } from "../paths";
import type { TomlFiles } from "../toml-file";

const stored = z
  .looseObject({
    scope: z.enum(["project", "member", "model"]).default("project"),
    user: z.string().optional(),
    provider: z.string().optional(),
    model_id: z.string().optional(),
    period: z.enum(["day", "month"]),
    kind: z.enum(["soft", "hard"]),
    limit_usd: z.coerce.number().nonnegative(),
    tz: z.string().refine(isTimeZone).default("UTC").catch("UTC"),
  })
  .transform((entry, context): Budget => {
    const scope = scopeOf(entry);
    if (!scope) context.addIssue({ code: "custom", message: "names nobody" });
    const { period, kind, limit_usd, tz } = entry;
    return { scope: scope ?? { kind: "project" }, period, kind, limit_usd, tz };
  });
const configFile = z.looseObject({ budgets: z.array(z.unknown()).catch([]) });

function scopeOf(entry: { scope: string; user?: string; provider?: string; model_id?: string }): BudgetScope | null {
  const { scope, user, provider, model_id } = entry;
  if (scope === "project") return { kind: "project" };
  if (scope === "member") return user ? { kind: "member", user } : null;
  return provider && model_id ? { kind: "model", provider, model_id } : null;
}

/** Names whom or what a budget is for. */
export function scopeKey({ scope }: Pick<Budget, "scope">): string {
  if (scope.kind === "project") return "project";
  return `${scope.kind}:${scope.kind === "member" ? scope.user : modelKey(scope.provider, scope.model_id)}`;
}
/** Names a budget: there is one of each scope, period and kind. */
export function budgetKey(budget: Budget): string {
  return [scopeKey(budget), budget.period, budget.kind].join(":");
}

export class BudgetConfig {
  constructor(
    private readonly layout: Layout,
    private readonly files: TomlFiles,
  ) {}

  async list(project: string): Promise<Budget[]> {
    const { budgets } = configFile.parse((await this.files.read(this.layout.projectConfig(project))) ?? {});
    const read = budgets.flatMap((entry) => {
      const parsed = stored.safeParse(entry);
      return parsed.success ? [parsed.data] : [];
    });
    return [...new Map(read.map((budget) => [budgetKey(budget), budget])).values()];
  }

  /** Throws `bad_request` when two are for the same. */
  async put(project: string, budgets: readonly Budget[]): Promise<void> {
    if (new Set(budgets.map(budgetKey)).size < budgets.length) {
      throw new AppError("bad_request", "Two budgets are for the same person, model or Project, period and kind.");
    }
    await this.files.update(this.layout.projectConfig(project), (table) => {
      const { budgets: _, ...rest } = table;
      return { table: budgets.length > 0 ? { ...rest, budgets: budgets.map(entryOf) } : rest, result: undefined };
    });
  }
}

function entryOf({ scope, period, kind, limit_usd, tz }: Budget): Record<string, unknown> {
  const { kind: of, ...who } = scope;
  return { scope: of, ...who, period, kind, limit_usd, tz };
}

/** The period that an instant lies in. ms since 1970; `to` is not included. */
export function periodAt({ period, tz }: Pick<Budget, "period" | "tz">, now: number): { from: number; to: number } {
  const today = dayOf(now, tz);
  const first = period === "day" ? today : monthStart(today);
  const next = period === "day" ? addDays(today, 1) : addMonths(first, 1);
  return { from: dayStart(first, tz), to: dayStart(next, tz) };
}
