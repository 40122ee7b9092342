"use client";
import { useT } from "@/components/ui/language";
import { percent, shortCount } from "@/lib/format";
import type { TokenCounts } from "@/lib/omni/message";

/** The tokens of a Task by where they came from, as a bar and in words. */
export function CacheBar({ tokens }: { tokens: TokenCounts }) {
  const t = useT();
  const { cache_read, cache_write, output } = tokens;
  const all = cache_read + cache_write + output;
  if (all === 0) return null;
  const parts = [
    {
      word: t("timeline.cache_read"),
      count: cache_read,
      style: { background: "color-mix(in oklab, var(--trace-answer) 55%, var(--surface))" },
    },
    { word: t("timeline.cache_write"), count: cache_write, style: { background: "var(--trace-answer)" } },
    {
      word: t("timeline.output"),
      count: output,
      style: {
        background:
          "repeating-linear-gradient(45deg, var(--trace-thinking) 0 2px, color-mix(in oklab, var(--trace-thinking) 50%, var(--surface)) 2px 4px)",
      },
    },
  ];
  const input = cache_read + cache_write;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-dim">
      <span className="flex h-2 w-28 shrink-0 gap-px overflow-hidden rounded-full bg-press" aria-hidden="true">
        {parts.map(({ word, count, style }) =>
          count > 0 ? <span key={word} style={{ ...style, width: `${(count / all) * 100}%` }} /> : null,
        )}
      </span>
      {parts.map(({ word, count, style }) => (
        <span key={word} className="inline-flex items-center gap-1">
          <span className="size-2 rounded-[2px]" style={style} aria-hidden="true" />
          {word} <span className="tabular text-ink">{shortCount(count)}</span>
        </span>
      ))}
      {input > 0 && <span>{t("timeline.cache_hit", { share: percent(cache_read / input) })}</span>}
    </div>
  );
}
