"use client";
import { CircleCheck, RotateCw, TriangleAlert } from "lucide-react";
import { memo } from "react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { places } from "@/lib/api/places";
import type { RetryItem as Item } from "@/lib/trace/transcript-items";
import { useConversation } from "../conversation-context";
import { Countdown } from "../elapsed";
import { Notice } from "./row";

/** Attempts that failed, and what became of them. */
export const RetryItem = memo(function RetryItem({ item, last }: { item: Item; last: boolean }) {
  const t = useT();
  const { retryAt, active, canWork, sessionRef, onRetryNow, onStop } = useConversation();
  const failed = item.attempts.at(-1);
  const reason = failed?.error || t(`chat.status_${failed?.status ?? "failed"}`);
  const attempt = failed?.attempt ?? item.attempts.length;
  if (item.outcome === "recovered" || item.outcome === "retrying") {
    return (
      <Notice
        icon={
          item.outcome === "recovered" ? (
            <CircleCheck className="text-faint" aria-hidden="true" />
          ) : (
            <RotateCw aria-hidden="true" />
          )
        }
      >
        {t(item.outcome === "recovered" ? "chat.retry_recovered" : "chat.retry_again", {
          count: item.attempts.length,
          reason,
        })}
      </Notice>
    );
  }
  if (item.outcome === "waiting") {
    const waits = active && last;
    return (
      <Notice
        tone={waits ? "attention" : "quiet"}
        icon={<RotateCw aria-hidden="true" />}
        action={
          waits &&
          canWork && (
            <>
              <Button size="sm" onClick={onRetryNow}>
                {t("chat.retry_now")}
              </Button>
              <Button size="sm" variant="ghost" onClick={onStop}>
                {t("chat.give_up")}
              </Button>
            </>
          )
        }
      >
        <p>{t("chat.attempt_failed", { attempt, reason })}</p>
        {waits && (
          <p className="text-xs text-dim">
            {t("chat.next_try")} {retryAt ? <Countdown until={retryAt} /> : "…"}
          </p>
        )}
      </Notice>
    );
  }
  if (item.outcome === "gave_up" && !last) {
    return <Notice icon={<RotateCw aria-hidden="true" />}>{t("chat.attempt_failed", { attempt, reason })}</Notice>;
  }
  const action =
    item.outcome === "auth" ? (
      <Button asChild size="sm">
        <Link href={places.models(sessionRef.project)}>{t("chat.open_models")}</Link>
      </Button>
    ) : item.outcome === "over_budget" ? (
      <Button asChild size="sm">
        <Link href={places.usage(sessionRef.project)}>{t("budget.see")}</Link>
      </Button>
    ) : null;
  return (
    <Notice
      tone="danger"
      icon={<TriangleAlert aria-hidden="true" />}
      action={
        <>
          {action}
          {last && !active && canWork && (
            <Button size="sm" onClick={onRetryNow}>
              {t("common.retry")}
            </Button>
          )}
        </>
      }
    >
      <p>{t(`chat.retry_${item.outcome}`, { count: Math.max(attempt, item.attempts.length) })}</p>
      {/* Of a budget the reason says whom to ask: it is what the person must read. */}
      <p className={item.outcome === "over_budget" ? "text-sm" : "text-xs text-dim"}>{reason}</p>
    </Notice>
  );
});
