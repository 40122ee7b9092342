"use client";
import { ImageOff } from "lucide-react";
import { useState } from "react";
import { useT } from "@/components/ui/language";
import { byteSize } from "@/lib/format";
import type { Text } from "@/lib/trace/fields";

/** Bitmaps only: an SVG could carry more than a picture. */
const BITMAP = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=\s]*$/;

/** A picture that is stored in the Trace itself. An address of another host is shown as text and never loaded. */
export function SafeImage({ src, line }: { src: Text | null; line: number }) {
  const t = useT();
  const [large, setLarge] = useState(false);
  if (!src) return null;
  if (src.bytes !== undefined) return <p className="text-sm text-dim">{byteSize(src.bytes)}</p>;
  if (!BITMAP.test(src.text)) {
    return (
      <p className="flex items-start gap-2 text-sm text-dim">
        <ImageOff className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
        <span className="min-w-0">
          {t("trace.image_blocked")} <code className="font-mono text-xs">{src.text.slice(0, 200)}</code>
        </span>
      </p>
    );
  }
  return (
    <button type="button" aria-expanded={large} onClick={() => setLarge(!large)} className="self-start">
      {/* biome-ignore lint/performance/noImgElement: a data address, nothing to optimise */}
      <img
        src={src.text}
        alt={t("trace.image_alt", { line })}
        className={large ? "max-w-full rounded-md border" : "max-h-56 max-w-full rounded-md border"}
      />
    </button>
  );
}
