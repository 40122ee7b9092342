"use client";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Failure } from "@/components/ui/failure";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useT } from "@/components/ui/language";
import { Textarea } from "@/components/ui/textarea";
import type { ApiFailure } from "@/lib/api/client";
import { type CommandRule, readPattern } from "@/lib/command-rules";

interface RuleDialogProps {
  /** null: a new one. */
  rule: CommandRule | null;
  busy: boolean;
  failure: ApiFailure | null;
  onSave: (rule: CommandRule) => void;
  onClose: () => void;
}

/** One rule: its name, what it looks for, and what the model is told. */
export function RuleDialog({ rule, busy, failure, onSave, onClose }: RuleDialogProps) {
  const t = useT();
  const [name, setName] = useState(rule?.name ?? "");
  const [pattern, setPattern] = useState(rule?.pattern ?? "");
  const [description, setDescription] = useState(rule?.description ?? "");
  const read = pattern === "" ? null : readPattern(pattern);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave({ name: name.trim(), pattern, description: description.trim(), enabled: rule?.enabled ?? true });
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t(rule ? "policy.edit_title" : "policy.add_title")}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={t("policy.name")} hint={t("policy.name_hint")}>
          {(control) => (
            <Input
              {...control}
              value={name}
              maxLength={60}
              autoFocus
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field
          label={t("policy.pattern")}
          hint={t("policy.pattern_hint")}
          error={read?.ok === false ? t("policy.pattern_bad", { why: read.why }) : undefined}
        >
          {(control) => (
            <Input
              {...control}
              value={pattern}
              maxLength={500}
              spellCheck={false}
              autoCapitalize="none"
              className="font-mono"
              onChange={(event) => setPattern(event.target.value)}
            />
          )}
        </Field>
        <Field label={t("policy.description")} hint={t("policy.description_hint")}>
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              value={description}
              maxLength={300}
              onChange={(event) => setDescription(event.target.value)}
            />
          )}
        </Field>
        <Failure failure={failure} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" variant="primary" busy={busy} disabled={name.trim() === "" || !read?.ok}>
            {t("common.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
