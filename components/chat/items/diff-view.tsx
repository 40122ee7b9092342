"use client";
import { structuredPatch } from "diff";
import { memo } from "react";
import { cn } from "@/components/ui/cn";
import { useT } from "@/components/ui/language";
import { ScrollPre } from "@/components/ui/scroll-pre";

/** Above this the two texts are shown one after the other. Characters. */
const MAX_CHARS = 60_000;

/** What changes from one text to the other, line by line; signs stand beside the colours. */
export default memo(function DiffView({ before, after }: { before: string; after: string }) {
  const t = useT();
  const lines = before.length + after.length > MAX_CHARS ? plainLines(before, after) : diffLines(before, after);
  return (
    <ScrollPre label={t("chat.diff")} className="max-h-96 px-0">
      {lines.map((line, i) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one diff never move
          key={i}
          className={cn(
            "block whitespace-pre-wrap px-3",
            line.startsWith("+") && "bg-good-soft text-good",
            line.startsWith("-") && "bg-danger-soft text-danger",
            line.startsWith("@@") && "text-faint",
          )}
        >
          {line === "" ? " " : line}
        </span>
      ))}
    </ScrollPre>
  );
});

function diffLines(before: string, after: string): string[] {
  const { hunks } = structuredPatch("a", "b", before, after, "", "", { context: 3 });
  return hunks
    .flatMap((hunk, i) => [...(i === 0 ? [] : ["@@"]), ...hunk.lines])
    .filter((line) => !line.startsWith("\\"));
}

function plainLines(before: string, after: string): string[] {
  return [...before.split("\n").map((line) => `-${line}`), ...after.split("\n").map((line) => `+${line}`)];
}
