"use client";
import { Banner } from "@/components/ui/banner";
import { Confirm } from "@/components/ui/confirm";
import { useErrorText, useT } from "@/components/ui/language";
import { routes } from "@/lib/api/routes";
import type { Invitation, UserView } from "@/lib/api/team";
import { useChange } from "./use-change";

interface ResetUserProps {
  user: UserView;
  onReset: (user: UserView, invitation: Invitation) => void;
  onClose: () => void;
}

/** Asks before a password ends, and gets the link for the next one. */
export function ResetUser({ user, onReset, onClose }: ResetUserProps) {
  const t = useT();
  const words = useErrorText();
  const { busy, failure, change } = useChange();
  const reset = async () => {
    const result = await change<{ invitation: Invitation }>("POST", routes.invitation(user.id));
    if (result.ok) onReset(user, result.data.invitation);
  };
  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("users.reset_title", { name: user.name })}
      body={
        <>
          {t("users.reset_body")}
          {failure && (
            <Banner tone="danger" className="mt-3">
              {words(failure)}
            </Banner>
          )}
        </>
      }
      action={t(user.has_password ? "users.reset" : "users.invite_again")}
      busy={busy}
      onConfirm={() => void reset()}
    />
  );
}
