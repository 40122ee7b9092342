"use client";
import { type ReactNode, useId } from "react";
import { cn } from "@/components/ui/cn";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useT } from "@/components/ui/language";
import { Switch } from "@/components/ui/switch";
import type { WordKey } from "@/lib/i18n/areas";
import type { Draft, DraftErrors, DraftField } from "./draft";

export interface FormProps {
  draft: Draft;
  errors: DraftErrors;
  onChange: (change: Partial<Draft>) => void;
}

interface TextFieldProps extends FormProps {
  name: DraftField;
  label: WordKey;
  placeholder?: string;
  hint?: ReactNode;
  optional?: boolean;
  locked?: boolean;
  secret?: boolean;
  mono?: boolean;
  small?: boolean;
  autoFocus?: boolean;
}

/** One text of a model's form. */
export function TextField({ name, label, draft, errors, onChange, ...look }: TextFieldProps) {
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

interface ToggleProps {
  checked: boolean;
  onChange: (on: boolean) => void;
  children: ReactNode;
}

/** A switch with its words. */
export function Toggle({ checked, onChange, children }: ToggleProps) {
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
