"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Failure } from "@/components/ui/failure";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useT } from "@/components/ui/language";
import { SkeletonLines } from "@/components/ui/skeleton";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import type { ProjectView } from "@/lib/api/team";
import { LoadFailure } from "./load-failure";
import { useChange } from "./use-change";

/** Says what is lost, and wants the Project's id typed. */
export function DeleteProject({ project, onClose }: { project: ProjectView; onClose: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const contents = useQuery(queries.projectContents(project.id));
  const { busy, failure, change } = useChange();
  const [typed, setTyped] = useState("");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (typed !== project.id) return;
    const result = await change("DELETE", routes.project(project.id));
    if (!result.ok) return;
    // Nothing of it may be asked for again by what is still on the page.
    client.clear();
    location.assign("/");
  };
  const what = contents.data;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={t("settings.delete_title", { name: project.name })}
    >
      <form onSubmit={submit} className="flex flex-col gap-4 text-sm">
        {contents.error && <LoadFailure error={contents.error} onRetry={() => void contents.refetch()} />}
        {contents.isPending && <SkeletonLines lines={4} label={t("common.loading")} />}
        {what && (
          <div>
            <p>{t("settings.delete_what")}</p>
            <ul className="mt-1.5 list-disc space-y-1 pl-5 text-dim marker:text-faint">
              <li>{t("settings.delete_agents", { count: what.agents })}</li>
              <li>{t("settings.delete_sessions", { count: what.sessions })}</li>
              {what.running > 0 && <li>{t("settings.delete_running", { count: what.running })}</li>}
              <li>{t("settings.delete_models")}</li>
              <li>{t("settings.delete_members", { count: what.members })}</li>
            </ul>
            <p className="mt-2 text-dim">{t("settings.delete_stays")}</p>
          </div>
        )}
        <Field label={t("settings.delete_type", { id: project.id })}>
          {(control) => (
            <Input
              {...control}
              value={typed}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="font-mono text-sm"
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
        <Failure failure={failure} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose} disabled={busy}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" variant="danger" busy={busy} disabled={typed !== project.id}>
            {t("settings.delete_action")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
