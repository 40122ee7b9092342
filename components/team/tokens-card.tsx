"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import { useErrorText, useT } from "@/components/ui/language";
import { Section } from "@/components/ui/section";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import type { Me } from "@/lib/api/schemas";
import type { TokenView } from "@/lib/api/team";
import { CreateToken } from "./create-token";
import { LoadFailure } from "./load-failure";
import { ShownOnce } from "./shown-once";
import { useChange } from "./use-change";

type Open = { kind: "create" } | { kind: "made"; token: string } | { kind: "revoke"; token: TokenView };

/** Access tokens for scripts. */
export function TokensCard({ projects }: { projects: Me["projects"] }) {
  const t = useT();
  const words = useErrorText();
  const client = useQueryClient();
  const { data, error, isPending, refetch } = useQuery(queries.tokens());
  const { busy, failure, change, forget } = useChange();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => {
    setOpen(null);
    forget();
  };
  const changed = () => void client.invalidateQueries({ queryKey: queries.tokens().queryKey });
  const revoke = async (token: TokenView) => {
    const result = await change("DELETE", routes.token(token.id));
    changed();
    if (!result.ok) return;
    toast.success(t("tokens.revoked"));
    close();
  };
  return (
    <Section
      title={t("tokens.title")}
      lead={t("tokens.lead")}
      action={
        <Button size="sm" onClick={() => setOpen({ kind: "create" })}>
          <Plus aria-hidden="true" />
          {t("tokens.create")}
        </Button>
      }
    >
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {isPending && <SkeletonLines lines={2} label={t("common.loading")} className="p-4" />}
      {data?.length === 0 && <p className="px-4 py-3 text-sm text-dim">{t("tokens.none")}</p>}
      <ul className="divide-y">
        {data?.map((token) => (
          <Row key={token.id} token={token} projects={projects} onRevoke={() => setOpen({ kind: "revoke", token })} />
        ))}
      </ul>
      {open?.kind === "create" && (
        <CreateToken
          projects={projects}
          onMade={(token) => {
            changed();
            setOpen({ kind: "made", token });
          }}
          onClose={close}
        />
      )}
      {open?.kind === "made" && (
        <Dialog
          open
          onOpenChange={(next) => !next && close()}
          title={t("tokens.made_title")}
          description={t("tokens.made_body")}
          footer={
            <Button variant="primary" onClick={close}>
              {t("invite.done")}
            </Button>
          }
        >
          <ShownOnce label={t("tokens.title")} copyLabel={t("tokens.copy")} text={open.token} />
        </Dialog>
      )}
      {open?.kind === "revoke" && (
        <Confirm
          open
          onOpenChange={(next) => !next && close()}
          title={t("tokens.revoke_title", { name: open.token.name })}
          body={
            <>
              {t("tokens.revoke_body")}
              {failure && (
                <Banner tone="danger" className="mt-3">
                  {words(failure)}
                </Banner>
              )}
            </>
          }
          action={t("tokens.revoke")}
          danger
          busy={busy}
          onConfirm={() => void revoke(open.token)}
        />
      )}
    </Section>
  );
}

interface RowProps {
  token: TokenView;
  projects: Me["projects"];
  onRevoke: () => void;
}
function Row({ token, projects, onRevoke }: RowProps) {
  const t = useT();
  const nameOf = (id: string) => projects.find((one) => one.id === id)?.name ?? id;
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium">
          <span className="min-w-0 truncate">{token.name}</span>
          {token.scopes.map((scope) => (
            <Badge key={scope}>{t(`tokens.scope.${scope}`)}</Badge>
          ))}
          {token.expired && <Badge tone="attention">{t("tokens.expired")}</Badge>}
        </p>
        <p className="mt-0.5 text-xs text-dim">
          {token.projects ? token.projects.map(nameOf).join(", ") : t("tokens.projects_all")}
        </p>
        <p className="text-xs text-dim">
          {t("tokens.made")} <Time at={token.created_at} />
          {" · "}
          {token.last_used_at ? (
            <>
              {t("tokens.used")} <Time at={token.last_used_at} />
            </>
          ) : (
            t("tokens.unused")
          )}
          {" · "}
          {token.expires_at ? (
            <>
              {t("tokens.until")} <Time at={token.expires_at} />
            </>
          ) : (
            t("tokens.no_end")
          )}
        </p>
      </div>
      <Button size="sm" aria-label={t("tokens.revoke_one", { name: token.name })} onClick={onRevoke}>
        {t("tokens.revoke")}
      </Button>
    </li>
  );
}
