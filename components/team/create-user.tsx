"use client";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Failure } from "@/components/ui/failure";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useErrorText, useT } from "@/components/ui/language";
import { Select } from "@/components/ui/select";
import { Switch } from "@/components/ui/switch";
import { send } from "@/lib/api/client";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import type { Invitation, UserView } from "@/lib/api/team";
import { useChange } from "./use-change";

const ID = /^[a-z][a-z0-9_]{1,31}$/;

interface CreateUserProps {
  /** `problem`: why the person is not in the Project yet. */
  onMade: (user: UserView, invitation: Invitation, problem?: string) => void;
  onClose: () => void;
}

/** A new person: the answer is the link with which they choose a password. */
export function CreateUser({ onMade, onClose }: CreateUserProps) {
  const t = useT();
  const words = useErrorText();
  const { data: me } = useQuery(queries.me());
  const owned = me?.projects.filter(({ role }) => role === "owner") ?? [];
  const { busy, failure, change, forget } = useChange();
  const [name, setName] = useState("");
  const [id, setId] = useState("");
  const [admin, setAdmin] = useState(false);
  const [project, setProject] = useState("");
  const adminId = useId();
  const bad = id !== "" && !ID.test(id);
  const aboutId = failure?.code === "exists" ? t("users.id_taken") : bad ? t("users.id_bad") : undefined;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const body = { id, ...(name.trim() ? { name: name.trim() } : {}), admin };
    const made = await change<{ user: UserView; invitation: Invitation }>("POST", routes.users(), body);
    if (!made.ok) return;
    const added = project ? await send("POST", routes.members(project), { user: id, role: "member" }) : null;
    onMade(made.data.user, made.data.invitation, added && !added.ok ? words(added.error) : undefined);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("users.create_title")}
      description={t("users.create_lead")}
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={t("users.id")} hint={t("users.id_hint")} error={aboutId}>
          {(control) => (
            <Input
              {...control}
              value={id}
              maxLength={32}
              autoFocus
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="font-mono text-sm"
              onChange={(event) => {
                setId(event.target.value);
                forget();
              }}
            />
          )}
        </Field>
        <Field label={t("users.name")} note={t("common.optional")}>
          {(control) => (
            <Input
              {...control}
              value={name}
              maxLength={80}
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        {owned.length > 0 && (
          <Field label={t("users.add_to")}>
            {(control) => (
              <Select
                id={control.id}
                value={project || "-"}
                onChange={(next) => setProject(next === "-" ? "" : next)}
                options={[
                  { value: "-", label: t("users.add_to_none") },
                  ...owned.map((one) => ({ value: one.id, label: one.name, detail: t("role.member") })),
                ]}
              />
            )}
          </Field>
        )}
        <div className="flex items-start gap-3">
          <Switch id={adminId} checked={admin} onCheckedChange={setAdmin} aria-describedby={`${adminId}-detail`} />
          <div className="min-w-0 flex-1">
            <label htmlFor={adminId} className="text-sm font-medium">
              {t("users.admin")}
            </label>
            <p id={`${adminId}-detail`} className="text-xs text-dim">
              {t("users.admin_detail")}
            </p>
          </div>
        </div>
        <Failure failure={failure?.code === "exists" ? null : failure} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" variant="primary" busy={busy} disabled={!ID.test(id)}>
            {t("users.submit")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
