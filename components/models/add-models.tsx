"use client";
import { Zap } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { useT } from "@/components/ui/language";
import { toast } from "@/components/ui/toast";
import type { ApiFailure, Result } from "@/lib/api/client";
import type { LocalServer, ModelsView, ModelTestResult } from "@/lib/api/schemas";
import type { Catalog } from "@/lib/model/catalog";
import { AddPick } from "./add-pick";
import { AddWhere } from "./add-where";
import { ModelDetails } from "./model-details";
import { FormAnswer } from "./test-result";
import { Toggle } from "./text-field";
import { type Place, useAddModels } from "./use-add-models";
import type { Models } from "./use-models";

interface AddModelsProps {
  view: ModelsView;
  catalog: Catalog;
  local: readonly LocalServer[];
  /** Chosen from the start. */
  place?: Place;
  models: Pick<Models, "detect" | "change" | "test">;
  onClose: () => void;
}

/** Adds models of one endpoint: where it is, what it has, which of them. */
export function AddModels({ view, catalog, local, place, models, onClose }: AddModelsProps) {
  const t = useT();
  const formId = useId();
  const state = useAddModels(view, catalog, models, place);
  const [makeDefault, setMakeDefault] = useState(() => view.models.every((model) => model.demo || !model.is_default));
  const [busy, setBusy] = useState<"save" | "test" | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [outcome, setOutcome] = useState<Result<ModelTestResult> | null>(null);
  const { picked } = state;
  const [only] = picked.length === 1 ? picked : [];
  // A complaint must not hide behind a closed fold.
  const detailErrors = Object.keys(state.errors).some((field) => /^(price_|context_|max_)/.test(field));

  const ask = async <T,>(kind: "save" | "test", run: () => Promise<T>): Promise<T> => {
    setFailure(null);
    setOutcome(null);
    setBusy(kind);
    const result = await run();
    setBusy(null);
    return result;
  };
  const test = async () => {
    const [entry] = state.entries() ?? [];
    if (entry) setOutcome(await ask("test", () => models.test(entry)));
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const entries = state.entries();
    const [first] = entries ?? [];
    if (!entries || !first) return;
    const change = { put: entries, ...(makeDefault ? { makeDefault: first } : {}) };
    const result = await ask("save", () => models.change(change));
    if (!result.ok) return setFailure(result.error);
    const name = first.display_name ?? first.model_id;
    toast.success(entries.length === 1 ? t("models.saved", { name }) : t("models.added", { count: entries.length }));
    onClose();
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("models.add_title")}
      className="max-w-2xl"
      footer={
        <>
          <Button
            busy={busy === "test"}
            disabled={busy !== null || picked.length === 0}
            onClick={() => void test()}
            className="mr-auto"
          >
            {busy !== "test" && <Zap aria-hidden="true" />}
            {t("models.test")}
          </Button>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            busy={busy === "save"}
            disabled={busy !== null || picked.length === 0}
          >
            {picked.length > 1 ? t("models.add_count", { count: picked.length }) : t("models.add_one")}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={save} noValidate className="flex flex-col gap-4">
        <AddWhere state={state} catalog={catalog} local={local} />
        <AddPick state={state} />
        {only !== undefined && (
          <details open={detailErrors || undefined} className="rounded-lg border px-4 py-3">
            <summary className="-mx-1 rounded px-1 text-sm font-medium">{t("models.details", { id: only })}</summary>
            <div className="mt-3 flex flex-col gap-4">
              <ModelDetails
                draft={state.draftOf(only)}
                errors={state.errors}
                onChange={state.changeDetails}
                known={state.knownOf(only)}
              />
            </div>
          </details>
        )}
        {picked.length > 0 && (
          <Toggle checked={makeDefault} onChange={setMakeDefault}>
            {picked.length > 1 ? t("models.first_as_default", { id: picked[0] ?? "" }) : t("models.use_as_default")}
          </Toggle>
        )}
        <FormAnswer outcome={outcome} failure={failure} />
      </form>
    </Dialog>
  );
}
