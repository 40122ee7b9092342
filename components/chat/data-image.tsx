"use client";
import { ImageIcon } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { RemoteImage } from "@/components/ui/remote-image";
import { byteSize } from "@/lib/format";
import type { Long } from "@/lib/trace/transcript-items";
import { type Place, useWhole } from "./long-text";

const SAFE = /^data:image\/(png|jpeg|gif|webp);base64,/;

interface DataImageProps extends Place {
  image: Long;
  /** What a fetched text lacks to be a data URL. */
  head?: string;
}

/** A picture of a message. Data URLs of known kinds are shown, large ones and web addresses when a person asks. */
export function DataImage({ image, head = "", ...place }: DataImageProps) {
  const t = useT();
  const [whole, setWhole] = useState<string | null>(null);
  const { state, load } = useWhole(place);
  const src = typeof image === "string" ? image : whole;
  if (src !== null) return <Shown src={src} />;
  const show = async () => {
    const text = await load();
    setWhole(text === null ? null : head + text);
  };
  const bytes = typeof image === "string" ? 0 : image.bytes;
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-2 rounded-md border bg-sunken py-1 pr-1 pl-2.5 text-xs text-dim">
      <ImageIcon className="size-4" aria-hidden="true" />
      {t("chat.image")}
      <Button size="sm" variant="ghost" busy={state === "busy"} onClick={show}>
        {/* base64 has four characters for three bytes */}
        {t("chat.show_image", { size: byteSize(Math.round(bytes * 0.75)) })}
      </Button>
      {state === "failed" && <span role="alert">{t("chat.show_all_failed")}</span>}
    </span>
  );
}

function Shown({ src }: { src: string }) {
  const t = useT();
  const [large, setLarge] = useState(false);
  if (!SAFE.test(src))
    return src.startsWith("data:") ? <span>{t("chat.image_blocked")}</span> : <RemoteImage src={src} alt="" />;
  return (
    <button
      type="button"
      aria-pressed={large}
      aria-label={t(large ? "chat.image_smaller" : "chat.image_larger")}
      onClick={() => setLarge(!large)}
    >
      {/* biome-ignore lint/performance/noImgElement: a data URL, nothing to optimise */}
      <img
        src={src}
        alt={t("chat.image")}
        className={large ? "max-w-full rounded-md border" : "max-h-48 max-w-full rounded-md border object-contain"}
      />
    </button>
  );
}
