"use client";
import { useEffect, useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Confirm } from "@/components/ui/confirm";
import { useT } from "@/components/ui/language";
import type { Result } from "@/lib/api/client";
import type { ModelRef, ModelsView, ModelUses, ModelView } from "@/lib/api/schemas";

interface RemoveModelProps {
  model: ModelView;
  onRemove: (change: { remove: ModelRef }) => Promise<Result<ModelsView>>;
  onUses: (model: ModelRef) => Promise<Result<ModelUses>>;
  onClose: () => void;
  opener: HTMLElement | null;
}

/** Asks before a model and its key go, and names what still uses it. */
export function RemoveModel({ model, onRemove, onUses, onClose, opener }: RemoveModelProps) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [uses, setUses] = useState<ModelUses | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the question appears
  useEffect(() => {
    let here = true;
    void onUses(model).then((result) => here && result.ok && setUses(result.data));
    return () => {
      here = false;
    };
  }, []);
  const warnings = [
    uses && uses.sessions > 0 && t("models.uses_sessions", { count: uses.sessions }),
    uses && uses.recent > 0 && t("models.uses_recent", { count: uses.recent }),
    model.is_default && t("models.uses_default"),
    model.is_vision_model && t("models.uses_vision"),
  ].filter((line) => typeof line === "string");
  const remove = async () => {
    setBusy(true);
    const result = await onRemove({ remove: { provider: model.provider, model_id: model.model_id } });
    setBusy(false);
    if (result.ok) onClose();
    else setError(result.error.code === "network" ? t("network") : result.error.message);
  };
  return (
    <Confirm
      opener={opener}
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("models.remove_title", { name: model.display_name ?? model.model_id })}
      body={
        <>
          {t("models.remove_body")}
          <div aria-live="polite" className="empty:hidden">
            {warnings.length > 0 && (
              <Banner tone="attention" className="mt-3">
                <ul className="flex flex-col gap-1">
                  {warnings.map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              </Banner>
            )}
          </div>
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
