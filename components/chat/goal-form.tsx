"use client";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useT } from "@/components/ui/language";

/** How much a goal may use. The goal itself is the text of the message. */
export function GoalForm({ onDone }: { onDone: (goal: { budget?: number }) => void }) {
  const t = useT();
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const digits = text.replace(/[\s,._']/g, "");
    const budget = Number(digits);
    if (digits !== "" && !(Number.isSafeInteger(budget) && budget > 0)) return setError(t("goal.budget_wrong"));
    onDone(digits === "" ? {} : { budget });
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3 p-3">
      <Field label={`${t("goal.budget")} (${t("common.optional")})`} hint={t("goal.budget_hint")} error={error}>
        {(control) => (
          <Input
            {...control}
            value={text}
            inputMode="numeric"
            placeholder="200000"
            autoFocus
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" className="self-start">
        {t("goal.use")}
      </Button>
    </form>
  );
}
