"use client";
import { useState } from "react";
import { useT } from "@/components/ui/language";
import { RemoteImage } from "@/components/ui/remote-image";
import type { RecordAddress } from "@/lib/omni/message";
import type { Long } from "@/lib/trace/transcript-items";
import { LongText } from "./long-text";

const SAFE = /^data:image\/(png|jpeg|gif|webp);base64,/;

interface DataImageProps {
  image: Long;
  address?: RecordAddress;
  field: string;
  index?: number;
}

/** A picture of a message. Data URLs of known kinds are shown, web addresses only when a person asks. */
export function DataImage({ image, ...place }: DataImageProps) {
  if (typeof image === "string") return <Shown src={image} />;
  return (
    <LongText text={image} {...place}>
      {(src) =>
        src.endsWith("…") ? <span className="text-xs text-faint">{src.slice(5, 15)}</span> : <Shown src={src} />
      }
    </LongText>
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
