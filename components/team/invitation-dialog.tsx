"use client";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { useLanguage, useT } from "@/components/ui/language";
import { places } from "@/lib/api/places";
import type { Invitation, UserView } from "@/lib/api/team";
import { exactTime } from "@/lib/format";
import { ShownOnce } from "./shown-once";

interface InvitationDialogProps {
  user: UserView;
  invitation: Invitation;
  /** Why the person is not in the Project yet. */
  problem?: string;
  onClose: () => void;
}

/** The link of a new person or a reset: shown now and never again. */
export function InvitationDialog({ user, invitation, problem, onClose }: InvitationDialogProps) {
  const t = useT();
  const [language] = useLanguage();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("invite.title", { name: user.name })}
      description={t("invite.body")}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t("invite.done")}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <ShownOnce
          label={t("invite.link")}
          copyLabel={t("invite.copy")}
          text={`${location.origin}${places.invitation(invitation.token)}`}
        />
        <p className="text-xs text-dim">
          {t("invite.until")} <time dateTime={invitation.until}>{exactTime(invitation.until, language)}</time>
        </p>
        {problem && (
          <Banner tone="attention">
            {t("invite.not_added")} {problem}
          </Banner>
        )}
      </div>
    </Dialog>
  );
}
