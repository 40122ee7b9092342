"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useParams } from "next/navigation";
import { useEffect } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { useLanguage, useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { useRememberedText } from "@/components/ui/use-remembered";
import { places } from "@/lib/api/places";
import { queries } from "@/lib/api/queries";
import type { BudgetView } from "@/lib/api/usage";
import { exactTime, money, percent } from "@/lib/format";

/** How often it is looked at when nothing happens here: others spend too. Milliseconds. */
const AGAIN_MS = 60_000;

/** What this person starts is limited, and most of it is spent: told before a Request is refused. */
export function BudgetBanner({ project }: { project: string }) {
  const t = useT();
  const budgets = useBudgets(project);
  const [closed, close] = useClosed();
  const told = (budgets?.budgets ?? []).filter(isTold).sort(worstFirst);
  const keyOf = (budget: BudgetView) => `${project} ${stateKey(budget)}`;
  const shown = told.find((budget) => !closed.includes(keyOf(budget)));
  if (!shown || !budgets) return null;
  const names = budgets.ask.map(({ name }) => name).join(", ");
  return (
    <div role="status" className="m-2 mb-0 shrink-0">
      <Banner
        tone={refuses(shown) ? "danger" : "attention"}
        action={
          <span className="flex items-center gap-1">
            <Button asChild size="sm">
              <Link href={places.usage(project)}>{t("budget.see")}</Link>
            </Button>
            {!refuses(shown) && (
              <IconButton size="sm" label={t("common.close")} onClick={() => close(keyOf(shown))}>
                <X />
              </IconButton>
            )}
          </span>
        }
      >
        <Sentence budget={shown} />
        {refuses(shown) && names && <> {t("budget.ask", { names })}</>}
      </Banner>
    </div>
  );
}

function Sentence({ budget }: { budget: BudgetView }) {
  const t = useT();
  const [language] = useLanguage();
  const { scope, period, label, spent, limit_usd, used, to } = budget;
  const who =
    scope.kind === "project"
      ? t("budget.scope_project")
      : (label ?? (scope.kind === "member" ? scope.user : scope.model_id));
  const figures = {
    name: t(`budget.per_${period}`, { who }),
    share: percent(used),
    spent: money(spent.usd),
    limit: money(limit_usd),
    time: exactTime(to, language),
  };
  if (budget.state === "warning") return t("budget.banner_warning", figures);
  return t(refuses(budget) ? "budget.banner_hard" : "budget.banner_soft", figures);
}

const isTold = ({ applies, state }: BudgetView) => applies && state !== "ok";
const refuses = ({ kind, state }: BudgetView) => kind === "hard" && state === "used_up";
const worstFirst = (a: BudgetView, b: BudgetView) => Number(refuses(b)) - Number(refuses(a)) || b.used - a.used;
/** Told again when it gets worse, and in the next period. */
const stateKey = ({ key, state, from }: BudgetView) => `${key} ${state} ${from}`;

const MAX_CLOSED = 50;

/** What was read and closed stays so in this browser. */
function useClosed(): [readonly string[], (key: string) => void] {
  const [text, remember] = useRememberedText("budgets-closed");
  const closed = text.split("\n");
  return [closed, (key) => remember([...closed, key].filter(Boolean).slice(-MAX_CLOSED).join("\n"))];
}

/** Budgets that limit what is started on this page: with the model of the conversation that is open. */
function useBudgets(project: string) {
  const client = useQueryClient();
  const { agent, session } = useParams<{ agent?: string; session?: string }>();
  const open = Boolean(agent && session);
  const { data: view } = useQuery({
    ...queries.session({ project, agent: agent ?? "", session: session ?? "" }),
    enabled: open,
    staleTime: 30_000,
  });
  const { provider, model_id } = view ?? {};
  const model = open && provider && model_id ? { provider, model_id } : undefined;
  const { data } = useQuery({
    ...queries.budgets(project, model),
    enabled: !open || model !== undefined,
    staleTime: 10_000,
    refetchInterval: AGAIN_MS,
    retry: false,
  });
  // Whatever begins or ends in the Project has spent something.
  const { data: status } = useQuery({ ...queries.status(project), enabled: false });
  const any = (data?.budgets.length ?? 0) > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `status` is what it waits for
  useEffect(() => {
    if (any) void client.invalidateQueries({ queryKey: ["budgets", project] });
  }, [client, project, any, status]);
  return data;
}
