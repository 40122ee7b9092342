"use client";
import { UserMinus } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { IconButton } from "@/components/ui/icon-button";
import { useErrorText, useT } from "@/components/ui/language";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { routes } from "@/lib/api/routes";
import type { Role } from "@/lib/api/schemas";
import type { MemberView } from "@/lib/api/team";
import { Avatar } from "./avatar";
import { useChange } from "./use-change";

export const ROLES = ["owner", "member", "viewer"] as const satisfies Role[];

interface MemberRowProps {
  project: string;
  member: MemberView;
  /** It is the person who looks. */
  own: boolean;
  canWrite: boolean;
  lastOwner: boolean;
  onChanged: () => void;
  onRemove: () => void;
}

/** One member: who, as what, and what an owner can do about it. */
export function MemberRow({ project, member, own, canWrite, lastOwner, onChanged, onRemove }: MemberRowProps) {
  const t = useT();
  const words = useErrorText();
  const { busy, failure, change } = useChange();
  const { user, name, role } = member;
  const setRole = async (next: Role) => {
    const result = await change("PATCH", routes.member(project, user), { role: next });
    if (result.ok) toast.success(t("people.role_changed", { name, role: t(`role.${next}`) }));
    // A refusal may mean that the list is old.
    onChanged();
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
      <Avatar name={name} />
      <div className="min-w-0 flex-1 basis-40">
        <p className="truncate text-sm font-medium">
          {name}
          {member.disabled && <Badge className="ml-2 align-middle">{t("people.disabled")}</Badge>}
          {own && <span className="font-normal text-dim"> ({t("team.you")})</span>}
          {member.by_group && <Badge className="ml-2 align-middle">{t("people.by_group")}</Badge>}
        </p>
        <p className="truncate font-mono text-xs text-dim">{user}</p>
        {failure && (
          <p role="alert" className="text-xs text-danger">
            {words(failure)}
          </p>
        )}
      </div>
      {canWrite ? (
        <span className="flex items-center gap-1 max-sm:w-full max-sm:pl-11">
          <Select
            label={t("people.role_of", { name })}
            value={role}
            disabled={busy || lastOwner}
            onChange={(next) => void setRole(next)}
            className="w-36"
            options={ROLES.map((value) => ({ value, label: t(`role.${value}`), detail: t(`role.${value}.detail`) }))}
          />
          <IconButton label={t("people.remove", { name })} disabled={lastOwner} onClick={onRemove}>
            <UserMinus />
          </IconButton>
        </span>
      ) : (
        <Badge>{t(`role.${role}`)}</Badge>
      )}
    </li>
  );
}
