"use client";
import { memo, useState } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { useT } from "@/components/ui/language";
import { Time } from "@/components/ui/time";
import type { PromptItem as Prompt } from "@/lib/trace/transcript-items";
import { AttachedFile } from "../attached-file";
import { useConversation } from "../conversation-context";
import { DataImage } from "../data-image";
import { LongText } from "../long-text";
import { whoId, whoName } from "../who";

/** Longer prompts are folded: the answer is what people come for. Lines of text. */
const FOLD_LINES = 14;

/** What a person said: right-aligned, in a soft bubble, exactly as written. */
export const PromptItem = memo(function PromptItem({ item }: { item: Prompt }) {
  const t = useT();
  const who = useConversation();
  const { author: by, address } = item;
  const author =
    item.sender && item.sender !== "user" ? t("chat.sender", { sender: item.sender }) : whoName(t, by, who, address);
  const other = item.sender !== undefined || (by !== undefined && (by !== who.userId || who.fromFile?.(address)));
  return (
    <article aria-label={t("chat.prompt_by", { name: author })} className="group flex flex-col items-end gap-1 pt-2">
      {other && (
        <span className="pr-1 text-xs text-faint" title={whoId(by, who, address)}>
          {author}
        </span>
      )}
      <div className="flex max-w-[85%] flex-col items-end gap-2 sm:max-w-[75%]">
        {item.images.map((image, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: images of a record never move
          <DataImage key={i} image={image} address={item.address} field="image_url" />
        ))}
        {item.files.map((path) => (
          <AttachedFile key={path} path={path} />
        ))}
        {item.text !== "" && (
          <div className="rounded-2xl rounded-br-md bg-bubble px-3.5 py-2 text-base leading-6">
            <LongText text={item.text} address={item.address} field="text">
              {(text) => <Folded text={text} />}
            </LongText>
          </div>
        )}
      </div>
      <span className="-mb-3 flex h-6 items-center gap-1 text-xs text-faint opacity-0 transition-opacity duration-120 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:mb-0 pointer-coarse:opacity-100">
        <Time at={item.at} />
        {typeof item.text === "string" && item.text !== "" && (
          <CopyButton text={item.text} label={t("chat.copy_prompt")} />
        )}
      </span>
    </article>
  );
});

function Folded({ text }: { text: string }) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const lines = text.split("\n");
  const long = lines.length > FOLD_LINES || text.length > 1_600;
  const shown = !long || open ? text : lines.slice(0, FOLD_LINES).join("\n").slice(0, 1_600);
  return (
    <>
      <p className="whitespace-pre-wrap">{shown}</p>
      {long && (
        <Button variant="link" size="sm" onClick={() => setOpen(!open)}>
          {t(open ? "chat.show_less" : "common.show_more")}
        </Button>
      )}
    </>
  );
}
