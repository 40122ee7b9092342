"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { useT } from "@/components/ui/language";
import { ErrorState } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { type ApiFailure, send } from "@/lib/api/client";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import type { BudgetsView, BudgetView } from "@/lib/api/usage";
import { budgetsOf, type Draft, draftsOf, modelScope, problemsOf, scopeKey } from "./budget-draft";
import { BudgetFields } from "./budget-fields";
import { localZone } from "./use-address";

interface BudgetEditorProps {
  project: string;
  budgets: readonly BudgetView[];
  onClose: () => void;
}

/** The whole list of budgets; saved at once. */
export function BudgetEditor({ project, budgets, onClose }: BudgetEditorProps) {
  const t = useT();
  const client = useQueryClient();
  const scopes = useScopes(project, budgets);
  const next = useRef(budgets.length + 1);
  const fresh = (): Draft => ({
    id: next.current++,
    scope: "project",
    period: "month",
    kind: "soft",
    limit: "",
    tz: localZone(),
  });
  const [drafts, setDrafts] = useState<Draft[]>(() => (budgets.length > 0 ? draftsOf(budgets) : [fresh()]));
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const problems = problemsOf(drafts);

  const save = async () => {
    setTried(true);
    const list = budgetsOf(drafts);
    if (!list) return;
    setBusy(true);
    const result = await send<BudgetsView>("PUT", routes.budgets(project), { budgets: list });
    setBusy(false);
    if (!result.ok) return setFailure(result.error);
    await client.invalidateQueries({ queryKey: ["budgets", project] });
    toast.success(t("budget.saved"));
    onClose();
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("budget.title")}
      description={t("budget.lead")}
      className="max-w-3xl"
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button variant="primary" busy={busy} onClick={() => void save()}>
            {t("common.save")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {failure && (
          <ErrorState title={t("budget.not_saved")}>
            {failure.code === "network" ? t("network") : failure.message}
          </ErrorState>
        )}
        {drafts.length === 0 && <p className="text-sm text-dim">{t("budget.none_left")}</p>}
        <ul className="flex flex-col gap-3">
          {drafts.map((draft) => (
            <BudgetFields
              key={draft.id}
              draft={draft}
              scopes={scopes}
              problem={tried ? problems.get(draft.id) : undefined}
              onChange={(change) =>
                setDrafts((all) => all.map((one) => (one.id === draft.id ? { ...one, ...change } : one)))
              }
              onRemove={() => setDrafts((all) => all.filter(({ id }) => id !== draft.id))}
            />
          ))}
        </ul>
        <Button className="self-start" onClick={() => setDrafts((all) => [...all, fresh()])}>
          <Plus aria-hidden="true" />
          {t("budget.add")}
        </Button>
        <p className="text-xs text-dim">{t("budget.rules")}</p>
      </div>
    </Dialog>
  );
}

/** Whom or what a budget can be for: the Project, its members, its models; also what one is for already. */
function useScopes(project: string, budgets: readonly BudgetView[]): { value: string; label: string }[] {
  const t = useT();
  const members = useQuery(queries.members(project));
  const models = useQuery(queries.models(project));
  const scopes = new Map([["project", t("budget.scope_project")]]);
  for (const { user, name } of members.data ?? [])
    scopes.set(`member:${user}`, t("budget.scope_member", { name: name ?? user }));
  for (const { provider, model_id, display_name } of models.data?.models ?? [])
    scopes.set(modelScope({ provider, model_id }), t("budget.scope_model", { name: display_name ?? model_id }));
  for (const { scope, label } of budgets) {
    const key = scopeKey(scope);
    if (!scopes.has(key)) scopes.set(key, label ?? key.replace(/^[a-z]+:/, ""));
  }
  return [...scopes].map(([value, label]) => ({ value, label }));
}
