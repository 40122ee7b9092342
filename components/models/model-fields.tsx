"use client";
import { Field } from "@/components/ui/field";
import { useT } from "@/components/ui/language";
import { Select } from "@/components/ui/select";
import type { ModelView } from "@/lib/api/schemas";
import type { CatalogModel } from "@/lib/model/catalog";
import { CLIENT_TYPES, type ClientType, PROTOCOL_NAMES } from "@/lib/model/protocol";
import { hostChanges } from "./draft";
import { ModelDetails } from "./model-details";
import { type FormProps, TextField, Toggle } from "./text-field";

interface ModelFieldsProps extends FormProps {
  model: ModelView;
  known?: CatalogModel;
}

/** The fields of a model that is there already. Its pair never changes: Sessions name it. */
export function ModelFields({ model, known, ...form }: ModelFieldsProps) {
  const t = useT();
  const { draft, onChange } = form;
  const hasKey = model.api_key_masked !== undefined;
  const keyLost = hasKey && draft.api_key === "" && hostChanges(model, draft);
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...form} name="provider" label="models.provider" locked mono />
        <TextField {...form} name="model_id" label="models.model_id" locked mono />
      </div>
      <div className="grid gap-4 sm:grid-cols-[3fr_2fr]">
        <TextField
          {...form}
          name="base_url"
          label="models.base_url"
          placeholder={model.address}
          hint={
            model.base_url?.includes("***")
              ? t("models.base_url_hidden")
              : model.base_url
                ? undefined
                : t("models.base_url_hint")
          }
          optional={!model.base_url}
          mono
        />
        <ProtocolField value={draft.client_type} onChange={(client_type) => onChange({ client_type })} />
      </div>
      <div className="flex flex-col gap-2">
        <TextField
          {...form}
          name="api_key"
          label="models.api_key"
          placeholder={model.api_key_masked}
          hint={keyLost ? undefined : t(hasKey ? "models.api_key_keep" : "models.api_key_hint")}
          optional
          secret
          mono
        />
        {keyLost && <p className="text-xs text-attention">{t("models.api_key_host")}</p>}
        {hasKey && (
          <Toggle checked={draft.clear_key} onChange={(clear_key) => onChange({ clear_key })}>
            {t("models.clear_key")}
          </Toggle>
        )}
      </div>
      <ModelDetails {...form} known={known} />
      {!model.is_default && (
        <Toggle checked={draft.make_default} onChange={(make_default) => onChange({ make_default })}>
          {t("models.use_as_default")}
        </Toggle>
      )}
    </>
  );
}

interface ProtocolFieldProps {
  value: ClientType;
  onChange: (value: ClientType) => void;
  /** Absent: all of them. */
  types?: readonly ClientType[];
  hint?: string;
}

/** In which protocol a model is spoken to. */
export function ProtocolField({ value, onChange, types = CLIENT_TYPES, hint }: ProtocolFieldProps) {
  const t = useT();
  return (
    <Field label={t("models.protocol")} hint={hint}>
      {({ id }) => (
        <Select
          id={id}
          value={value}
          onChange={onChange}
          options={types.map((type) => ({ value: type, label: PROTOCOL_NAMES[type] }))}
        />
      )}
    </Field>
  );
}
