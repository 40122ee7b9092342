"use client";
import { FoldVertical, RotateCw } from "lucide-react";
import { memo, useState } from "react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { Markdown } from "@/components/ui/markdown";
import { Spinner } from "@/components/ui/spinner";
import { shortCount } from "@/lib/format";
import { extractSummary } from "@/lib/omni/blocks";
import type { CompactionItem as Item, Long } from "@/lib/trace/transcript-items";
import { useConversation } from "../conversation-context";
import { Countdown, Elapsed } from "../elapsed";
import { LongText } from "../long-text";
import { Fold, Notice } from "./row";
import { TraceLink } from "./trace-link";

const REASONS = ["context", "turns", "manual"] as const;

/** Where the context changed: running, done with the summary it left, or failed and why. */
export const CompactionItem = memo(function CompactionItem({ item }: { item: Item }) {
  const t = useT();
  const { active } = useConversation();
  const [open, setOpen] = useState(false);
  const running = item.state === "running" && active;
  const words = running
    ? "chat.compacting"
    : item.state === "running"
      ? "chat.compaction_cut"
      : (`chat.compaction_${item.state}` as const);
  const title = t(words, { tokens: item.context === undefined ? "–" : shortCount(item.context) });
  const summary = summaryOf(item, running);
  const reason = REASONS.find((known) => known === item.reason);
  return (
    <div className="flex flex-col gap-1 border-y py-1.5">
      <Fold
        icon={
          running ? (
            <Spinner />
          ) : (
            <FoldVertical className={item.state === "failed" ? "text-danger" : "text-faint"} aria-hidden="true" />
          )
        }
        title={item.mode === "discard" && item.state === "completed" ? t("chat.context_cleared") : title}
        aside={running ? <Elapsed since={item.at} /> : summary !== "" && t("chat.summary")}
        open={open}
        onToggle={setOpen}
      >
        <div className="ml-2 border-l pl-4 text-dim">
          <p className="flex flex-wrap gap-x-3 py-1 text-xs text-faint">
            {reason && <span>{t(`chat.compaction_${reason}`)}</span>}
            <TraceLink address={item.answered_at ?? item.address} />
          </p>
          {summary === "" ? (
            !running && item.state !== "failed" && <p className="py-1 text-sm">{t("chat.no_summary")}</p>
          ) : (
            <LongText text={summary} address={item.answered_at ?? item.address} field="text">
              {(text) => (
                <Markdown streaming={running} className="text-sm text-dim">
                  {text}
                </Markdown>
              )}
            </LongText>
          )}
        </div>
      </Fold>
      {item.error && <p className="px-1.5 pb-1 text-sm text-danger">{item.error}</p>}
      {running && <Waiting attempt={item.attempts + 1} />}
    </div>
  );
});

/** What an attempt that failed had said is no summary. */
function summaryOf(item: Item, running: boolean): Long {
  if (item.summary) return item.summary;
  if (!running && item.state !== "completed") return "";
  return typeof item.answer === "string" ? extractSummary(item.answer) : item.answer;
}

/** The wait before the next attempt. */
function Waiting({ attempt }: { attempt: number }) {
  const t = useT();
  const { retryAt, canWork, onRetryNow, onStop } = useConversation();
  if (!retryAt) return null;
  return (
    <Notice
      tone="attention"
      icon={<RotateCw aria-hidden="true" />}
      action={
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
      {t("chat.compaction_attempt", { attempt })}: {t("chat.next_try")} <Countdown until={retryAt} />
    </Notice>
  );
}
