"use client";
import { useQueryClient } from "@tanstack/react-query";
import { Banner } from "@/components/ui/banner";
import { Failure } from "@/components/ui/failure";
import { Field } from "@/components/ui/field";
import { useT } from "@/components/ui/language";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import type { PatchProjectBody, ProjectView } from "@/lib/api/team";
import { useChange } from "./use-change";

// Spelt here because the schemas' values would bring the validation library into the browser.
const MODES = ["read-only", "always-ask", "allow-all", "deny-all"] as const;

/** What conversations of the Project begin with. A choice is saved at once. */
export function NewSessionsCard({ project, canWrite }: { project: ProjectView; canWrite: boolean }) {
  const t = useT();
  const client = useQueryClient();
  const { busy, failure, change } = useChange();
  const save = async (body: PatchProjectBody) => {
    const result = await change<{ project: ProjectView }>("PATCH", routes.project(project.id), body);
    if (!result.ok) return;
    client.setQueryData(queries.project(project.id).queryKey, result.data.project);
    toast.success(t("team.saved"));
  };
  const { visibility, approval_mode } = project.defaults;
  return (
    <Section title={t("settings.new_sessions")} lead={t("settings.new_sessions_lead")}>
      <div className="grid gap-x-6 gap-y-4 px-4 py-3 sm:grid-cols-2">
        <Field label={t("settings.visibility")} hint={t(`settings.visibility_${visibility}_detail`)}>
          {({ id }) => (
            <Select
              id={id}
              value={visibility}
              disabled={!canWrite || busy}
              onChange={(next) => void save({ visibility: next })}
              options={(["team", "private"] as const).map((value) => ({
                value,
                label: t(`settings.visibility_${value}`),
                detail: t(`settings.visibility_${value}_detail`),
              }))}
            />
          )}
        </Field>
        <Field label={t("settings.approval")} hint={t(`approval_mode.${approval_mode}.detail`)}>
          {({ id }) => (
            <Select
              id={id}
              value={approval_mode}
              disabled={!canWrite || busy}
              onChange={(next) => void save({ approval_mode: next })}
              options={MODES.map((value) => ({
                value,
                label: t(`approval_mode.${value}`),
                detail: t(`approval_mode.${value}.detail`),
              }))}
            />
          )}
        </Field>
        {approval_mode === "allow-all" && (
          <Banner tone="attention" className="sm:col-span-2">
            {t("settings.approval_warn")}
          </Banner>
        )}
        <Failure failure={failure} className="sm:col-span-2" />
      </div>
    </Section>
  );
}
