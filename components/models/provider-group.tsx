"use client";
import { useT } from "@/components/ui/language";
import type { Result } from "@/lib/api/client";
import type { ModelEntryBody, ModelsView, ModelTestResult, ModelView } from "@/lib/api/schemas";
import { ModelRow } from "./model-row";

interface ProviderGroupProps {
  provider: string;
  models: ModelView[];
  canWrite: boolean;
  onEdit: (model: ModelView) => void;
  onRemove: (model: ModelView) => void;
  onDefault: (model: ModelView) => Promise<Result<ModelsView>>;
  onTest: (entry: ModelEntryBody) => Promise<Result<ModelTestResult>>;
}

/** The models of one provider. */
export function ProviderGroup({ provider, models, canWrite, ...actions }: ProviderGroupProps) {
  const t = useT();
  const id = `provider-${provider}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-1.5 text-sm font-semibold">
        {models.some((model) => model.demo) ? t("models.built_in") : provider}
      </h2>
      <ul className="divide-y rounded-lg border bg-surface">
        {models.map((model) => (
          <ModelRow key={model.model_id} model={model} canWrite={canWrite} {...actions} />
        ))}
      </ul>
    </section>
  );
}
