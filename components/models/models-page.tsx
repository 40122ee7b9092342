"use client";
import { Boxes, Plus } from "lucide-react";
import { useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { PageHeader } from "@/components/ui/navigation";
import { SkeletonLines } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/states";
import type { ModelView } from "@/lib/api/schemas";
import { ModelForm } from "./model-form";
import { ProviderGroup } from "./provider-group";
import { RemoveModel } from "./remove-model";
import { useModels } from "./use-models";

interface ModelsPageProps {
  project: string;
  /** Owners change the table; everybody reads it. */
  canWrite: boolean;
}

type Open = { kind: "form"; model?: ModelView } | { kind: "remove"; model: ModelView };

/** The models that Agents of this Project may use. */
export function ModelsPage({ project, canWrite }: ModelsPageProps) {
  const t = useT();
  const models = useModels(project);
  const [open, setOpen] = useState<Open | null>(null);
  const all = models.view?.models ?? [];
  const providers = [...new Set(all.map((model) => model.provider))].sort((a, b) => a.localeCompare(b));
  const demoOnly = models.view !== undefined && all.every((model) => model.demo);

  const add = canWrite && (
    <Button size="sm" variant="primary" onClick={() => setOpen({ kind: "form" })} disabled={!models.view}>
      <Plus aria-hidden="true" />
      {t("models.add")}
    </Button>
  );

  return (
    <>
      <PageHeader title={t("models.title")} actions={add} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex w-full max-w-5xl flex-col gap-5 px-4 py-5 md:px-6">
          <p className="text-dim">{t("models.lead")}</p>
          {!canWrite && <Banner>{t("models.read_only")}</Banner>}
          {models.failure && (
            <ErrorState title={t("models.failed")} onRetry={models.retry}>
              {models.failure.code === "network" ? t("network") : models.failure.message}
            </ErrorState>
          )}
          {models.pending && <SkeletonLines lines={4} label={t("common.loading")} />}
          {demoOnly && all.length > 0 && (
            <Banner
              action={
                canWrite && (
                  <Button size="sm" onClick={() => setOpen({ kind: "form" })}>
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
          {providers.map((provider) => (
            <ProviderGroup
              key={provider}
              provider={provider}
              models={all.filter((model) => model.provider === provider)}
              canWrite={canWrite}
              onEdit={(model) => setOpen({ kind: "form", model })}
              onRemove={(model) => setOpen({ kind: "remove", model })}
              onDefault={(model) => models.change({ makeDefault: model })}
              onTest={models.test}
            />
          ))}
        </div>
      </div>
      {open?.kind === "form" && models.view && (
        <ModelForm
          model={open.model}
          view={models.view}
          onSave={models.change}
          onTest={models.test}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.kind === "remove" && (
        <RemoveModel model={open.model} onRemove={models.change} onClose={() => setOpen(null)} />
      )}
    </>
  );
}
