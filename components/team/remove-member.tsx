"use client";
import { useQueryClient } from "@tanstack/react-query";
import { Banner } from "@/components/ui/banner";
import { Confirm } from "@/components/ui/confirm";
import { useErrorText, useT } from "@/components/ui/language";
import { toast } from "@/components/ui/toast";
import { routes } from "@/lib/api/routes";
import type { MemberView } from "@/lib/api/team";
import { useChange } from "./use-change";

interface RemoveMemberProps {
  project: string;
  member: MemberView;
  own: boolean;
  onRemoved: () => void;
  onClose: () => void;
}

/** Asks before somebody loses the Project, and says what becomes of their conversations. */
export function RemoveMember({
  project,
  member: { user, name, by_group },
  own,
  onRemoved,
  onClose,
}: RemoveMemberProps) {
  const t = useT();
  const words = useErrorText();
  const client = useQueryClient();
  const { busy, failure, change } = useChange();
  const remove = async () => {
    const result = await change("DELETE", routes.member(project, user));
    if (!result.ok) return;
    if (own) {
      client.clear();
      return location.assign("/");
    }
    toast.success(t("people.removed", { name }));
    onRemoved();
    onClose();
  };
  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title={own ? t("people.leave_title") : t("people.remove_title", { name })}
      body={
        <>
          {t(own ? "people.leave_body" : "people.remove_body")}
          {by_group && <p className="mt-2">{t("people.by_group_detail")}</p>}
          {failure && (
            <Banner tone="danger" className="mt-3">
              {words(failure)}
            </Banner>
          )}
        </>
      }
      action={own ? t("people.leave") : t("common.remove")}
      danger
      busy={busy}
      onConfirm={() => void remove()}
    />
  );
}
