"use client";
import { Banner } from "@/components/ui/banner";
import { Confirm } from "@/components/ui/confirm";
import { useErrorText, useT } from "@/components/ui/language";
import { toast } from "@/components/ui/toast";
import { routes } from "@/lib/api/routes";
import type { UserView } from "@/lib/api/team";
import { useChange } from "./use-change";

interface DisableUserProps {
  user: UserView;
  onDisabled: () => void;
  onClose: () => void;
}

/** Asks before somebody is signed out everywhere. */
export function DisableUser({ user, onDisabled, onClose }: DisableUserProps) {
  const t = useT();
  const words = useErrorText();
  const { busy, failure, change } = useChange();
  const disable = async () => {
    const result = await change("PATCH", routes.user(user.id), { disabled: true });
    if (!result.ok) return;
    toast.success(t("users.changed"));
    onDisabled();
    onClose();
  };
  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("users.disable_title", { name: user.name })}
      body={
        <>
          {t("users.disable_body")}
          {failure && (
            <Banner tone="danger" className="mt-3">
              {words(failure)}
            </Banner>
          )}
        </>
      }
      action={t("users.disable")}
      danger
      busy={busy}
      onConfirm={() => void disable()}
    />
  );
}
