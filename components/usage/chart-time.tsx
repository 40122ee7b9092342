"use client";
import { useId, useRef } from "react";
import {
  Bar,
  BarChart,
  CartesianGrid,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from "recharts";
import { useT } from "@/components/ui/language";
import type { ChartData, ChartRow, Look, Series } from "./series";
import { Swatch } from "./swatch";

export interface TimeChartProps {
  label: string;
  data: ChartData;
  kind: "bars" | "lines";
  format: (value: number) => string;
  exact: (value: number) => string;
  axis: (label: string) => string;
  title: (label: string) => string;
  /** The axis ends at 100 %. */
  share: boolean;
  /** Rows of a bucket, of one series where one was hit. */
  onOpen?: (row: ChartRow, series?: Series) => void;
}

const TICK = { fontSize: 11, fill: "var(--faint)" } as const;
const MARGIN = { top: 8, right: 8, bottom: 0, left: 0 } as const;

/** Values over time. The arrow keys walk along the buckets and Enter opens one; the table beside it says the same. */
export default function TimeChart(props: TimeChartProps) {
  const { label, data, kind, format, axis, share, onOpen } = props;
  const id = useId().replace(/[^a-zA-Z0-9]/g, "");
  const active = useRef<number | null>(null);
  const { series, rows } = data;
  const dense = rows.length > 45;
  const openAt = (index: unknown) => {
    const row = rows[Number(index)];
    if (row && index !== null && index !== undefined) onOpen?.(row);
  };
  const common = {
    data: rows,
    margin: MARGIN,
    title: label,
    onClick: ({ activeTooltipIndex }: { activeTooltipIndex?: unknown }) => openAt(activeTooltipIndex),
  };
  const frame = (
    <>
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        dataKey="label"
        tickFormatter={axis}
        tick={TICK}
        tickLine={false}
        axisLine={{ stroke: "var(--line-strong)" }}
        minTickGap={24}
        tickMargin={6}
        height={26}
      />
      <YAxis
        width={52}
        tick={TICK}
        tickLine={false}
        axisLine={false}
        tickCount={4}
        tickFormatter={(value: number) => (value === 0 ? "0" : format(value))}
        allowDecimals={share || kind === "lines" || format(0.5) !== "1"}
        domain={share ? [0, 1] : [0, "auto"]}
        ticks={share ? [0, 0.25, 0.5, 0.75, 1] : undefined}
      />
      <Tooltip
        isAnimationActive={false}
        cursor={kind === "bars" ? { fill: "var(--hover)", stroke: "none" } : { stroke: "var(--line-strong)" }}
        wrapperStyle={{ zIndex: 10, outline: "none" }}
        content={(tip) => <Tip {...props} tip={tip} onActive={(index) => (active.current = index)} />}
      />
    </>
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the chart inside takes the keys; Enter comes up from it
    <div
      className="size-full [&_.recharts-bar-rectangle]:cursor-pointer [&_.recharts-surface]:rounded-md"
      onKeyDown={(event) => {
        if (event.key === "Enter" && active.current !== null) openAt(active.current);
      }}
    >
      <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 480, height: 200 }}>
        {kind === "bars" ? (
          <BarChart {...common} barCategoryGap={dense ? 1 : "18%"} maxBarSize={36}>
            <defs>
              {series.map(({ key, look }, i) => (
                <Texture key={key} id={`${id}${i}`} look={look} />
              ))}
            </defs>
            {frame}
            {series.map((one, i) => (
              <Bar
                key={one.key}
                name={one.label}
                dataKey={(row: ChartRow) => row.values[i] ?? 0}
                stackId="all"
                fill={`url(#${id}${i})`}
                stroke="var(--surface)"
                strokeWidth={dense ? 0 : 0.75}
                isAnimationActive={false}
                onClick={(_, index, event) => {
                  event.stopPropagation();
                  const row = rows[index];
                  if (row) onOpen?.(row, one);
                }}
              />
            ))}
          </BarChart>
        ) : (
          <LineChart {...common}>
            {frame}
            {series.map((one, i) => (
              <Line
                key={one.key}
                name={one.label}
                dataKey={(row: ChartRow) => row.values[i] ?? null}
                type="linear"
                stroke={one.look.colour}
                strokeWidth={2}
                strokeDasharray={one.look.dash}
                // A bucket between two empty ones would not be seen as a line.
                dot={dense ? false : { r: 2.5, fill: one.look.colour, strokeWidth: 0 }}
                activeDot={{ r: 4, strokeWidth: 0 }}
                connectNulls
                isAnimationActive={false}
              />
            ))}
          </LineChart>
        )}
      </ResponsiveContainer>
    </div>
  );
}

interface TipProps extends TimeChartProps {
  tip: Pick<TooltipContentProps, "active" | "activeIndex">;
  onActive: (index: number | null) => void;
}

/** What stands at the place of the pointer, in words. */
function Tip({ tip, data, exact, title, kind, onActive, onOpen }: TipProps) {
  const t = useT();
  const index =
    tip.active && tip.activeIndex !== undefined && tip.activeIndex !== null ? Number(tip.activeIndex) : null;
  onActive(index);
  const row = index === null ? undefined : data.rows[index];
  if (!row) return null;
  const told = data.series.flatMap((one, i) => {
    const value = row.values[i];
    return value === null || value === undefined || (kind === "bars" && value === 0) ? [] : [{ one, value }];
  });
  return (
    <div className="min-w-40 max-w-72 rounded-md bg-surface px-3 py-2 text-xs shadow-float">
      <p className="mb-1 font-medium text-ink">{title(row.label)}</p>
      {told.length === 0 && <p className="text-dim">{t("usage.nothing_here")}</p>}
      <ul className="flex flex-col gap-0.5">
        {told.map(({ one, value }) => (
          <li key={one.key} className="flex items-center gap-2 text-dim">
            <Swatch look={one.look} line={kind === "lines"} />
            <span className="min-w-0 flex-1 truncate">{one.label}</span>
            <span className="tabular text-ink">{exact(value)}</span>
          </li>
        ))}
      </ul>
      {kind === "bars" && told.length > 1 && row.total !== null && (
        <p className="mt-1 flex justify-between gap-4 border-t pt-1 text-dim">
          {t("usage.total")}
          <span className="tabular font-medium text-ink">{exact(row.total)}</span>
        </p>
      )}
      {onOpen && told.length > 0 && <p className="mt-1 text-faint">{t("usage.click_to_open")}</p>}
    </div>
  );
}

/** Colour under a texture of the surface's own colour: series can be told apart in grey as well. */
function Texture({ id, look }: { id: string; look: Look }) {
  const mark = { stroke: "var(--surface)", strokeWidth: 1.2, opacity: 0.45 } as const;
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse">
      <rect width="6" height="6" style={{ fill: look.colour }} />
      {look.texture === "stripes" && <path d="M-1 1l2-2M0 6l6-6M5 7l2-2" {...mark} />}
      {look.texture === "back" && <path d="M-1 5l2 2M0 0l6 6M5-1l2 2" {...mark} />}
      {look.texture === "rows" && <path d="M0 3h6" {...mark} />}
      {look.texture === "columns" && <path d="M3 0v6" {...mark} />}
      {look.texture === "dots" && <circle cx="3" cy="3" r="1.1" style={{ fill: "var(--surface)" }} opacity={0.6} />}
    </pattern>
  );
}
