"use client";
import { useT } from "@/components/ui/language";
import { Tooltip } from "@/components/ui/tooltip";
import { percent, shortCount } from "@/lib/format";
import type { TokenCounts } from "@/lib/omni/message";

const R = 15;
const ROUND = 2 * Math.PI * R;

/** The context in use against the window: cache read, not cached, output. The words say the same. */
export function ContextDonut({ context, window }: { context: TokenCounts | null; window: number | undefined }) {
  const t = useT();
  const words = contextWords(t, context, window);
  const used = context?.total ?? 0;
  const whole = Math.max(window ?? used, used, 1);
  const share = window ? used / window : 0;
  const ring = share > 0.95 ? "var(--danger)" : share > 0.8 ? "var(--attention)" : "var(--press)";
  const parts = context
    ? [
        { tokens: context.cache_read, colour: "var(--trace-answer)", opacity: 0.55 },
        { tokens: context.cache_write, colour: "var(--trace-answer)", opacity: 1 },
        { tokens: context.output, colour: "var(--trace-thinking)", opacity: 1 },
      ]
    : [];
  let at = 0;
  return (
    <Tooltip text={words}>
      <button type="button" aria-label={words} className="flex shrink-0 items-center gap-1.5 rounded-full">
        <svg viewBox="0 0 40 40" className="size-9 -rotate-90" aria-hidden="true">
          <circle
            cx="20"
            cy="20"
            r={R}
            fill="none"
            stroke={ring}
            strokeWidth="6"
            strokeDasharray={window ? undefined : "2 2"}
          />
          {parts.map(({ tokens, colour, opacity }, i) => {
            const length = (tokens / whole) * ROUND;
            const from = at;
            at += length;
            return (
              <circle
                // biome-ignore lint/suspicious/noArrayIndexKey: three fixed parts
                key={i}
                {...{ cx: 20, cy: 20, r: R, fill: "none", stroke: colour, strokeWidth: 6, opacity }}
                strokeDasharray={`${length} ${ROUND}`}
                strokeDashoffset={-from}
              />
            );
          })}
        </svg>
        <span className="tabular text-xs text-dim" aria-hidden="true">
          {window && context ? percent(share) : context ? shortCount(used) : "–"}
        </span>
      </button>
    </Tooltip>
  );
}

function contextWords(t: ReturnType<typeof useT>, context: TokenCounts | null, window: number | undefined): string {
  if (!context) return t("timeline.context_none");
  const figures = {
    used: shortCount(context.total),
    read: shortCount(context.cache_read),
    write: shortCount(context.cache_write),
    output: shortCount(context.output),
  };
  if (!window) return t("timeline.context_unknown", figures);
  return t("timeline.context", { ...figures, window: shortCount(window), share: percent(context.total / window) });
}
