"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { useErrorText, useT } from "@/components/ui/language";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { routes } from "@/lib/api/routes";
import type { ShareView } from "@/lib/api/share";
import { useChange } from "../team/use-change";
import { Readers } from "./readers";

interface LinkListProps {
  project: string;
  links: readonly ShareView[];
}

/** Links, newest first: what they show, until when, who made and who read them. */
export function LinkList({ project, links }: LinkListProps) {
  const t = useT();
  const words = useErrorText();
  const client = useQueryClient();
  const { busy, failure, change, forget } = useChange();
  const [asked, setAsked] = useState<ShareView | null>(null);
  const close = () => {
    setAsked(null);
    forget();
  };
  const withdraw = async ({ id }: ShareView) => {
    const result = await change("DELETE", routes.share(project, id));
    void client.invalidateQueries({ queryKey: ["shares", project] });
    if (!result.ok) return;
    toast.success(t("share.withdrawn"));
    close();
  };
  return (
    <>
      <ul className="divide-y">
        {links.map((link) => (
          <Row key={link.id} project={project} link={link} onWithdraw={() => setAsked(link)} />
        ))}
      </ul>
      {asked && (
        <Confirm
          open
          onOpenChange={(open) => !open && close()}
          title={t("share.withdraw_title", { title: asked.title ?? t("share.private_session") })}
          body={
            <>
              {t("share.withdraw_body")}
              {failure && (
                <Banner tone="danger" className="mt-3">
                  {words(failure)}
                </Banner>
              )}
            </>
          }
          action={t("share.withdraw")}
          danger
          busy={busy}
          onConfirm={() => void withdraw(asked)}
        />
      )}
    </>
  );
}

interface RowProps {
  project: string;
  link: ShareView;
  onWithdraw: () => void;
}

function Row({ project, link, onWithdraw }: RowProps) {
  const t = useT();
  const [shown, setShown] = useState(false);
  const title = link.title ?? t("share.private_session");
  return (
    <li className="px-4 py-2.5">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium">
            <span className="min-w-0 truncate">{title}</span>
            {link.ended && <Badge tone="attention">{t(`share.ended.${link.ended}`)}</Badge>}
            {link.public && <Badge>{t("share.is_public")}</Badge>}
          </p>
          <p className="mt-0.5 text-xs text-dim">
            <span title={link.created_by}>{t("share.by", { name: link.created_by_name })}</span> ·{" "}
            <Time at={link.created_at} />
            {!link.ended && (
              <>
                {" · "}
                {link.expires_at ? (
                  <>
                    {t("share.until")} <Time at={link.expires_at} />
                  </>
                ) : (
                  t("share.no_end")
                )}
              </>
            )}
            {" · "}
            {link.last_read_at ? (
              <>
                {t("share.reads", { count: link.reads })}, {t("share.last_read")} <Time at={link.last_read_at} />
              </>
            ) : (
              t("share.unread")
            )}
          </p>
        </div>
        {link.mine && link.reads > 0 && (
          <Button
            size="sm"
            aria-expanded={shown}
            aria-label={t("share.show_reads_of", { title })}
            onClick={() => setShown(!shown)}
          >
            {t("share.show_reads")}
          </Button>
        )}
        {link.mine && link.ended !== "revoked" && link.ended !== "expired" && (
          <Button size="sm" variant="danger" aria-label={t("share.withdraw_of", { title })} onClick={onWithdraw}>
            {t("share.withdraw")}
          </Button>
        )}
      </div>
      {shown && <Readers project={project} id={link.id} />}
    </li>
  );
}
