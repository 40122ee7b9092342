"use client";
import { type ReactNode, useId } from "react";
import { cn } from "@/components/ui/cn";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useT } from "@/components/ui/language";
import { Switch } from "@/components/ui/switch";
import type { ModelView } from "@/lib/api/schemas";
import type { WordKey } from "@/lib/i18n/t";
import { type Draft, type DraftErrors, type DraftField, hostChanges } from "./draft";

interface ModelFieldsProps {
  draft: Draft;
  errors: DraftErrors;
  model?: ModelView;
  onChange: (change: Partial<Draft>) => void;
}

/** The fields of a model. */
export function ModelFields({ draft, errors, model, onChange }: ModelFieldsProps) {
  const t = useT();
  const text = (
    name: DraftField,
    label: WordKey,
    more: Omit<TextProps, "name" | "label" | "draft" | "errors" | "onChange">,
  ) => <TextField {...{ name, label, draft, errors, onChange, ...more }} />;
  const hasKey = model?.api_key_masked !== undefined;
  const keyLost = model !== undefined && hasKey && draft.api_key === "" && hostChanges(model, draft);
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        {text("provider", "models.provider", {
          placeholder: "openai",
          hint: t("models.provider_hint"),
          locked: model !== undefined,
          mono: true,
          autoFocus: !model,
        })}
        {text("model_id", "models.model_id", {
          placeholder: "gpt-5.2",
          hint: t("models.model_id_hint"),
          locked: model !== undefined,
          mono: true,
        })}
      </div>
      {text("base_url", "models.base_url", {
        placeholder: "https://api.openai.com/v1",
        hint: t("models.base_url_hint"),
        optional: true,
        mono: true,
      })}
      <div className="flex flex-col gap-2">
        {text("api_key", "models.api_key", {
          placeholder: hasKey ? model?.api_key_masked : undefined,
          hint: keyLost ? undefined : t(hasKey ? "models.api_key_keep" : "models.api_key_hint"),
          optional: true,
          secret: true,
          mono: true,
        })}
        {keyLost && <p className="text-xs text-attention">{t("models.api_key_host")}</p>}
        {hasKey && (
          <Toggle checked={draft.clear_key} onChange={(clear_key) => onChange({ clear_key })}>
            {t("models.clear_key")}
          </Toggle>
        )}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        {text("context_window", "models.context_window", {
          placeholder: "128k",
          hint: t("models.context_window_hint"),
          optional: true,
        })}
        {text("display_name", "models.display_name", { optional: true })}
      </div>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1.5 text-sm font-medium">
          {t("models.prices")} <span className="text-xs font-normal text-faint">{t("common.optional")}</span>
        </legend>
        <div className="grid grid-cols-3 gap-3">
          {text("price_input", "models.price_input", { placeholder: "1.25", small: true })}
          {text("price_cached", "models.price_cached", { placeholder: "0.125", small: true })}
          {text("price_output", "models.price_output", { placeholder: "10", small: true })}
        </div>
        <p className="text-xs text-dim">{t("models.prices_hint")}</p>
      </fieldset>
      <div className="flex flex-col gap-2.5">
        <Toggle checked={draft.vision} onChange={(vision) => onChange({ vision })}>
          {t("models.vision_field")}
        </Toggle>
        {!model?.is_default && (
          <Toggle checked={draft.make_default} onChange={(make_default) => onChange({ make_default })}>
            {t("models.use_as_default")}
          </Toggle>
        )}
      </div>
    </>
  );
}

interface TextProps {
  name: DraftField;
  label: WordKey;
  draft: Draft;
  errors: DraftErrors;
  onChange: (change: Partial<Draft>) => void;
  placeholder?: string;
  hint?: ReactNode;
  optional?: boolean;
  locked?: boolean;
  secret?: boolean;
  mono?: boolean;
  small?: boolean;
  autoFocus?: boolean;
}
function TextField({ name, label, draft, errors, onChange, ...look }: TextProps) {
  const t = useT();
  const problem = errors[name];
  return (
    <Field
      label={<span className={cn(look.small && "text-xs font-normal text-dim")}>{t(label)}</span>}
      hint={look.hint}
      error={problem && t(problem)}
      note={look.optional ? t("common.optional") : undefined}
    >
      {(control) => (
        <Input
          {...control}
          name={name}
          type={look.secret ? "password" : "text"}
          value={draft[name]}
          onChange={(event) => onChange({ [name]: event.target.value })}
          placeholder={look.placeholder}
          disabled={look.locked}
          autoFocus={look.autoFocus}
          autoComplete={look.secret ? "new-password" : "off"}
          autoCapitalize="none"
          spellCheck={false}
          className={cn(look.mono && "font-mono text-sm")}
        />
      )}
    </Field>
  );
}

function Toggle({
  checked,
  onChange,
  children,
}: {
  checked: boolean;
  onChange: (on: boolean) => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <div className="flex items-center gap-2.5">
      <Switch id={id} checked={checked} onCheckedChange={onChange} />
      <label htmlFor={id} className="text-sm">
        {children}
      </label>
    </div>
  );
}
