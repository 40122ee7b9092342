"use client";
import { type FormEvent, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useT } from "@/components/ui/language";
import type { ShareableTurn, ShareChoice } from "@/lib/api/share";
import { Check } from "../team/check";
import { TurnList } from "./turn-list";

interface ChooseStepProps {
  turns: readonly ShareableTurn[];
  choice: ShareChoice;
  busy: boolean;
  onChange: (choice: ShareChoice) => void;
  onClose: () => void;
  onPreview: () => void;
}

const EXTRAS = ["tools", "thinking", "names", "paths"] as const;

/** Words with commas between them, also Chinese ones. */
const wordsOf = (text: string) => [
  ...new Set(
    text
      .split(/[,，、\n]/)
      .map((word) => word.trim())
      .filter((word) => word.length >= 2),
  ),
];

/** Which turns, and how much of them is told. */
export function ChooseStep({ turns, choice, busy, onChange, onClose, onPreview }: ChooseStepProps) {
  const t = useT();
  const id = useId();
  const [hide, setHide] = useState(choice.hide.join(", "));
  if (turns.length === 0) return <p className="text-sm text-dim">{t("share.no_turns")}</p>;
  const details = { tools: t("share.tools_detail"), names: t("share.names_detail"), thinking: "", paths: "" };
  const ready = choice.title.trim() !== "" && choice.turns.length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) onPreview();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label={t("share.page_title")}>
        {(control) => (
          <Input
            {...control}
            value={choice.title}
            maxLength={120}
            onChange={(event) => onChange({ ...choice, title: event.target.value })}
          />
        )}
      </Field>
      <TurnList turns={turns} chosen={choice.turns} onChange={(chosen) => onChange({ ...choice, turns: chosen })} />
      <fieldset aria-describedby={id} className="flex flex-col gap-2">
        <legend className="mb-1.5 text-sm font-medium">{t("share.with")}</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {EXTRAS.map((extra) => (
            <Check
              key={extra}
              label={t(`share.${extra}`)}
              detail={details[extra] || undefined}
              checked={choice[extra]}
              onChange={() => onChange({ ...choice, [extra]: !choice[extra] })}
            />
          ))}
        </div>
        <p id={id} className="text-xs text-dim">
          {t("share.never")}
        </p>
      </fieldset>
      <Field label={t("share.hide")} note={t("common.optional")} hint={t("share.hide_hint")}>
        {(control) => (
          <Input
            {...control}
            value={hide}
            maxLength={1_000}
            onChange={(event) => {
              setHide(event.target.value);
              onChange({ ...choice, hide: wordsOf(event.target.value).slice(0, 50) });
            }}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t("common.cancel")}</Button>
        <Button type="submit" variant="primary" busy={busy} disabled={!ready}>
          {t("share.preview")}
        </Button>
      </div>
    </form>
  );
}
