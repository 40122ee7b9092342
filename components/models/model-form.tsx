"use client";
import { Zap } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { useLanguage, useT } from "@/components/ui/language";
import { toast } from "@/components/ui/toast";
import type { ApiFailure, Result } from "@/lib/api/client";
import type { ModelEntryBody, ModelRef, ModelsView, ModelTestResult, ModelView } from "@/lib/api/schemas";
import { errorSentence } from "@/lib/i18n/t";
import { type Draft, type DraftErrors, draftOf, emptyDraft, entryOfDraft, samePair } from "./draft";
import { ModelFields } from "./model-fields";
import { TestResult } from "./test-result";

interface ModelFormProps {
  /** Edited; absent: a new one. */
  model?: ModelView;
  view: ModelsView;
  onSave: (change: { put: ModelEntryBody; makeDefault?: ModelRef }) => Promise<Result<ModelsView>>;
  onTest: (entry: ModelEntryBody) => Promise<Result<ModelTestResult>>;
  onClose: () => void;
}

/** Adds or changes one OpenAI-compatible endpoint. It can be tested before it is saved. */
export function ModelForm({ model, view, onSave, onTest, onClose }: ModelFormProps) {
  const t = useT();
  const [language] = useLanguage();
  const formId = useId();
  const noRealDefault = view.models.every((other) => other.demo || !other.is_default);
  const [draft, setDraft] = useState<Draft>(() => (model ? draftOf(model) : emptyDraft(noRealDefault)));
  const [errors, setErrors] = useState<DraftErrors>({});
  const [busy, setBusy] = useState<"save" | "test" | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [outcome, setOutcome] = useState<Result<ModelTestResult> | null>(null);

  const checked = (): ModelEntryBody | null => {
    const result = entryOfDraft(draft, model);
    setFailure(null);
    setOutcome(null);
    if (!result.ok) {
      setErrors(result.errors);
      return null;
    }
    if (!model && view.models.some((other) => samePair(other, result.entry))) {
      setErrors({ model_id: "models.error_exists" });
      return null;
    }
    setErrors({});
    return result.entry;
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
    const result = await onSave({ put: entry, ...(draft.make_default ? { makeDefault: entry } : {}) });
    setBusy(null);
    if (!result.ok) return setFailure(result.error);
    toast.success(t("models.saved", { name: entry.display_name ?? entry.model_id }));
    onClose();
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(model ? "models.edit_title" : "models.add_title")}
      description={t("models.form_lead")}
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
          onChange={(change) => {
            setDraft({ ...draft, ...change });
            setOutcome(null);
          }}
        />
        <div aria-live="polite" className="empty:-mt-4">
          {outcome && <TestResult outcome={outcome} />}
        </div>
        <div role="alert" className="empty:-mt-4">
          {failure && (
            <Banner tone="danger">
              {failure.code === "network" ? t("network") : errorSentence(language, failure.code, failure.message)}
            </Banner>
          )}
        </div>
      </form>
    </Dialog>
  );
}
