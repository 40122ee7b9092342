"use client";
import { useT } from "@/components/ui/language";
import type { ModelView } from "@/lib/api/schemas";
import type { Catalog } from "@/lib/model/catalog";
import { ModelRow, type RowActions } from "./model-row";

interface ProviderGroupProps extends RowActions {
  provider: string;
  models: ModelView[];
  catalog?: Catalog;
  canWrite: boolean;
}

/** The models of one provider. An address that they share stands once. */
export function ProviderGroup({ provider, models, catalog, canWrite, ...actions }: ProviderGroupProps) {
  const t = useT();
  const id = `provider-${provider}`;
  const demo = models.some((model) => model.demo);
  const addresses = new Set(models.map(({ address }) => address));
  const [shared] = addresses.size === 1 ? addresses : [];
  const vendor = catalog?.vendors.find((one) => one.id === provider);
  return (
    <section aria-labelledby={id}>
      <div className="mb-1.5 flex flex-wrap items-baseline gap-x-3">
        <h2 id={id} className="text-sm font-semibold">
          {demo ? t("models.built_in") : (vendor?.name ?? provider)}
        </h2>
        {shared && <code className="min-w-0 truncate font-mono text-xs text-dim">{shared}</code>}
      </div>
      <ul className="divide-y rounded-lg border bg-surface">
        {models.map((model) => (
          <ModelRow
            key={model.model_id}
            model={model}
            showAddress={!shared && !demo}
            canWrite={canWrite}
            known={catalog?.models.find((one) => one.provider === provider && one.model_id === model.model_id)}
            {...actions}
          />
        ))}
      </ul>
    </section>
  );
}
