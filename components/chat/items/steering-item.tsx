"use client";
import { CornerDownRight } from "lucide-react";
import { memo } from "react";
import { useT } from "@/components/ui/language";
import type { SteeringItem as Item } from "@/lib/trace/transcript-items";
import { AttachedFile } from "../attached-file";
import { useConversation } from "../conversation-context";
import { DataImage } from "../data-image";
import { LongText } from "../long-text";
import { whoId, whoName } from "../who";

/** What a person said while the Task ran. */
export const SteeringItem = memo(function SteeringItem({ item }: { item: Item }) {
  const t = useT();
  const who = useConversation();
  const words = t("chat.steered_by", { name: whoName(t, item.author, who, item.address) });
  return (
    <article aria-label={words} className="flex flex-col items-end gap-1">
      <span className="flex items-center gap-1 pr-1 text-xs text-faint" title={whoId(item.author, who, item.address)}>
        <CornerDownRight className="size-3.5" aria-hidden="true" />
        {words}
      </span>
      {item.text !== "" && (
        <div className="max-w-[85%] rounded-2xl rounded-br-md border border-line bg-page px-3.5 py-2 text-base sm:max-w-[75%]">
          <LongText text={item.text} address={item.address} field="text">
            {(text) => <p className="whitespace-pre-wrap">{text}</p>}
          </LongText>
        </div>
      )}
      {item.files?.map((path) => (
        <AttachedFile key={path} path={path} />
      ))}
      {item.images.map((image, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: images of a record never move
        <DataImage key={i} image={image} field="image_url" />
      ))}
    </article>
  );
});
