"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { useErrorText, useT } from "@/components/ui/language";
import { Section } from "@/components/ui/section";
import { SkeletonLines } from "@/components/ui/skeleton";
import type { CommandPolicyView, PutCommandPolicyBody } from "@/lib/api/command-policy";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import type { CommandRule } from "@/lib/command-rules";
import { LoadFailure } from "./load-failure";
import { RuleDialog } from "./rule-dialog";
import { RuleRow } from "./rule-row";
import { SettingSwitch } from "./setting-switch";
import { TryCommand } from "./try-command";
import { useChange } from "./use-change";

const bare = (rules: readonly CommandRule[]): CommandRule[] =>
  rules.map(({ name, pattern, description, enabled }) => ({ name, pattern, description, enabled }));

interface CommandPolicyCardProps {
  project: string;
  canWrite: boolean;
}

/** Which commands the Project refuses, and what such rules cannot do. */
export function CommandPolicyCard({ project, canWrite }: CommandPolicyCardProps) {
  const t = useT();
  const { data, error, refetch } = useQuery(queries.commandPolicy(project));
  const [adding, setAdding] = useState(false);
  return (
    <Section
      title={t("policy.title")}
      lead={t("policy.lead")}
      action={
        canWrite && data ? (
          <Button size="sm" onClick={() => setAdding(true)}>
            <Plus aria-hidden="true" />
            {t("policy.add")}
          </Button>
        ) : null
      }
    >
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines lines={3} label={t("common.loading")} className="p-4" />}
      {data && (
        <div className="divide-y">
          <Rules project={project} policy={data} canWrite={canWrite} adding={adding} onAdded={() => setAdding(false)} />
          <TryCommand policy={data} />
          <p className="px-4 py-3 text-sm text-dim">{t("policy.limits")}</p>
        </div>
      )}
    </Section>
  );
}

type Asked = { kind: "edit" | "remove"; at: number } | { kind: "restore" } | null;

interface RulesProps extends CommandPolicyCardProps {
  policy: CommandPolicyView;
  adding: boolean;
  onAdded: () => void;
}

/** The rules and what an owner can do with them. A change is saved at once. */
function Rules({ project, policy: { enabled, rules, factory }, canWrite, adding, onAdded }: RulesProps) {
  const t = useT();
  const errors = useErrorText();
  const client = useQueryClient();
  const { busy, failure, change, forget } = useChange();
  const [asked, setAsked] = useState<Asked>(null);
  const ask = (next: Asked) => {
    forget();
    onAdded();
    setAsked(next);
  };
  const save = async (body: PutCommandPolicyBody) => {
    const result = await change<CommandPolicyView>("PUT", routes.commandPolicy(project), body);
    if (!result.ok) return;
    client.setQueryData(queries.commandPolicy(project).queryKey, result.data);
    ask(null);
  };
  const saveRules = (next: readonly CommandRule[]) => void save({ enabled, rules: bare(next) });
  const edited = asked?.kind === "edit" ? rules[asked.at] : undefined;
  const removed = asked?.kind === "remove" ? rules[asked.at] : undefined;
  const danger = failure && <Banner tone="danger">{errors(failure)}</Banner>;
  return (
    <>
      <SettingSwitch
        title={t("policy.on")}
        detail={t("policy.on_detail")}
        value={enabled}
        states={{ on: t("policy.state_on"), off: t("policy.state_off") }}
        onChange={canWrite ? (next) => void save({ enabled: next, rules: factory ? null : bare(rules) }) : undefined}
      />
      {rules.length === 0 && <p className="px-4 py-3 text-sm text-dim">{t("policy.none")}</p>}
      {rules.length > 0 && (
        <ul className="divide-y">
          {rules.map((rule, at) => (
            <RuleRow
              key={rule.name}
              rule={rule}
              busy={busy}
              change={
                canWrite
                  ? {
                      toggle: (on) => saveRules(rules.with(at, { ...rule, enabled: on })),
                      edit: () => ask({ kind: "edit", at }),
                      remove: () => ask({ kind: "remove", at }),
                    }
                  : undefined
              }
            />
          ))}
        </ul>
      )}
      {factory && <p className="px-4 py-3 text-sm text-dim">{t("policy.factory")}</p>}
      {!factory && canWrite && (
        <div className="px-4 py-3">
          <Button size="sm" onClick={() => ask({ kind: "restore" })}>
            {t("policy.restore")}
          </Button>
        </div>
      )}
      {danger && asked === null && !adding && (
        <div role="alert" className="px-4 py-3">
          {danger}
        </div>
      )}
      {(adding || edited) && (
        <RuleDialog
          rule={edited ?? null}
          busy={busy}
          failure={failure}
          onClose={() => ask(null)}
          onSave={(rule) => saveRules(asked?.kind === "edit" ? rules.with(asked.at, rule) : [...rules, rule])}
        />
      )}
      {asked && (removed || asked.kind === "restore") && (
        <Confirm
          open
          onOpenChange={(open) => !open && ask(null)}
          title={removed ? t("policy.remove_title", { name: removed.name }) : t("policy.restore_title")}
          body={
            <>
              {t(removed ? "policy.remove_body" : "policy.restore_body")}
              {danger}
            </>
          }
          action={removed ? t("common.remove") : t("policy.restore")}
          busy={busy}
          onConfirm={() =>
            removed && asked.kind === "remove"
              ? saveRules(rules.filter((_, at) => at !== asked.at))
              : void save({ enabled, rules: null })
          }
        />
      )}
    </>
  );
}
