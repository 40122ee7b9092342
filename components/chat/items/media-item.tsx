"use client";
import { memo } from "react";
import { useT } from "@/components/ui/language";
import type { MediaItem as Item } from "@/lib/trace/transcript-items";
import { DataImage } from "../data-image";

/** Data that the model sent: pictures are shown, everything else is named. */
export const MediaItem = memo(function MediaItem({ item }: { item: Item }) {
  const t = useT();
  if (!item.mime_type.startsWith("image/"))
    return <p className="text-xs text-faint">{t("chat.data", { type: item.mime_type })}</p>;
  const head = `data:${item.mime_type};base64,`;
  const image = typeof item.data === "string" ? head + item.data : item.data;
  return <DataImage image={image} head={head} address={item.address} field="data" />;
});
