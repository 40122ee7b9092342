"use client";
import { CircleSlash } from "lucide-react";
import { memo } from "react";
import { type T, useT } from "@/components/ui/language";
import { Markdown } from "@/components/ui/markdown";
import { readMaxTurns } from "@/lib/omni/marks";
import type { TextItem as Item } from "@/lib/trace/transcript-items";
import { useConversation } from "../conversation-context";
import { LongText } from "../long-text";
import { Notice } from "./row";

const REASONS = ["failed", "timeout", "malformed", "auth"] as const;

/** Why an answer was cut off, in words where there are some. */
function reasonOf(t: T, why: string): string {
  const known = REASONS.find((reason) => reason === why);
  return known ? t(`chat.status_${known}`) : why;
}

/** The Agent's words: plain page text. */
export const TextItem = memo(function TextItem({ item }: { item: Item }) {
  const t = useT();
  const { active } = useConversation();
  const { stop_reason: why } = item;
  const cut = why !== undefined && why !== "completed";
  const turns = why === "failed" && typeof item.text === "string" ? readMaxTurns(item.text) : null;
  if (turns !== null) {
    return <Notice icon={<CircleSlash aria-hidden="true" />}>{t("chat.max_turns", { count: turns })}</Notice>;
  }
  return (
    <div>
      <LongText text={item.text} address={item.address} field="text">
        {(text) => <Markdown streaming={item.streaming && active}>{text}</Markdown>}
      </LongText>
      {cut && why !== "aborted" && (
        <p className="mt-1 text-xs text-faint">{t("chat.answer_cut", { reason: reasonOf(t, why) })}</p>
      )}
    </div>
  );
});
