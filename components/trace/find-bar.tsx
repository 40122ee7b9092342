"use client";
import { ChevronDown, ChevronUp, Search, X } from "lucide-react";
import type { KeyboardEvent } from "react";
import { cn } from "@/components/ui/cn";
import { IconButton } from "@/components/ui/icon-button";
import { fieldStyle } from "@/components/ui/input";
import { useT } from "@/components/ui/language";
import type { Found } from "./use-find";

interface FindBarProps {
  text: string;
  found: Found;
  /** Position of the hit in view, from 0; -1: none. */
  at: number;
  onText: (text: string) => void;
  onStep: (by: 1 | -1) => void;
}

/** Search inside a Trace: Enter goes to the next hit, Shift+Enter back, Escape clears. */
export function FindBar({ text, found, at, onText, onStep }: FindBarProps) {
  const t = useT();
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      onStep(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape" && text !== "") onText("");
  };
  const none = found.hits.length === 0;
  return (
    <search className="flex min-w-0 flex-1 items-center gap-1 sm:max-w-sm">
      <div className="relative min-w-0 flex-1">
        <Search className="pointer-events-none absolute top-2 left-2 size-3.5 text-faint" aria-hidden="true" />
        <input
          type="search"
          aria-label={t("find.label")}
          placeholder={t("find.label")}
          value={text}
          maxLength={200}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={onKeyDown}
          className={cn(fieldStyle, "h-7.5 px-7 text-sm [&::-webkit-search-cancel-button]:hidden")}
        />
        {text !== "" && (
          <button
            type="button"
            aria-label={t("find.clear")}
            onClick={() => onText("")}
            className="absolute top-0.75 right-0.5 flex size-6 items-center justify-center rounded text-faint hover:text-ink"
          >
            <X className="size-3.5" aria-hidden="true" />
          </button>
        )}
      </div>
      <span role="status" className="tabular shrink-0 text-xs whitespace-nowrap text-dim empty:hidden">
        {status(t, text, found, at)}
      </span>
      {text !== "" && (
        <>
          <IconButton size="sm" label={t("find.previous")} disabled={none} onClick={() => onStep(-1)}>
            <ChevronUp />
          </IconButton>
          <IconButton size="sm" label={t("find.next")} disabled={none} onClick={() => onStep(1)}>
            <ChevronDown />
          </IconButton>
        </>
      )}
    </search>
  );
}

function status(t: ReturnType<typeof useT>, text: string, { hits, state, more, message }: Found, at: number): string {
  if (text === "" || state === "idle") return "";
  if (state === "failed") return `${t("find.failed")}: ${message ?? ""}`;
  if (hits.length === 0) return t(state === "searching" ? "find.searching" : "find.none");
  const count = more ? t("find.more", { count: hits.length }) : `${hits.length}${state === "searching" ? "…" : ""}`;
  return t("find.count", { at: at + 1, count });
}
