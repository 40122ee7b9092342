"use client";
import { useQuery } from "@tanstack/react-query";
import { useT } from "@/components/ui/language";
import { PickList } from "@/components/ui/pick-list";
import { queries } from "@/lib/api/queries";
import type { ModelRef, ModelView } from "@/lib/api/schemas";
import { shortCount } from "@/lib/format";

interface ModelPickerProps {
  project: string;
  current?: ModelRef;
  onPick: (model: ModelRef & { label: string }) => void;
  onCancel: () => void;
}

const keyOf = ({ provider, model_id }: ModelRef) => `${provider}/${model_id}`;

/** Models of the Project by provider, with a search. */
export function ModelPicker({ project, current, onPick, onCancel }: ModelPickerProps) {
  const t = useT();
  const { data, isPending, isError } = useQuery(queries.models(project));
  const models = data?.models ?? [];
  const detail = (model: ModelView) =>
    [
      model.display_name && model.model_id,
      model.demo && t("slash.demo"),
      model.context_window && t("slash.window", { size: shortCount(model.context_window) }),
      model.vision && t("slash.sees"),
    ]
      .filter(Boolean)
      .join(" · ");
  return (
    <PickList
      label={t("slash.model_choose")}
      placeholder={t("slash.search_model")}
      picks={models.map((model) => ({
        value: keyOf(model),
        label: model.display_name ?? model.model_id,
        words: `${model.model_id} ${model.provider}`,
        detail: detail(model),
        group: model.provider,
        current: current !== undefined && keyOf(current) === keyOf(model),
      }))}
      onPick={(value) => {
        const model = models.find((candidate) => keyOf(candidate) === value);
        if (!model) return;
        const { provider, model_id, display_name } = model;
        onPick({ provider, model_id, label: display_name ?? model_id });
      }}
      onCancel={onCancel}
      empty={isPending ? t("common.loading") : isError ? t("network") : t("slash.no_model")}
    />
  );
}
