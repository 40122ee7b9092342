"use client";
import { useQuery } from "@tanstack/react-query";
import { Boxes, Plus } from "lucide-react";
import { useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { PageHeader } from "@/components/ui/navigation";
import { SkeletonLines } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/states";
import { queries } from "@/lib/api/queries";
import type { ModelView } from "@/lib/api/schemas";
import { AddModels } from "./add-models";
import { ConfigProblems } from "./config-problems";
import { DefaultsCard } from "./defaults-card";
import { samePair } from "./draft";
import { LocalBanner } from "./local-banner";
import { ModelForm } from "./model-form";
import { ProviderGroup } from "./provider-group";
import { RemoveModel } from "./remove-model";
import type { Place } from "./use-add-models";
import { useModels } from "./use-models";

interface ModelsPageProps {
  project: string;
  /** Owners change the table; everybody reads it. */
  canWrite: boolean;
  /** Model servers of this machine are offered to admins. */
  admin: boolean;
}

type Open = { kind: "add"; place?: Place } | { kind: "edit" | "remove"; model: ModelView; opener: HTMLElement | null };

/** The models that Agents of this Project may use. */
export function ModelsPage({ project, canWrite, admin }: ModelsPageProps) {
  const t = useT();
  const models = useModels(project);
  const { data: catalog } = useQuery(queries.modelCatalog(project));
  const { data: local = [] } = useQuery({ ...queries.localModels(project), enabled: canWrite && admin });
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const all = models.view?.models ?? [];
  const providers = [...new Set(all.map((model) => model.provider))].sort((a, b) => a.localeCompare(b));
  const demoOnly = models.view !== undefined && all.every((model) => model.demo);
  const knownOf = (model: ModelView | undefined) =>
    catalog?.models.find((one) => model && samePair(one, model) && !model.demo);

  const add = canWrite && (
    <Button size="sm" variant="primary" onClick={() => setOpen({ kind: "add" })} disabled={!models.view || !catalog}>
      <Plus aria-hidden="true" />
      {t("models.add")}
    </Button>
  );

  return (
    <>
      <PageHeader title={t("models.title")} actions={add} />
      <div className="relative min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex w-full max-w-5xl flex-col gap-5 px-4 py-5 md:px-6">
          <p className="text-dim">{t("models.lead")}</p>
          {!canWrite && <Banner>{t("models.read_only")}</Banner>}
          {models.failure && (
            <ErrorState title={t("models.failed")} onRetry={models.retry}>
              {models.failure.code === "network" ? t("network") : models.failure.message}
            </ErrorState>
          )}
          {models.view?.problems && <ConfigProblems problems={models.view.problems} />}
          {models.pending && <SkeletonLines lines={4} label={t("common.loading")} />}
          {models.view && (
            <LocalBanner
              servers={local}
              view={models.view}
              onAdd={(server) => setOpen({ kind: "add", place: { kind: "local", server } })}
            />
          )}
          {demoOnly && all.length > 0 && (
            <Banner
              action={
                canWrite && (
                  <Button size="sm" onClick={() => setOpen({ kind: "add" })} disabled={!catalog}>
                    {t("start.add_model")}
                  </Button>
                )
              }
            >
              <strong className="font-medium">{t("models.demo_title")}</strong>{" "}
              <span className="text-dim">{t("models.demo_body")}</span>
            </Banner>
          )}
          {models.view && all.length === 0 && (
            <EmptyState icon={<Boxes aria-hidden="true" />} title={t("models.empty")} action={add}>
              {t("models.empty_body")}
            </EmptyState>
          )}
          {models.view && all.length > 0 && (
            <DefaultsCard
              view={models.view}
              known={knownOf(all.find((model) => model.is_default))}
              canWrite={canWrite}
              onChange={models.change}
            />
          )}
          {providers.map((provider) => (
            <ProviderGroup
              key={provider}
              provider={provider}
              models={all.filter((model) => model.provider === provider)}
              catalog={catalog}
              canWrite={canWrite}
              onEdit={(model, opener) => setOpen({ kind: "edit", model, opener })}
              onRemove={(model, opener) => setOpen({ kind: "remove", model, opener })}
              onChange={models.change}
              onTest={models.test}
            />
          ))}
        </div>
      </div>
      {open?.kind === "add" && models.view && catalog && (
        <AddModels
          view={models.view}
          catalog={catalog}
          local={local}
          place={open.place}
          models={models}
          onClose={close}
        />
      )}
      {open?.kind === "edit" && (
        <ModelForm
          model={open.model}
          opener={open.opener}
          known={knownOf(open.model)}
          onSave={models.change}
          onTest={models.test}
          onClose={close}
        />
      )}
      {open?.kind === "remove" && (
        <RemoveModel
          model={open.model}
          opener={open.opener}
          onRemove={models.change}
          onUses={models.uses}
          onClose={close}
        />
      )}
    </>
  );
}
