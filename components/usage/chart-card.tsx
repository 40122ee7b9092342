"use client";
import { ChartColumn, Download, Table2 } from "lucide-react";
import { lazy, type ReactNode, Suspense, useId, useState } from "react";
import { behind } from "@/components/ui/behind";
import { cn } from "@/components/ui/cn";
import { IconButton } from "@/components/ui/icon-button";
import { useLanguage, useT } from "@/components/ui/language";
import { Skeleton } from "@/components/ui/skeleton";
import type { UsageBucket } from "@/lib/api/usage-values";
import { ChartTable } from "./chart-table";
import { csvOf, download } from "./csv";
import { axisLabel, bucketLabel } from "./labels";
import type { Metric } from "./metrics";
import { type ChartData, type ChartRow, isEmpty, type Series } from "./series";
import { Swatch } from "./swatch";

// The charts are a large package: it comes when the first of them is drawn.
const load = behind(() => import("./chart-time").then((module) => module.default));
const TimeChart = lazy(async () => ({ default: await load() }));

interface ChartCardProps {
  metric: Metric;
  data: ChartData;
  bucket: UsageBucket;
  /** The figure of the whole range, told beside the title. */
  headline: ReactNode;
  /** Beside the name of each series; null: nothing. */
  legend: (series: Series, i: number) => string | null;
  /** A choice that belongs to this chart alone. */
  choice?: ReactNode;
  onOpen?: (row: ChartRow, series?: Series) => void;
  className?: string;
  tall?: boolean;
}

/** One figure over time: as a chart, or as a table that says the same. */
export function ChartCard(props: ChartCardProps) {
  const { metric, data, bucket, headline, legend, choice, onOpen, className, tall = false } = props;
  const t = useT();
  const [language] = useLanguage();
  const [table, setTable] = useState(false);
  const heading = useId();
  const name = t(metric.title);
  const axis = (label: string) => axisLabel(label, bucket, language);
  const title = (label: string) => bucketLabel(label, bucket, language);
  const lines = metric.kind === "rate";
  const height = tall ? "h-64" : "h-52";
  const saveCsv = () => {
    const head = [t("usage.from"), ...data.series.map(({ label }) => label), ...(lines ? [] : [t("usage.total")])];
    const rows = data.rows.map(({ label, values, total }) => [label, ...values, ...(lines ? [] : [total])]);
    download(`usage-${metric.name}.csv`, csvOf([head, ...rows]));
  };
  return (
    <section aria-labelledby={heading} className={cn("flex min-w-0 flex-col rounded-lg border bg-surface", className)}>
      <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-3">
        <h3 id={heading} className="text-sm font-medium">
          {name}
        </h3>
        <span className="tabular min-w-0 text-sm text-dim">{headline}</span>
        <div className="ml-auto flex items-center gap-1">
          {choice}
          {table && (
            <IconButton size="sm" label={t("usage.csv_of", { name })} onClick={saveCsv}>
              <Download />
            </IconButton>
          )}
          <IconButton
            size="sm"
            label={t(table ? "usage.as_chart" : "usage.as_table", { name })}
            onClick={() => setTable(!table)}
          >
            {table ? <ChartColumn /> : <Table2 />}
          </IconButton>
        </div>
      </header>
      {table ? (
        <ChartTable label={name} {...{ data, metric, title, onOpen }} className={height} />
      ) : isEmpty(data) ? (
        <p className={cn("flex items-center justify-center text-sm text-dim", height)}>{t("usage.nothing_here")}</p>
      ) : (
        <div className={cn("px-2 pt-2", height)}>
          <Suspense fallback={<Skeleton className="mx-2 h-[calc(100%-1rem)]" />}>
            <TimeChart
              label={t("usage.chart_of", { name })}
              kind={lines ? "lines" : "bars"}
              share={metric.share === true}
              format={metric.format}
              exact={metric.exact}
              {...{ data, axis, title, onOpen }}
            />
          </Suspense>
        </div>
      )}
      <ul className="flex flex-wrap gap-x-4 gap-y-1 px-4 py-3 text-xs text-dim">
        {data.series.map((series, i) => {
          const figure = legend(series, i);
          return (
            <li key={series.key} className="flex min-w-0 items-center gap-1.5">
              <Swatch look={series.look} line={lines} />
              <span className="truncate">{series.label}</span>
              {figure !== null && <span className="tabular text-ink">{figure}</span>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
