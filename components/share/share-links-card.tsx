"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Failure } from "@/components/ui/failure";
import { useT } from "@/components/ui/language";
import { Section } from "@/components/ui/section";
import { SkeletonLines } from "@/components/ui/skeleton";
import { failureFrom } from "@/lib/api/client";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import type { ProjectView } from "@/lib/api/team";
import { SettingSwitch } from "../team/setting-switch";
import { useChange } from "../team/use-change";
import { LinkList } from "./link-list";
import { shareQueries } from "./share-queries";

/** The share links of a Project, and whether they may be read without a sign-in. */
export function ShareLinksCard({ project, canWrite }: { project: ProjectView; canWrite: boolean }) {
  const t = useT();
  const client = useQueryClient();
  const { data, error, isPending } = useQuery(shareQueries.project(project.id));
  const { busy, failure, change } = useChange();
  const allow = async (public_links: boolean) => {
    const body = { public_links };
    const result = await change<{ project: ProjectView }>("PATCH", routes.project(project.id), body);
    if (result.ok) client.setQueryData(queries.project(project.id).queryKey, result.data.project);
  };
  const failed = failure ?? (error ? failureFrom(error) : null);
  return (
    <Section title={t("share.links_project")} lead={t("share.links_project_lead")}>
      <div className="border-b">
        <SettingSwitch
          title={t("share.allow_public")}
          detail={t("share.allow_public_detail")}
          value={project.public_links}
          busy={busy}
          onChange={canWrite ? (next) => void allow(next) : undefined}
        />
      </div>
      <Failure failure={failed} className="px-4 py-3" />
      {isPending && <SkeletonLines lines={2} label={t("common.loading")} className="p-4" />}
      {data?.length === 0 && <p className="px-4 py-3 text-sm text-dim">{t("share.links_none")}</p>}
      {data && data.length > 0 && <LinkList project={project.id} links={data} />}
    </Section>
  );
}
