"use client";
import { ChevronLeft, ChevronRight, Maximize2, ZoomIn, ZoomOut } from "lucide-react";
import { type KeyboardEvent, useId, useMemo, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import { duration } from "@/lib/format";
import { addressKey, type Span, type SpanKind, type TaskTimeline } from "@/lib/trace/timeline";
import { type LaidLane, layOut, packed } from "@/lib/trace/timeline-layout";
import { ChartBar } from "./chart-bar";
import { useTouched } from "./hot";
import { kindWord, LOOKS, laneWord } from "./span-look";
import { type ChartView, useChartView } from "./use-chart-view";
import { useWidth } from "./use-width";

const ROW = 20;
const STEP = 1.6;

interface TaskChartProps {
  /** As the page counts, from 1. */
  number: number;
  timeline: TaskTimeline;
  onPin: (span: Span) => void;
}

/** The lanes of one Task on one axis. One stop for the Tab key; arrows walk the bars. */
export function TaskChart({ number, timeline, onPin }: TaskChartProps) {
  const t = useT();
  const plot = useRef<HTMLDivElement>(null);
  const width = useWidth(plot, 600);
  const { spans, from, to } = timeline;
  const whole = useMemo(() => ({ from, to: Math.max(to, from + 1) }), [from, to]);
  const chart = useChartView(whole, width);
  const rows = useMemo(() => packed(spans), [spans]);
  const { view } = chart;
  const { lanes, ticks } = useMemo(() => layOut(timeline, view, width, rows), [timeline, view, width, rows]);
  const keys = useMemo(() => new Set(spans.flatMap((span) => span.records.map(addressKey))), [spans]);
  const touched = useTouched(keys);
  const [active, setActive] = useState(0);
  const hint = useId();
  if (spans.length === 0) return <p className="text-xs text-dim">{t("timeline.no_spans")}</p>;

  const focus = (index: number) => {
    setActive(index);
    const span = spans[index];
    if (span && (span.to < chart.view.from || span.from > chart.view.to)) {
      const middle = (chart.view.from + chart.view.to) / 2;
      chart.panBy((span.from - middle) / (chart.view.to - chart.view.from));
    }
    requestAnimationFrame(() => plot.current?.querySelector<HTMLElement>(`[data-spans~="${index}"]`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const span = spans[active];
    const next = keyOf(event.key, { chart, at: span ? (span.from + span.to) / 2 : undefined, shift: event.shiftKey });
    if (next === "done") event.preventDefault();
    const to = next === null ? neighbour(event.key, active, spans, lanes) : null;
    if (to === null) return;
    event.preventDefault();
    focus(to);
  };

  return (
    <section aria-label={t("timeline.chart", { number })} aria-describedby={hint} className="min-w-0">
      <p id={hint} className="sr-only">
        {t("timeline.chart_keys")}
      </p>
      <ChartTools chart={chart} kinds={[...new Set(spans.map(({ kind }) => kind))]} />
      <div className="grid grid-cols-[5.5rem_minmax(0,1fr)] sm:grid-cols-[8rem_minmax(0,1fr)]">
        <div className="border-r pt-5">
          {lanes.map((lane) => (
            <div key={lane.id} style={{ height: lane.rows * ROW + 4 }} className="flex items-start pt-0.5 pr-2">
              <span
                title={laneWord(t, lane)}
                className={cn("truncate text-xs leading-5 text-dim", lane.kind === "tool" && "font-mono")}
              >
                {laneWord(t, lane)}
              </span>
            </div>
          ))}
        </div>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: dragging moves what the buttons and keys move as well */}
        <div
          ref={plot}
          data-chart
          className={cn(
            "relative touch-pan-y select-none overflow-hidden",
            chart.isZoomed && "cursor-grab active:cursor-grabbing",
          )}
          onKeyDown={onKeyDown}
          {...chart.handlers}
        >
          <Axis ticks={ticks} width={width} />
          {lanes.map((lane) => (
            <div key={lane.id} className="relative border-b border-line/60" style={{ height: lane.rows * ROW + 4 }}>
              {lane.rects.map((rect) => (
                <ChartBar
                  key={rect.key}
                  rect={rect}
                  spans={spans}
                  zero={from}
                  rowHeight={ROW}
                  faded={touched}
                  tabbable={rect.spans.includes(active)}
                  onFocus={setActive}
                  onPin={(span) => !chart.dragged() && onPin(span)}
                />
              ))}
            </div>
          ))}
          {chart.selected && (
            <div
              className="pointer-events-none absolute inset-y-0 border-accent border-x bg-accent/15"
              style={{ left: chart.selected.x, width: chart.selected.width }}
            />
          )}
        </div>
      </div>
    </section>
  );
}

/** As exact as the ticks are apart: no two may read the same. */
function tickText(ms: number, step: number): string {
  if (step >= 1000 || ms < 1000) return duration(ms);
  const minutes = Math.floor(ms / 60_000);
  const seconds = ((ms % 60_000) / 1000).toFixed(step >= 100 ? 1 : step >= 10 ? 2 : 3);
  return `${minutes > 0 ? `${minutes} m ` : ""}${seconds} s`;
}

/** Room that the text of a tick takes at most. Pixels. */
const TICK_TEXT = 52;

function Axis({ ticks, width }: { ticks: { x: number; ms: number }[]; width: number }) {
  const step = (ticks[1]?.ms ?? 1000) - (ticks[0]?.ms ?? 0);
  return (
    <div className="pointer-events-none h-5" aria-hidden="true">
      {ticks.map(({ x, ms }) => (
        <span
          key={ms}
          className="tabular absolute inset-y-0 whitespace-nowrap border-line/60 border-l pl-1 text-[0.6875rem] leading-5 text-faint"
          style={{ left: x }}
        >
          {x + TICK_TEXT <= width && tickText(ms, step)}
        </span>
      ))}
    </div>
  );
}

function ChartTools({ chart, kinds }: { chart: ChartView; kinds: SpanKind[] }) {
  const t = useT();
  return (
    <div className="mb-1 flex flex-wrap items-center gap-x-3 gap-y-1">
      <ul
        aria-label={t("timeline.legend")}
        className="flex min-w-0 flex-1 flex-wrap gap-x-3 gap-y-0.5 text-xs text-dim"
      >
        {kinds.map((kind) => (
          <li key={kind} className="flex items-center gap-1.5">
            <span className="h-3 w-5 rounded-[3px]" style={LOOKS[kind]} aria-hidden="true" />
            {kindWord(t, kind)}
          </li>
        ))}
      </ul>
      <div className="flex items-center">
        {chart.isZoomed && (
          <>
            <IconButton size="sm" label={t("timeline.earlier")} onClick={() => chart.panBy(-0.5)}>
              <ChevronLeft />
            </IconButton>
            <IconButton size="sm" label={t("timeline.later")} onClick={() => chart.panBy(0.5)}>
              <ChevronRight />
            </IconButton>
          </>
        )}
        <IconButton
          size="sm"
          label={t("timeline.zoom_out")}
          shortcut="-"
          disabled={!chart.isZoomed}
          onClick={() => chart.zoomBy(1 / STEP)}
        >
          <ZoomOut />
        </IconButton>
        <IconButton size="sm" label={t("timeline.zoom_in")} shortcut="+" onClick={() => chart.zoomBy(STEP)}>
          <ZoomIn />
        </IconButton>
        {chart.isZoomed && (
          <Button size="sm" className="ml-1" onClick={chart.reset}>
            <Maximize2 aria-hidden="true" />
            {t("timeline.zoom_reset")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** "done": the key moved the view; null: it is none of ours. */
function keyOf(key: string, { chart, at, shift }: { chart: ChartView; at?: number; shift: boolean }): "done" | null {
  if (key === "+" || key === "=") chart.zoomBy(STEP, at);
  else if (key === "-") chart.zoomBy(1 / STEP, at);
  else if (key === "0") chart.reset();
  else if (shift && key === "ArrowLeft") chart.panBy(-0.25);
  else if (shift && key === "ArrowRight") chart.panBy(0.25);
  else return null;
  return "done";
}

/** The bar that an arrow key leads to: along the lane, or to the one nearest in time in the next lane. */
function neighbour(key: string, active: number, spans: readonly Span[], lanes: readonly LaidLane[]): number | null {
  const here = spans[active];
  if (!here) return null;
  if (key === "Home") return 0;
  if (key === "End") return spans.length - 1;
  if (key === "ArrowLeft") return found(spans.findLastIndex((span, i) => i < active && span.lane === here.lane));
  if (key === "ArrowRight") return found(spans.findIndex((span, i) => i > active && span.lane === here.lane));
  const lane = lanes.findIndex(({ id }) => id === here.lane);
  const other = lanes[key === "ArrowUp" ? lane - 1 : key === "ArrowDown" ? lane + 1 : -1];
  if (!other) return null;
  let nearest = -1;
  for (const [i, span] of spans.entries()) {
    const best = spans[nearest];
    if (span.lane !== other.id) continue;
    if (!best || Math.abs(span.from - here.from) < Math.abs(best.from - here.from)) nearest = i;
  }
  return found(nearest);
}

const found = (index: number): number | null => (index < 0 ? null : index);
