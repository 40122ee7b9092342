"use client";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Failure } from "@/components/ui/failure";
import { Field } from "@/components/ui/field";
import { useT } from "@/components/ui/language";
import { Section } from "@/components/ui/section";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import type { Allowance } from "@/lib/api/team";
import { SettingSwitch } from "./setting-switch";
import { useChange } from "./use-change";

interface AllowancesCardProps {
  project: string;
  allowance: Allowance;
  admin: boolean;
}

/** What admins allow this Project: owners read it, admins change it. */
export function AllowancesCard({ project, allowance, admin }: AllowancesCardProps) {
  const t = useT();
  const client = useQueryClient();
  const { busy, failure, change } = useChange();
  const [draft, setDraft] = useState(allowance);
  const [roots, setRoots] = useState(allowance.workspace_roots.join("\n"));
  const listed = roots
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const bad = listed.some((path) => !path.startsWith("/"));
  const next = { ...draft, workspace_roots: listed };
  const same = JSON.stringify(next) === JSON.stringify(allowance);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const result = await change("PUT", routes.allowances(project), next);
    if (!result.ok) return;
    await client.invalidateQueries({ queryKey: queries.project(project).queryKey });
    toast.success(t("team.saved"));
  };
  return (
    <Section title={t("settings.allowed")} lead={t("settings.allowed_lead")}>
      <form onSubmit={submit} className="divide-y">
        {(["env_keys", "private_addresses"] as const).map((what) => (
          <SettingSwitch
            key={what}
            title={t(`settings.${what}`)}
            detail={t(`settings.${what}_detail`)}
            value={draft[what]}
            onChange={admin ? (value) => setDraft({ ...draft, [what]: value }) : undefined}
          />
        ))}
        <div className="px-4 py-3">
          {admin ? (
            <Field
              label={t("settings.roots")}
              hint={t("settings.roots_detail")}
              error={bad ? t("settings.roots_bad") : undefined}
            >
              {(control) => (
                <Textarea
                  {...control}
                  rows={2}
                  value={roots}
                  spellCheck={false}
                  className="font-mono text-sm"
                  onChange={(event) => setRoots(event.target.value)}
                />
              )}
            </Field>
          ) : (
            <>
              <p className="text-sm font-medium">{t("settings.roots")}</p>
              {listed.length === 0 ? (
                <p className="text-xs text-dim">{t("settings.roots_none")}</p>
              ) : (
                listed.map((path) => (
                  <code key={path} className="block font-mono text-xs text-dim wrap-anywhere">
                    {path}
                  </code>
                ))
              )}
            </>
          )}
        </div>
        <Failure failure={failure} className="px-4 py-3" />
        {admin && (
          <div className="flex justify-end px-4 py-3">
            <Button type="submit" variant="primary" busy={busy} disabled={same || bad}>
              {t("common.save")}
            </Button>
          </div>
        )}
      </form>
    </Section>
  );
}
