"use client";
import { Zap } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { useT } from "@/components/ui/language";
import { toast } from "@/components/ui/toast";
import type { ApiFailure, Result } from "@/lib/api/client";
import type { ModelEntryBody } from "@/lib/api/model-bodies";
import type { ModelsView, ModelTestResult, ModelView } from "@/lib/api/schemas";
import type { CatalogModel } from "@/lib/model/catalog";
import { type Draft, type DraftErrors, draftOf, entryOfDraft } from "./draft";
import { ModelFields } from "./model-fields";
import { FormAnswer } from "./test-result";
import type { Change } from "./use-models";

interface ModelFormProps {
  /** Edited. */
  model: ModelView;
  known?: CatalogModel;
  onSave: (change: Change) => Promise<Result<ModelsView>>;
  onTest: (entry: ModelEntryBody) => Promise<Result<ModelTestResult>>;
  onClose: () => void;
  opener: HTMLElement | null;
}

/** Changes a model. It can be tested before it is saved. */
export function ModelForm({ model, known, onSave, onTest, onClose, opener }: ModelFormProps) {
  const t = useT();
  const formId = useId();
  const [draft, setDraft] = useState<Draft>(() => draftOf(model));
  const [errors, setErrors] = useState<DraftErrors>({});
  const [busy, setBusy] = useState<"save" | "test" | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [outcome, setOutcome] = useState<Result<ModelTestResult> | null>(null);

  const checked = (): ModelEntryBody | null => {
    const result = entryOfDraft(draft, { before: model, known });
    setFailure(null);
    setOutcome(null);
    setErrors(result.ok ? {} : result.errors);
    return result.ok ? result.entry : null;
  };
  const test = async () => {
    const entry = checked();
    if (!entry) return;
    setBusy("test");
    setOutcome(await onTest(entry));
    setBusy(null);
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const entry = checked();
    if (!entry) return;
    setBusy("save");
    const result = await onSave({ put: [entry], ...(draft.make_default ? { makeDefault: entry } : {}) });
    setBusy(null);
    if (!result.ok) return setFailure(result.error);
    toast.success(t("models.saved", { name: entry.display_name ?? entry.model_id }));
    onClose();
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("models.edit_title")}
      opener={opener}
      className="max-w-xl"
      footer={
        <>
          <Button busy={busy === "test"} disabled={busy !== null} onClick={() => void test()} className="mr-auto">
            {busy !== "test" && <Zap aria-hidden="true" />}
            {t("models.test")}
          </Button>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" form={formId} variant="primary" busy={busy === "save"} disabled={busy !== null}>
            {t("common.save")}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={save} noValidate className="flex flex-col gap-4">
        <ModelFields
          draft={draft}
          errors={errors}
          model={model}
          known={known}
          onChange={(change) => {
            setDraft({ ...draft, ...change });
            setOutcome(null);
          }}
        />
        <FormAnswer outcome={outcome} failure={failure} />
      </form>
    </Dialog>
  );
}
