"use client";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useErrorText, useT } from "@/components/ui/language";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import { useChange } from "./use-change";

/** A new password. `initial`: somebody else chose the present one. */
export function PasswordCard({ initial, userId }: { initial: boolean; userId: string }) {
  const t = useT();
  const words = useErrorText();
  const client = useQueryClient();
  const { busy, failure, change, forget } = useChange();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const wrong = failure?.code === "password_mismatch";
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const result = await change("POST", routes.password(), { current, next });
    if (!result.ok) return;
    setCurrent("");
    setNext("");
    void client.invalidateQueries({ queryKey: queries.me().queryKey });
    void client.invalidateQueries({ queryKey: queries.signIns().queryKey });
    toast.success(t("password.changed"));
  };
  const typed = (set: (text: string) => void) => (event: { target: { value: string } }) => {
    set(event.target.value);
    forget();
  };
  return (
    <Section title={t("account.password")} lead={t("account.password_lead")}>
      <form onSubmit={submit} className="grid items-start gap-x-6 gap-y-4 px-4 py-3 sm:grid-cols-2">
        {initial && (
          <Banner tone="attention" className="sm:col-span-2">
            {t("password.initial")}
          </Banner>
        )}
        <input type="text" name="user" value={userId} autoComplete="username" readOnly hidden />
        <Field label={t("password.current")} error={failure && wrong ? words(failure) : undefined}>
          {(control) => (
            <Input
              {...control}
              type="password"
              autoComplete="current-password"
              value={current}
              onChange={typed(setCurrent)}
            />
          )}
        </Field>
        <Field
          label={t("password.next")}
          hint={t("password.rule")}
          error={failure && !wrong ? words(failure) : undefined}
        >
          {(control) => (
            <Input {...control} type="password" autoComplete="new-password" value={next} onChange={typed(setNext)} />
          )}
        </Field>
        <div className="flex justify-end sm:col-span-2">
          <Button type="submit" variant="primary" busy={busy} disabled={current === "" || next === ""}>
            {t("password.change")}
          </Button>
        </div>
      </form>
    </Section>
  );
}
