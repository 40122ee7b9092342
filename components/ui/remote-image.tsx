"use client";
import { ImageIcon, ImageOff } from "lucide-react";
import { useState } from "react";
import { Button } from "./button";
import { useT } from "./language";

/**
 * A picture that an answer points to. Loading it would tell its host who reads what, and when: a person decides.
 */
export function RemoteImage({ src, alt }: { src: string; alt: string }) {
  const t = useT();
  const [state, setState] = useState<"asked" | "shown" | "failed">("asked");
  const host = hostOf(src);
  if (!host) return <span className="text-faint">{alt || t("chat.image_blocked")}</span>;
  if (state === "shown") {
    return (
      // biome-ignore lint/performance/noImgElement: an address of another host, loaded as it is
      <img
        src={src}
        alt={alt}
        referrerPolicy="no-referrer"
        className="max-h-96 max-w-full rounded-md border"
        onError={() => setState("failed")}
      />
    );
  }
  return (
    <span className="my-1 inline-flex max-w-full flex-wrap items-center gap-2 rounded-md border bg-sunken py-1 pr-1 pl-2.5 text-xs text-dim">
      {state === "failed" ? (
        <ImageOff className="size-4" aria-hidden="true" />
      ) : (
        <ImageIcon className="size-4" aria-hidden="true" />
      )}
      <span className="min-w-0 truncate">{alt || t("chat.image")}</span>
      {state === "failed" ? (
        <a href={src} target="_blank" rel="noopener noreferrer nofollow">
          {t("chat.image_failed", { host })}
        </a>
      ) : (
        <Button size="sm" variant="ghost" onClick={() => setState("shown")}>
          {t("chat.load_image", { host })}
        </Button>
      )}
    </span>
  );
}

function hostOf(src: string): string | null {
  try {
    const url = new URL(src);
    return /^https?:$/.test(url.protocol) ? url.host : null;
  } catch {
    return null;
  }
}
