"use client";
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "./icon-button";
import { useT } from "./language";

interface CopyButtonProps {
  /** The text, or a function that makes it when it is wanted. */
  text: string | (() => string);
  /** What is copied, such as "Copy code". */
  label?: string;
  className?: string;
}

/** Copies a text and says so in place. */
export function CopyButton({ text, label, className }: CopyButtonProps) {
  const t = useT();
  const [state, setState] = useState<"idle" | "done" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const words = { idle: label ?? t("common.copy"), done: t("common.copied"), failed: t("common.copy_failed") }[state];
  return (
    <>
      <IconButton
        label={words}
        size="sm"
        className={className}
        onClick={async () => setState((await copyText(typeof text === "string" ? text : text())) ? "done" : "failed")}
      >
        {state === "done" ? <Check className="text-good" /> : <Copy />}
      </IconButton>
      <span role="status" className="sr-only">
        {state === "idle" ? "" : words}
      </span>
    </>
  );
}

/** Copies through the clipboard API, or by selection where that is not allowed (plain HTTP on a name). */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    area.style.opacity = "0";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
