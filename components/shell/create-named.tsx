"use client";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Failure } from "@/components/ui/failure";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useT } from "@/components/ui/language";
import type { Result } from "@/lib/api/client";

const ID = /^[a-z][a-z0-9_]{1,63}$/;

/** An id that a name suggests; "" when nothing of it can be used, as with Chinese. */
function suggestedId(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "")
    .slice(0, 64);
}

interface CreateNamedProps {
  title: string;
  lead: string;
  /** The verb of the button. */
  action: string;
  create: (named: { id: string; name: string }) => Promise<Result<unknown>>;
  onMade: (id: string) => void;
  onClose: () => void;
}

/** A dialog for something with a name for people and an id for addresses. Draw it to open it. */
export function CreateNamed({ title, lead, ...form }: CreateNamedProps) {
  return (
    <Dialog open onOpenChange={(next) => !next && form.onClose()} title={title} description={lead}>
      <Form {...form} />
    </Dialog>
  );
}

function Form({ action, create, onMade, onClose }: Omit<CreateNamedProps, "title" | "lead">) {
  const t = useT();
  const [name, setName] = useState("");
  /** null: follows the name. */
  const [typed, setTyped] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ code: string; message: string } | null>(null);
  const id = typed ?? suggestedId(name);
  const bad = id !== "" && !ID.test(id);
  const aboutId = failure?.code === "exists" ? t("project.id_taken") : bad ? t("project.id_bad") : undefined;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    const result = await create({ id, name: name.trim() });
    setBusy(false);
    if (!result.ok) return setFailure(result.error);
    onClose();
    onMade(id);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label={t("project.name")}>
        {(control) => (
          <Input {...control} value={name} maxLength={80} autoFocus onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      <Field label={t("project.id")} hint={t("project.id_hint")} error={aboutId}>
        {(control) => (
          <Input
            {...control}
            value={id}
            maxLength={64}
            autoCapitalize="none"
            spellCheck={false}
            className="font-mono text-sm"
            onChange={(event) => {
              setTyped(event.target.value);
              setFailure(null);
            }}
          />
        )}
      </Field>
      <Failure failure={failure?.code === "exists" ? null : failure} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t("common.cancel")}</Button>
        <Button type="submit" variant="primary" busy={busy} disabled={name.trim() === "" || !ID.test(id)}>
          {action}
        </Button>
      </div>
    </form>
  );
}
