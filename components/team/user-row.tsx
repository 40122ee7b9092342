"use client";
import { Ellipsis, KeyRound, ShieldCheck, ShieldOff, Trash2, UserCheck, UserX } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { IconButton } from "@/components/ui/icon-button";
import { useErrorText, useT } from "@/components/ui/language";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { routes } from "@/lib/api/routes";
import type { UserView } from "@/lib/api/team";
import { Avatar } from "./avatar";
import { useChange } from "./use-change";

interface UserRowProps {
  user: UserView;
  /** It is the person who looks. */
  own: boolean;
  onChanged: () => void;
  onAsk: (what: "reset" | "disable" | "delete") => void;
}

/** One person of the server, and what an admin can do about them. */
export function UserRow({ user, own, onChanged, onAsk }: UserRowProps) {
  const t = useT();
  const words = useErrorText();
  const { busy, failure, change } = useChange();
  const { id, name, admin, disabled = false, has_password, invited_until, last_sign_in_at, single_sign_on } = user;
  const patch = async (body: { admin?: boolean; disabled?: boolean }) => {
    const result = await change("PATCH", routes.user(id), body);
    if (result.ok) toast.success(t("users.changed"));
    onChanged();
  };
  return (
    <li className="flex items-center gap-3 px-4 py-2.5">
      <Avatar name={name} className={disabled ? "opacity-50" : undefined} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="min-w-0 truncate text-sm font-medium">
            {name}
            {own && <span className="font-normal text-dim"> ({t("team.you")})</span>}
          </span>
          {admin && <Badge tone="accent">{t("users.admin")}</Badge>}
          {disabled && <Badge>{t("people.disabled")}</Badge>}
          {single_sign_on && <Badge>{t("users.single_sign_on")}</Badge>}
          {!disabled && !has_password && (!single_sign_on || invited_until) && (
            <Badge tone={invited_until ? "info" : "attention"}>
              {t(invited_until ? "users.invited" : "users.link_expired")}
            </Badge>
          )}
        </div>
        <p className="truncate text-xs text-dim">
          <code className="font-mono">{id}</code>
          {" · "}
          {last_sign_in_at ? (
            <>
              {t("users.last")} <Time at={last_sign_in_at} />
            </>
          ) : (
            t("users.never")
          )}
        </p>
        {failure && (
          <p role="alert" className="text-xs text-danger">
            {words(failure)}
          </p>
        )}
      </div>
      {!own && (
        <Menu
          align="end"
          trigger={
            <IconButton label={t("users.more", { name })} busy={busy}>
              <Ellipsis />
            </IconButton>
          }
        >
          <MenuItem disabled={disabled} onSelect={() => onAsk("reset")}>
            <KeyRound aria-hidden="true" />
            {t(has_password ? "users.reset" : "users.invite_again")}
          </MenuItem>
          <MenuItem onSelect={() => void patch({ admin: !admin })}>
            {admin ? <ShieldOff aria-hidden="true" /> : <ShieldCheck aria-hidden="true" />}
            {t(admin ? "users.unmake_admin" : "users.make_admin")}
          </MenuItem>
          <MenuItem onSelect={() => (disabled ? void patch({ disabled: false }) : onAsk("disable"))}>
            {disabled ? <UserCheck aria-hidden="true" /> : <UserX aria-hidden="true" />}
            {t(disabled ? "users.enable" : "users.disable")}
          </MenuItem>
          <MenuSeparator />
          <MenuItem danger onSelect={() => onAsk("delete")}>
            <Trash2 aria-hidden="true" />
            {t("users.delete")}
          </MenuItem>
        </Menu>
      )}
    </li>
  );
}
