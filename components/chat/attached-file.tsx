"use client";
import { FileText } from "lucide-react";
import { routes } from "@/lib/api/routes";
import { useConversation } from "./conversation-context";

const PICTURE = /\.(png|jpe?g|gif|webp)$/i;
const CHIP =
  "inline-flex h-8 max-w-full items-center gap-2 rounded-md border bg-surface px-2.5 text-xs text-dim hover:text-ink";

/** A file that was attached as a path: pictures are shown, everything else can be saved. */
export function AttachedFile({ path }: { path: string }) {
  const { sessionRef } = useConversation();
  const parts = path.split(/[\\/]/);
  const name = parts.at(-1) ?? path;
  const label = (
    <>
      <FileText className="size-4 shrink-0" aria-hidden="true" />
      <span className="truncate">{name}</span>
    </>
  );
  // Files of another Session are only named.
  if (parts.at(-2) !== sessionRef.session) {
    return (
      <span title={path} className={CHIP}>
        {label}
      </span>
    );
  }
  const href = routes.scratchpadFile(sessionRef, name);
  if (PICTURE.test(name)) {
    return (
      <a href={href} target="_blank" rel="noreferrer" title={path}>
        {/* biome-ignore lint/performance/noImgElement: a private file, nothing to optimise */}
        <img src={href} alt={name} loading="lazy" className="max-h-48 max-w-full rounded-md border object-contain" />
      </a>
    );
  }
  return (
    <a href={href} download={name} title={path} className={CHIP}>
      {label}
    </a>
  );
}
