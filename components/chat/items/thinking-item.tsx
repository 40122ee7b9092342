"use client";
import { Brain } from "lucide-react";
import { memo, useState } from "react";
import { GrowingText } from "@/components/ui/growing-text";
import { useT } from "@/components/ui/language";
import { duration } from "@/lib/format";
import type { ThinkingItem as Item } from "@/lib/trace/transcript-items";
import { spanMs } from "@/lib/trace/transcript-stats";
import { Elapsed } from "../elapsed";
import { LongText } from "../long-text";
import { Fold } from "./row";

/** The model's thinking, folded; plain text, because it is not an answer. */
export const ThinkingItem = memo(function ThinkingItem({ item }: { item: Item }) {
  const t = useT();
  const [choice, setChoice] = useState<boolean | null>(null);
  const open = choice ?? item.streaming;
  const cut = item.stop_reason !== undefined && item.stop_reason !== "completed";
  return (
    <Fold
      icon={
        <Brain
          className={
            item.streaming ? "animate-pulse-soft text-trace-thinking motion-reduce:animate-none" : "text-faint"
          }
          aria-hidden="true"
        />
      }
      title={
        item.streaming ? t("chat.thinking") : t("chat.thought", { time: duration(spanMs(item.started_at, item.at)) })
      }
      aside={item.streaming ? <Elapsed since={item.started_at} /> : cut && t("chat.cut_off")}
      open={open}
      onToggle={setChoice}
    >
      <div className="mb-1 ml-2 max-h-80 overflow-y-auto border-l pl-4 text-sm text-dim">
        <LongText text={item.text} address={item.address} field="thinking">
          {(text) => (
            <p className="max-w-[72ch] whitespace-pre-wrap py-1">
              <GrowingText text={text} />
            </p>
          )}
        </LongText>
      </div>
    </Fold>
  );
});
