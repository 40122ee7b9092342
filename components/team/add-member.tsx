"use client";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useErrorText, useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { places } from "@/lib/api/places";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import type { Role } from "@/lib/api/schemas";
import { ROLES } from "./member-row";
import { useChange } from "./use-change";

interface AddMemberProps {
  project: string;
  /** User names of those who are members already. */
  members: readonly string[];
  /** Admins see who there is, and make who is missing. */
  admin: boolean;
  onAdded: () => void;
  onClose: () => void;
}

/** Takes a person who can sign in here into the Project. */
export function AddMember({ project, members, admin, onAdded, onClose }: AddMemberProps) {
  const t = useT();
  const words = useErrorText();
  const { busy, failure, change, forget } = useChange();
  const [user, setUser] = useState("");
  const known = useId();
  const { data: users = [] } = useQuery({ ...queries.users(), enabled: admin });
  const others = users.filter(({ id, disabled }) => !disabled && !members.includes(id));
  const hint = admin ? (
    <>
      {t("people.user_hint_admin")}{" "}
      <Link href={places.everybody(project)} className="text-accent-ink underline underline-offset-2">
        {t("people.everybody")}
      </Link>
    </>
  ) : (
    t("people.user_hint")
  );
  const [role, setRole] = useState<Role>("member");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const name = user.trim();
    const result = await change("POST", routes.members(project), { user: name, role });
    if (!result.ok) return;
    toast.success(t("people.added", { name }));
    onAdded();
    onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t("people.add_title")}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={t("people.user")} hint={hint} error={failure ? words(failure) : undefined}>
          {(control) => (
            <Input
              {...control}
              list={others.length > 0 ? known : undefined}
              value={user}
              maxLength={32}
              autoFocus
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => {
                setUser(event.target.value);
                forget();
              }}
            />
          )}
        </Field>
        <datalist id={known}>
          {others.map(({ id, name }) => (
            <option key={id} value={id} label={name} />
          ))}
        </datalist>
        <Field label={t("people.role")} hint={t(`role.${role}.detail`)}>
          {({ id }) => (
            <Select
              id={id}
              value={role}
              onChange={setRole}
              options={ROLES.map((value) => ({ value, label: t(`role.${value}`), detail: t(`role.${value}.detail`) }))}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" variant="primary" busy={busy} disabled={user.trim() === ""}>
            {t("people.add")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
