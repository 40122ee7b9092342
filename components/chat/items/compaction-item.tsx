"use client";
import { FoldVertical } from "lucide-react";
import { memo, useState } from "react";
import { useT } from "@/components/ui/language";
import { Markdown } from "@/components/ui/markdown";
import { Spinner } from "@/components/ui/spinner";
import { shortCount } from "@/lib/format";
import { extractSummary } from "@/lib/omni/blocks";
import type { CompactionItem as Item } from "@/lib/trace/transcript-items";
import { useConversation } from "../conversation-context";
import { Elapsed } from "../elapsed";
import { LongText } from "../long-text";
import { Fold } from "./row";

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
  const summary = item.summary ?? (typeof item.answer === "string" ? extractSummary(item.answer) : item.answer);
  const title = t(words, { tokens: item.context === undefined ? "–" : shortCount(item.context) });
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
          {item.error && <p className="py-1 text-sm text-danger">{item.error}</p>}
          {summary === "" ? (
            <p className="py-1 text-sm">{t("chat.no_summary")}</p>
          ) : (
            <LongText text={summary} address={item.address} field="text">
              {(text) => (
                <Markdown streaming={running} className="text-sm text-dim">
                  {text}
                </Markdown>
              )}
            </LongText>
          )}
        </div>
      </Fold>
    </div>
  );
});
