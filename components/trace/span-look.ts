/** How each kind of span looks: by colour and by pattern, so that it can be told without colours. And what it is called. */
import type { CSSProperties } from "react";
import type { T } from "@/components/ui/language";
import { duration } from "@/lib/format";
import type { WordKey } from "@/lib/i18n/areas";
import type { Lane, Span, SpanKind } from "@/lib/trace/timeline";

const stripes = (angle: number, colour: string, thick = 2, gap = 3) =>
  `repeating-linear-gradient(${angle}deg, ${colour} 0 ${thick}px, color-mix(in oklab, ${colour} 45%, var(--surface)) ${thick}px ${thick + gap}px)`;
const solid = (colour: string): CSSProperties => ({ background: colour });
const hollow = (colour: string, style: "dashed" | "dotted"): CSSProperties => ({
  background: `color-mix(in oklab, ${colour} 14%, var(--surface))`,
  border: `2px ${style} ${colour}`,
});

export const LOOKS: Record<SpanKind, CSSProperties> = {
  thinking: {
    background: `radial-gradient(circle at 3px 3px, var(--surface) 1.2px, transparent 1.6px) 0 0 / 6px 6px, var(--trace-thinking)`,
  },
  answer: solid("var(--trace-answer)"),
  arguments: { background: stripes(45, "var(--trace-args)") },
  failed: {
    background: `${stripes(45, "var(--danger)", 1, 4)}, var(--danger)`,
    outline: "1.5px solid var(--danger)",
    outlineOffset: "-1.5px",
  },
  waiting: hollow("var(--trace-waiting)", "dashed"),
  running: { background: stripes(90, "var(--trace-running)", 4, 2) },
  retry: hollow("var(--attention)", "dotted"),
  subagent: { background: stripes(0, "var(--info)", 3, 2) },
  compaction: { background: stripes(-45, "var(--attention)", 3, 3) },
};

const KIND_WORDS: Record<SpanKind, WordKey> = {
  thinking: "timeline.kind_thinking",
  answer: "timeline.kind_answer",
  arguments: "timeline.kind_arguments",
  failed: "timeline.kind_failed",
  waiting: "timeline.kind_waiting",
  running: "timeline.kind_running",
  retry: "timeline.kind_retry",
  subagent: "timeline.kind_subagent",
  compaction: "timeline.kind_compaction",
};
export const kindWord = (t: T, kind: SpanKind): string => t(KIND_WORDS[kind]);

export function laneWord(t: T, { kind, name }: Pick<Lane, "kind" | "name">): string {
  switch (kind) {
    case "tool":
      return name;
    case "model":
      return t("timeline.lane_model");
    case "subagents":
      return t("timeline.lane_subagents");
    case "retries":
      return t("timeline.lane_retries");
    case "compaction":
      return t("timeline.lane_compaction");
  }
}

/** How a span ended, by whom, and why. */
export function howWords(t: T, span: Span): string {
  const { ended, by, attempt, reason, open } = span;
  return [
    by && ended ? t("timeline.bar_by", { decision: ended, by }) : (ended ?? ""),
    attempt === undefined ? "" : t("timeline.bar_attempt", { attempt }),
    reason ?? "",
    open ? t("timeline.bar_open") : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** The text that stands for a bar: "exec_command, running, starts 2.1 s, 340 ms, allow by ana". */
export function spanWords(t: T, span: Span, zero: number): string {
  const what = [span.name, kindWord(t, span.kind)].filter(Boolean).join(", ");
  const length = duration(span.to - span.from);
  const bar = t("timeline.bar", { what, start: duration(span.from - zero), length });
  const how = howWords(t, span);
  return how === "" ? bar : `${bar}, ${how}`;
}
