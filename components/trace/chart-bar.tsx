"use client";
import { memo, useMemo } from "react";
import { cn } from "@/components/ui/cn";
import { useT } from "@/components/ui/language";
import { duration } from "@/lib/format";
import { addressKey, type Span } from "@/lib/trace/timeline";
import type { Rect } from "@/lib/trace/timeline-layout";
import { useHot, useLight } from "./hot";
import { kindWord, LOOKS, spanWords } from "./span-look";

interface ChartBarProps {
  rect: Rect;
  spans: readonly Span[];
  /** Where the Task begins, in milliseconds. */
  zero: number;
  rowHeight: number;
  /** Others are lit: this one steps back unless it is lit as well. */
  faded: boolean;
  tabbable: boolean;
  onFocus: (span: number) => void;
  onPin: (span: Span) => void;
}

/** A stretch of time as a button: says what it is, lights up with its records, leads to them. */
export const ChartBar = memo(function ChartBar(props: ChartBarProps) {
  const { rect, spans, zero, rowHeight, faded, tabbable, onFocus, onPin } = props;
  const t = useT();
  const hot = useHot();
  const held = useMemo(() => rect.spans.flatMap((i) => spans[i] ?? []), [rect, spans]);
  const keys = useMemo(() => held.flatMap((span) => span.records.map(addressKey)), [held]);
  const light = useLight(keys);
  const [first] = held;
  const last = held.at(-1);
  if (!first || !last) return null;
  const words =
    held.length === 1
      ? spanWords(t, first, zero)
      : t("timeline.bar_more", {
          what: kindWord(t, first.kind),
          count: held.length,
          start: duration(first.from - zero),
          length: duration(last.to - first.from),
        });
  return (
    <button
      type="button"
      data-kind={rect.kind}
      data-spans={rect.spans.length > 20 ? `${rect.spans[0]}` : rect.spans.join(" ")}
      data-lit={light ?? undefined}
      tabIndex={tabbable ? 0 : -1}
      aria-label={words}
      title={words}
      className={cn(
        "absolute rounded-[3px] outline-offset-1 transition-opacity duration-120",
        faded && !light && "opacity-25",
        light && "z-10 ring-2 ring-ink",
      )}
      style={{
        ...LOOKS[rect.kind],
        left: rect.x,
        width: rect.width,
        top: rect.row * rowHeight + 4,
        height: rowHeight - 4,
        ...(first.open && held.length === 1
          ? { maskImage: "linear-gradient(to right, black calc(100% - 10px), transparent)" }
          : {}),
      }}
      onPointerEnter={() => hot.hover(keys)}
      onPointerLeave={() => hot.hover([])}
      onFocus={() => {
        onFocus(rect.spans[0] ?? 0);
        hot.hover(keys);
      }}
      onBlur={() => hot.hover([])}
      onClick={() => onPin(first)}
    />
  );
});
