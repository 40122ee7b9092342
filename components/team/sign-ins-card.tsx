"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Laptop, Smartphone } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { useErrorText, useT } from "@/components/ui/language";
import { Section } from "@/components/ui/section";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import type { SignInView } from "@/lib/api/team";
import { LoadFailure } from "./load-failure";
import { useChange } from "./use-change";

/** The browsers in which one is signed in; each can be ended from here. */
export function SignInsCard() {
  const t = useT();
  const words = useErrorText();
  const client = useQueryClient();
  const { data, error, isPending, refetch } = useQuery(queries.signIns());
  const { busy, failure, change } = useChange();
  const end = async (url: string) => {
    const result = await change("DELETE", url);
    void client.invalidateQueries({ queryKey: queries.signIns().queryKey });
    if (result.ok) toast.success(t("account.ended"));
  };
  return (
    <Section
      title={t("account.sign_ins")}
      lead={t("account.sign_ins_lead")}
      action={
        data &&
        data.length > 1 && (
          <Button size="sm" busy={busy} onClick={() => void end(routes.signIns())}>
            {t("account.end_others")}
          </Button>
        )
      }
    >
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {isPending && <SkeletonLines lines={2} label={t("common.loading")} className="p-4" />}
      <ul className="divide-y">
        {data?.map((one) => (
          <Row key={one.id} signIn={one} busy={busy} onEnd={() => void end(routes.signIn(one.id))} />
        ))}
      </ul>
      {failure && (
        <p role="alert" className="px-4 py-2 text-xs text-danger">
          {words(failure)}
        </p>
      )}
    </Section>
  );
}

function Row({ signIn, busy, onEnd }: { signIn: SignInView; busy: boolean; onEnd: () => void }) {
  const t = useT();
  const device = signIn.device ?? t("account.unknown_device");
  const Icon = /iOS|Android/.test(device) ? Smartphone : Laptop;
  return (
    <li className="flex items-center gap-3 px-4 py-2.5">
      <Icon className="size-5 shrink-0 text-faint" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
          {device}
          {signIn.current && <Badge tone="good">{t("account.this_one")}</Badge>}
        </p>
        <p className="text-xs text-dim">
          {t("account.since")} <Time at={signIn.created_at} />
          {" · "}
          {t("account.seen")} <Time at={signIn.last_seen_at} />
        </p>
      </div>
      {!signIn.current && (
        <Button size="sm" disabled={busy} aria-label={t("account.end_one", { device })} onClick={onEnd}>
          {t("account.end")}
        </Button>
      )}
    </li>
  );
}
