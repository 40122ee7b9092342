/**
 * Spans + width -> rectangles. Pure: the same spans, view and width give the same picture. Spans of a lane that overlap
 * are packed into more rows; of those too narrow to be told apart, neighbours of one kind are drawn as one, so that a
 * picture never has more rectangles than it has room for.
 */
import type { Lane, Span, SpanKind, TaskTimeline } from "./timeline";

/** The part of the time that is in sight, in milliseconds. */
export interface View {
  from: number;
  to: number;
}

export interface Rect {
  /** Key of its first span. */
  key: string;
  kind: SpanKind;
  /** Pixels from the left edge, within the width. */
  x: number;
  width: number;
  /** Row in its lane, from 0. */
  row: number;
  /** Positions in `spans`, ascending; more than one: too narrow to be told apart. */
  spans: number[];
}
export interface LaidLane extends Lane {
  /** Rows that the lane needs, in any view. */
  rows: number;
  rects: Rect[];
}
export interface Layout {
  lanes: LaidLane[];
  /** `ms` counts from the beginning of the Task. */
  ticks: { x: number; ms: number }[];
}

/** Narrower ones could not be seen or pointed at. Pixels. */
export const MIN_WIDTH = 3;

/** The rectangles of a Task in this view at this width (pixels). `rows` as packed before; see `packed`. */
export function layOut(timeline: TaskTimeline, view: View, width: number, rows = packed(timeline.spans)): Layout {
  const scale = width / Math.max(1e-9, view.to - view.from);
  const lanes = timeline.lanes.map((lane): LaidLane => ({ ...lane, rows: 1, rects: [] }));
  /** By lane; the last rectangle of each of its rows. */
  const places = new Map(lanes.map((lane): [string, Place] => [lane.id, { lane, last: [] }]));
  let index = -1;
  for (const span of timeline.spans) {
    index++;
    const place = places.get(span.lane);
    if (!place) continue;
    const row = rows[index] ?? 0;
    if (row >= place.lane.rows) place.lane.rows = row + 1;
    if (span.to < view.from || span.from > view.to) continue;
    const left = Math.max(0, (span.from - view.from) * scale);
    const right = Math.min(width, (span.to - view.from) * scale);
    const wide = Math.min(width, Math.max(MIN_WIDTH, right - left));
    const x = Math.min(left, width - wide);
    const before = place.last[row];
    if (before && wide <= MIN_WIDTH && joins(before, span, x)) {
      before.width = Math.max(before.x + before.width, x + wide) - before.x;
      before.spans.push(index);
      continue;
    }
    const rect = { key: span.key, kind: span.kind, x, width: wide, row, spans: [index] };
    place.lane.rects.push(rect);
    place.last[row] = rect;
  }
  return { lanes, ticks: ticksOf(view, timeline.from, scale) };
}

interface Place {
  lane: LaidLane;
  last: Rect[];
}

/** The row of each span in its lane: the first that is free at its start. */
export function packed(spans: readonly Span[]): number[] {
  const ends = new Map<string, number[]>();
  return spans.map((span) => {
    const rows = ends.get(span.lane) ?? [];
    ends.set(span.lane, rows);
    const free = rows.findIndex((end) => end <= span.from);
    const row = free === -1 ? rows.length : free;
    rows[row] = span.to;
    return row;
  });
}

/** Is this one, which is narrow too, of the same kind and closer than could be told apart? */
function joins(before: Rect, span: Span, x: number): boolean {
  const narrow = before.spans.length > 1 || before.width <= MIN_WIDTH;
  return narrow && before.kind === span.kind && x - (before.x + before.width) < 1;
}

const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const MINUTE = 60_000;
const LONG = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1440].map((minutes) => minutes * MINUTE);
const TICK_PIXELS = 90;

/** Round times since the beginning of the Task, about one every 90 pixels. */
function ticksOf(view: View, origin: number, scale: number): { x: number; ms: number }[] {
  const least = TICK_PIXELS / scale;
  const step =
    STEPS.find((ms) => ms >= least) ??
    STEPS.slice(0, 6)
      .map((s) => s * 1000)
      .find((ms) => ms >= least) ??
    LONG.find((ms) => ms >= least) ??
    Math.ceil(least / (1440 * MINUTE)) * 1440 * MINUTE;
  const [from, to] = [view.from - origin, view.to - origin];
  const ticks: { x: number; ms: number }[] = [];
  for (let ms = Math.ceil(from / step) * step; ms <= to && ticks.length < 200; ms += step) {
    ticks.push({ x: (ms - from) * scale, ms });
  }
  return ticks;
}

/** The least time that a view shows. Milliseconds. */
const LEAST = 5;

/** Zooms by `factor` (above 1: closer) around `at`, within `whole`. */
export function zoomed(view: View, whole: View, factor: number, at = (view.from + view.to) / 2): View {
  const all = Math.max(whole.to - whole.from, LEAST);
  const span = Math.min(all, Math.max(LEAST, (view.to - view.from) / factor));
  const share = (at - view.from) / Math.max(1e-9, view.to - view.from);
  return shifted({ from: at - share * span, to: at + (1 - share) * span }, whole, 0);
}

/** Moves the view by `ms`, no further than the edges of `whole`. */
export function shifted(view: View, whole: View, ms: number): View {
  const span = view.to - view.from;
  const from = Math.min(Math.max(view.from + ms, whole.from), Math.max(whole.from, whole.to - span));
  return { from, to: from + span };
}
