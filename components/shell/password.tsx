"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useT } from "@/components/ui/language";
import { toast } from "@/components/ui/toast";
import { send } from "@/lib/api/client";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";

/** Somebody else knows this person's password: it says so until it is changed. */
export function PasswordBanner() {
  const t = useT();
  const { data: me } = useQuery(queries.me());
  const [open, setOpen] = useState(false);
  if (!me?.user.password_is_initial) return null;
  return (
    <>
      <Banner
        tone="attention"
        className="m-2 mb-0 shrink-0"
        action={
          <Button size="sm" onClick={() => setOpen(true)}>
            {t("password.change")}
          </Button>
        }
      >
        {t("password.initial")}
      </Banner>
      <PasswordDialog open={open} onClose={() => setOpen(false)} />
    </>
  );
}

export function PasswordDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useT();
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={t("password.change")}>
      {open && <PasswordForm onDone={onClose} />}
    </Dialog>
  );
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ code: string; message: string }>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const result = await send("POST", routes.password(), { current, next });
    setBusy(false);
    if (!result.ok) return setFailure(result.error);
    void client.invalidateQueries({ queryKey: queries.me().queryKey });
    toast.success(t("password.changed"));
    onDone();
  };
  const wrong = failure?.code === "password_mismatch";
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label={t("password.current")} error={wrong ? failure.message : undefined}>
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="current-password"
            value={current}
            onChange={(event) => setCurrent(event.target.value)}
          />
        )}
      </Field>
      <Field label={t("password.next")} hint={t("password.rule")} error={wrong ? undefined : failure?.message}>
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="new-password"
            value={next}
            onChange={(event) => setNext(event.target.value)}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>{t("common.cancel")}</Button>
        <Button type="submit" variant="primary" busy={busy} disabled={current === "" || next === ""}>
          {t("password.change")}
        </Button>
      </div>
    </form>
  );
}
