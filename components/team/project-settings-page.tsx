"use client";
import { useQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { useState } from "react";
import { ShareLinksCard } from "@/components/share/share-links-card";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { PageHeader } from "@/components/ui/navigation";
import { Section, SectionPage } from "@/components/ui/section";
import { SkeletonLines } from "@/components/ui/skeleton";
import { places } from "@/lib/api/places";
import { queries } from "@/lib/api/queries";
import { AllowancesCard } from "./allowances-card";
import { CommandPolicyCard } from "./command-policy-card";
import { DeleteProject } from "./delete-project";
import { GeneralCard } from "./general-card";
import { IsolationCard } from "./isolation-card";
import { LoadFailure } from "./load-failure";
import { NewSessionsCard } from "./new-sessions-card";

interface ProjectSettingsPageProps {
  project: string;
  admin: boolean;
}

/** What holds for a whole Project. Everybody reads it, owners change it. */
export function ProjectSettingsPage({ project, admin }: ProjectSettingsPageProps) {
  const t = useT();
  const { data, error, isPending, refetch } = useQuery(queries.project(project));
  const [deleting, setDeleting] = useState(false);
  const owner = data?.role === "owner";
  return (
    <>
      <PageHeader
        title={t("settings.title")}
        actions={
          owner && (
            <Button asChild size="sm">
              <Link href={places.audit(project)}>
                <ScrollText aria-hidden="true" />
                {t("audit.title")}
              </Link>
            </Button>
          )
        }
      />
      <SectionPage>
        {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
        {isPending && <SkeletonLines lines={5} label={t("common.loading")} />}
        {data && (
          <>
            {!owner && <Banner>{t("team.read_only")}</Banner>}
            <GeneralCard project={data} canWrite={owner} />
            <NewSessionsCard project={data} canWrite={owner} />
            {data.role !== "viewer" && <ShareLinksCard project={data} canWrite={owner} />}
            <IsolationCard project={data.id} canWrite={owner} />
            <CommandPolicyCard project={data.id} canWrite={owner} />
            {data.allowance && (
              <AllowancesCard
                key={JSON.stringify(data.allowance)}
                project={data.id}
                allowance={data.allowance}
                admin={admin}
              />
            )}
            {owner && (
              <Section title={t("settings.delete")} danger>
                <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
                  <p className="min-w-0 flex-1 basis-64 text-sm text-dim">
                    {t(data.deletable ? "settings.delete_lead" : "settings.delete_default")}
                  </p>
                  <Button variant="danger" disabled={!data.deletable} onClick={() => setDeleting(true)}>
                    {t("settings.delete_action")}
                  </Button>
                </div>
              </Section>
            )}
            {deleting && <DeleteProject project={data} onClose={() => setDeleting(false)} />}
          </>
        )}
      </SectionPage>
    </>
  );
}
