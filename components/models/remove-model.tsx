"use client";
import { useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Confirm } from "@/components/ui/confirm";
import { useT } from "@/components/ui/language";
import type { Result } from "@/lib/api/client";
import type { ModelRef, ModelsView, ModelView } from "@/lib/api/schemas";

interface RemoveModelProps {
  model: ModelView;
  onRemove: (change: { remove: ModelRef }) => Promise<Result<ModelsView>>;
  onClose: () => void;
}

/** Asks before a model and its key go. */
export function RemoveModel({ model, onRemove, onClose }: RemoveModelProps) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const remove = async () => {
    setBusy(true);
    const result = await onRemove({ remove: { provider: model.provider, model_id: model.model_id } });
    setBusy(false);
    if (result.ok) onClose();
    else setError(result.error.code === "network" ? t("network") : result.error.message);
  };
  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("models.remove_title", { name: model.display_name ?? model.model_id })}
      body={
        <>
          {t("models.remove_body")}
          {error && (
            <Banner tone="danger" className="mt-3">
              {error}
            </Banner>
          )}
        </>
      }
      action={t("common.remove")}
      danger
      busy={busy}
      onConfirm={() => void remove()}
    />
  );
}
