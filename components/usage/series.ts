/** From the answer of the server to what a chart draws: series with their looks, and a row of values per bucket. Pure. */
import type { T } from "@/components/ui/language";
import type { Figures, UsagePoint, UsageView } from "@/lib/api/usage";
import { rowsOf } from "./breakdown-rows";
import type { Split } from "./filters";
import type { Lack, Metric } from "./metrics";

/** So many get a look of their own; what is left is one series. */
export const MOST = 6;
export const REST = "\u0000rest";

export interface Look {
  colour: string;
  /** Lines differ by more than their colour. */
  dash: string | undefined;
  /** Bars too: drawn over the colour. */
  texture: "plain" | "stripes" | "dots" | "back" | "rows" | "columns";
}
const LOOKS: readonly Look[] = [
  { colour: "var(--chart-a)", dash: undefined, texture: "plain" },
  { colour: "var(--chart-b)", dash: "6 3", texture: "stripes" },
  { colour: "var(--chart-c)", dash: "2 3", texture: "plain" },
  { colour: "var(--chart-d)", dash: "8 3 2 3", texture: "dots" },
  { colour: "var(--chart-e)", dash: "12 4", texture: "plain" },
  { colour: "var(--chart-f)", dash: "4 2 1 2 1 2", texture: "back" },
];
const REST_LOOK: Look = { colour: "var(--faint)", dash: "1 3", texture: "rows" };
/** The same as in the Trace view. */
export const KIND_LOOKS = {
  cache_read: {
    colour: "color-mix(in oklab, var(--trace-answer) 55%, var(--surface))",
    dash: undefined,
    texture: "plain",
  },
  cache_write: { colour: "var(--trace-answer)", dash: "6 3", texture: "plain" },
  output: { colour: "var(--trace-thinking)", dash: "2 3", texture: "stripes" },
} as const satisfies Record<string, Look>;

export interface Series {
  key: string;
  label: string;
  look: Look;
}
/** Values by the place of their series; null: nothing to measure. */
export interface ChartRow {
  label: string;
  from: string;
  to: string;
  values: (number | null)[];
  /** What each value lacks. */
  lacks: (Lack | null)[];
  total: number | null;
  total_lacks: Lack | null;
}
export interface ChartData {
  series: Series[];
  rows: ChartRow[];
}

/**
 * A look for each key. It belongs to the key, not to its rank: the place among all keys of the Project decides, so a
 * filter changes no colour; when two would share one, the later takes the next that is free.
 */
export function looksOf(all: readonly string[], shown: readonly string[]): Map<string, Look> {
  const taken = new Set<number>();
  const looks = new Map<string, Look>();
  const order = shown.map((key) => ({ key, place: all.indexOf(key) })).sort((a, b) => a.place - b.place);
  for (const { key, place } of order) {
    let slot = (place < 0 ? looks.size : place) % LOOKS.length;
    while (taken.has(slot) && taken.size < LOOKS.length) slot = (slot + 1) % LOOKS.length;
    taken.add(slot);
    looks.set(key, LOOKS[slot] ?? REST_LOOK);
  }
  return looks;
}

/** The groups of a split, largest first, at most `MOST`; the names come from the breakdown. */
export function splitSeries(t: T, view: UsageView, split: Split): Series[] {
  const named = new Map(rowsOf(t, view, split).map(({ key, name }) => [key, name]));
  const all = optionsOf(view, split);
  const keys = [...named.keys()];
  const shownKeys = keys.length > MOST ? keys.slice(0, MOST - 1) : keys;
  const looks = looksOf(all, shownKeys);
  const series = shownKeys.map((key) => ({ key, label: named.get(key) ?? key, look: looks.get(key) ?? REST_LOOK }));
  const more = keys.length > MOST || view.by[split].rest !== null;
  return more ? [...series, { key: REST, label: t("usage.others"), look: REST_LOOK }] : series;
}

function optionsOf({ options }: UsageView, split: Split): string[] {
  const list = { model: options.models, agent: options.agents, user: options.users }[split];
  return list.map(({ key }) => key);
}

/** One row per bucket. What belongs to no shown group is in the last series, so that stacks reach the total. */
export function splitData(view: UsageView, series: readonly Series[], metric: Metric): ChartData {
  const place = new Map(series.map(({ key }, i) => [key, i]));
  const rest = place.get(REST);
  const rows = view.series.map((point) => {
    const values: (number | null)[] = series.map(() => (metric.kind === "amount" ? 0 : null));
    const lacks: (Lack | null)[] = series.map(() => null);
    for (const { key, figures } of point.groups) {
      const at = place.get(key) ?? rest;
      const value = metric.value(figures);
      if (at === undefined) continue;
      const lack = metric.lack?.(figures) ?? null;
      // Several groups in one place: what one of them lacks, some of it lacks.
      if (lack) lacks[at] = at === rest ? "some" : lack;
      if (value === null) continue;
      // Rates of several groups have no sum: the last series stays out of such a chart.
      if (at === rest && metric.kind === "rate") continue;
      values[at] = (values[at] ?? 0) + value;
    }
    return rowOf(point, values, metric, lacks);
  });
  if (metric.kind === "amount" || rest === undefined) return { series: [...series], rows };
  return {
    series: series.filter(({ key }) => key !== REST),
    rows: rows.map((row) => ({ ...row, values: row.values.filter((_, i) => i !== rest) })),
  };
}

type Point = Omit<UsagePoint, "groups">;
interface Pointed {
  series: readonly Point[];
}
export type TokenKind = keyof typeof KIND_LOOKS;
/** Tokens by where they came from. */
export function kindData(view: Pointed, labels: Record<TokenKind, string>, metric: Metric): ChartData {
  const kinds: TokenKind[] = ["cache_read", "cache_write", "output"];
  return {
    series: kinds.map((key) => ({ key, label: labels[key], look: KIND_LOOKS[key] })),
    rows: view.series.map((point) =>
      rowOf(
        point,
        kinds.map((kind) => point.figures.tokens[kind]),
        metric,
      ),
    ),
  };
}

/** One line over all Requests. */
export function totalData(view: Pointed, label: string, metric: Metric): ChartData {
  const look = LOOKS[0] ?? REST_LOOK;
  return {
    series: [{ key: "total", label, look }],
    rows: view.series.map((point) => rowOf(point, [metric.value(point.figures)], metric)),
  };
}

function rowOf(point: Point, values: (number | null)[], metric: Metric, lacks?: (Lack | null)[]): ChartRow {
  const { label, from, to, figures } = point;
  const total_lacks = metric.lack?.(figures) ?? null;
  const own = lacks ?? values.map(() => total_lacks);
  return { label, from, to, values, lacks: own, total: metric.value(figures), total_lacks };
}

/** Sums over the range, by series: for the legend. null: a rate, or nothing to measure. */
export function seriesTotals({ series, rows }: ChartData, metric: Metric): (number | null)[] {
  return series.map((_, i) =>
    metric.kind === "rate" ? null : rows.reduce((sum, { values }) => sum + (values[i] ?? 0), 0),
  );
}

export const isEmpty = ({ rows }: ChartData): boolean => rows.every(({ values }) => values.every((value) => !value));

/** Every sum of the page stands on Requests: without any there is nothing to draw. */
export const hasRequests = ({ requests }: Figures): boolean => requests > 0;
