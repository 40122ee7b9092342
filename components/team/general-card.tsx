"use client";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useErrorText, useT } from "@/components/ui/language";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import type { ProjectView } from "@/lib/api/team";
import { useChange } from "./use-change";

/** What the Project is called. */
export function GeneralCard({ project, canWrite }: { project: ProjectView; canWrite: boolean }) {
  const t = useT();
  const words = useErrorText();
  const client = useQueryClient();
  const { busy, failure, change } = useChange();
  const [name, setName] = useState(project.name);
  const same = name.trim() === project.name || name.trim() === "";
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (same) return;
    const result = await change<{ project: ProjectView }>("PATCH", routes.project(project.id), { name: name.trim() });
    if (!result.ok) return;
    client.setQueryData(queries.project(project.id).queryKey, result.data.project);
    void client.invalidateQueries({ queryKey: queries.me().queryKey });
    toast.success(t("team.saved"));
  };
  return (
    <Section title={t("settings.general")}>
      <form onSubmit={submit} className="flex flex-wrap items-start gap-x-4 gap-y-3 px-4 py-3">
        <Field label={t("project.name")} className="flex-1 basis-60" error={failure ? words(failure) : undefined}>
          {(control) => (
            <div className="flex gap-2">
              <Input
                {...control}
                value={name}
                maxLength={80}
                disabled={!canWrite}
                onChange={(event) => setName(event.target.value)}
              />
              {canWrite && (
                <Button type="submit" busy={busy} disabled={same} className="h-9">
                  {t("settings.rename")}
                </Button>
              )}
            </div>
          )}
        </Field>
        <div className="flex min-w-0 flex-col gap-1.5">
          <span className="text-sm font-medium">{t("project.id")}</span>
          <code className="flex h-9 items-center font-mono text-sm text-dim wrap-anywhere">{project.id}</code>
        </div>
      </form>
    </Section>
  );
}
