"use client";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useErrorText, useT } from "@/components/ui/language";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import type { Me } from "@/lib/api/schemas";
import { useChange } from "./use-change";

/** Who one is here. */
export function ProfileCard({ user }: { user: Me["user"] }) {
  const t = useT();
  const words = useErrorText();
  const client = useQueryClient();
  const { busy, failure, change } = useChange();
  const [name, setName] = useState(user.name);
  const same = name.trim() === user.name || name.trim() === "";
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (same) return;
    const result = await change<Me>("PATCH", routes.me(), { name: name.trim() });
    if (!result.ok) return;
    client.setQueryData(queries.me().queryKey, result.data);
    void client.invalidateQueries({ queryKey: ["members"] });
    toast.success(t("team.saved"));
  };
  return (
    <Section title={t("account.profile")}>
      <form onSubmit={submit} className="flex flex-wrap items-start gap-x-6 gap-y-3 px-4 py-3">
        <Field
          label={t("account.name")}
          hint={t("account.name_hint")}
          className="flex-1 basis-64"
          error={failure ? words(failure) : undefined}
        >
          {(control) => (
            <div className="flex gap-2">
              <Input {...control} value={name} maxLength={80} onChange={(event) => setName(event.target.value)} />
              <Button type="submit" busy={busy} disabled={same} className="h-9">
                {t("common.save")}
              </Button>
            </div>
          )}
        </Field>
        <div className="flex min-w-0 flex-col gap-1.5">
          <span className="text-sm font-medium">{t("people.user")}</span>
          <span className="flex h-9 items-center gap-2">
            <code className="font-mono text-sm text-dim">{user.id}</code>
            {user.admin && <Badge tone="accent">{t("users.admin")}</Badge>}
          </span>
        </div>
      </form>
    </Section>
  );
}
