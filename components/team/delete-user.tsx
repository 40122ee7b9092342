"use client";
import { useQuery } from "@tanstack/react-query";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Failure } from "@/components/ui/failure";
import { useT } from "@/components/ui/language";
import { SkeletonLines } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import type { UserBelongings, UserView } from "@/lib/api/team";
import { LoadFailure } from "./load-failure";
import { useChange } from "./use-change";

interface DeleteUserProps {
  user: UserView;
  onDeleted: () => void;
  onClose: () => void;
}

/** Says what becomes of a person's conversations before they are deleted. */
export function DeleteUser({ user, onDeleted, onClose }: DeleteUserProps) {
  const t = useT();
  const belongings = useQuery(queries.belongings(user.id));
  const { busy, failure, change } = useChange();
  const alone = belongings.data?.last_owner_of ?? [];
  const remove = async () => {
    const result = await change("DELETE", routes.user(user.id));
    if (!result.ok) return;
    toast.success(t("users.deleted", { name: user.name }));
    onDeleted();
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={t("users.delete_title", { name: user.name })}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t("common.cancel")}
          </Button>
          <Button
            variant="danger"
            busy={busy}
            disabled={!belongings.data || alone.length > 0}
            onClick={() => void remove()}
          >
            {t("users.delete")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm text-dim">
        <p>{t("users.delete_body")}</p>
        {belongings.error && <LoadFailure error={belongings.error} onRetry={() => void belongings.refetch()} />}
        {belongings.isPending && <SkeletonLines lines={2} label={t("common.loading")} />}
        {belongings.data && <Sessions {...belongings.data} />}
        {alone.length > 0 && (
          <Banner tone="attention">{t("users.delete_alone", { projects: alone.join(", ") })}</Banner>
        )}
        <Failure failure={failure} />
      </div>
    </Dialog>
  );
}

function Sessions({ sessions }: UserBelongings) {
  const t = useT();
  if (sessions.team + sessions.private === 0) return <p>{t("users.delete_none")}</p>;
  return (
    <ul className="list-disc space-y-1 pl-5 marker:text-faint">
      {sessions.team > 0 && <li>{t("users.delete_team", { count: sessions.team })}</li>}
      {sessions.private > 0 && <li>{t("users.delete_private", { count: sessions.private })}</li>}
    </ul>
  );
}
