"use client";
import { memo } from "react";
import { useT } from "@/components/ui/language";
import { Markdown } from "@/components/ui/markdown";
import type { TextItem as Item } from "@/lib/trace/transcript-items";
import { useConversation } from "../conversation-context";
import { LongText } from "../long-text";

/** The Agent's words: plain page text. */
export const TextItem = memo(function TextItem({ item }: { item: Item }) {
  const t = useT();
  const { active } = useConversation();
  const { stop_reason: why } = item;
  const cut = why !== undefined && why !== "completed";
  return (
    <div>
      <LongText text={item.text} address={item.address} field="text">
        {(text) => <Markdown streaming={item.streaming && active}>{text}</Markdown>}
      </LongText>
      {cut && why !== "aborted" && <p className="mt-1 text-xs text-faint">{t("chat.answer_cut", { reason: why })}</p>}
    </div>
  );
});
