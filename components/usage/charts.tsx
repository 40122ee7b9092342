"use client";
import { useMemo, useState } from "react";
import { costWords } from "@/components/cost/cost-words";
import { type T, useT } from "@/components/ui/language";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import type { Figures, UsageView } from "@/lib/api/usage";
import { BUCKETS } from "@/lib/api/usage-values";
import { ChartCard } from "./chart-card";
import { CostLink } from "./cost-link";
import { SPLITS, type Split, splitOf } from "./filters";
import { METRICS, type Metric, shown } from "./metrics";
import { type ChartRow, kindData, REST, type Series, seriesTotals, splitData, splitSeries } from "./series";
import { useOpenable } from "./use-address";

/** Every figure over time, split by model, Agent or person. */
export function Charts({ view }: { view: UsageView }) {
  const t = useT();
  const address = useOpenable();
  // The split of the data that is shown, not the one that was just asked for.
  const split = SPLITS.find((one) => one === view.range.group_by) ?? "model";
  return (
    <section aria-labelledby="usage-charts" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id="usage-charts" className="text-base font-semibold">
          {t("usage.over_time")}
        </h2>
        {address && (
          <div className="ml-auto flex flex-wrap items-center gap-2">
            <Segmented
              label={t("usage.split_by")}
              value={splitOf(address.filters)}
              onChange={(group_by) => address.set({ group_by })}
              options={SPLITS.map((value) => ({ value, label: t(`usage.by_${value}`) }))}
            />
            <Select
              look="chip"
              label={t("usage.bucket")}
              value={address.filters.bucket || "auto"}
              onChange={(bucket) => address.set({ bucket: bucket === "auto" ? "" : bucket })}
              options={["auto", ...BUCKETS].map((value) => ({
                value,
                label:
                  value === "auto"
                    ? t("usage.bucket_auto", { bucket: t(`usage.bucket_${view.range.bucket}`) })
                    : t(`usage.bucket_${BUCKETS.find((one) => one === value) ?? "day"}`),
              }))}
            />
          </div>
        )}
      </div>
      <Grid view={view} split={split} />
    </section>
  );
}

function Grid({ view, split }: { view: UsageView; split: Split }) {
  const t = useT();
  const address = useOpenable();
  const series = useMemo(() => splitSeries(t, view, split), [t, view, split]);
  const figuresOf = useMemo(() => {
    const rows: { key: string; figures: Figures }[] = view.by[split].rows;
    return new Map(rows.map(({ key, figures }) => [key, figures]));
  }, [view, split]);
  const { bucket } = view.range;
  const all = view.totals.range;
  const onOpen = address
    ? (row: ChartRow, one?: Series) =>
        address.open({
          since: row.from,
          until: row.to,
          ...(one && isKey(view, split, one) ? { [split]: one.key } : {}),
        })
    : undefined;
  const card = (metric: Metric, headline: React.ReactNode, look: { className?: string; tall?: boolean } = {}) => {
    const data = splitData(view, series, metric);
    const totals = seriesTotals(data, metric);
    const legend = ({ key }: Series, i: number) => {
      const figures = figuresOf.get(key);
      if (metric.name === "cost" && figures) return costMain(t, figures);
      if (metric.kind === "rate") return figures ? shown(metric, figures) : null;
      const total = totals[i];
      return typeof total === "number" ? metric.format(total) : null;
    };
    return <ChartCard key={metric.name} {...{ metric, data, bucket, headline, legend, onOpen, ...look }} />;
  };
  return (
    <div className="grid gap-3 xl:grid-cols-2">
      {card(METRICS.cost, <CostLink sum={all.cost} notes="line" rows={{}} />, {
        className: "xl:col-span-2",
        tall: true,
      })}
      <TokensCard view={view} split={split} series={series} onOpen={onOpen} />
      {card(METRICS.requests, shown(METRICS.requests, all))}
      {card(METRICS.success, shown(METRICS.success, all))}
      {card(METRICS.cache, shown(METRICS.cache, all))}
      {card(METRICS.time, shown(METRICS.time, all))}
      {card(METRICS.speed, shown(METRICS.speed, all))}
    </div>
  );
}

/** A missing price is said, not shown as 0; a plus where something is missing. */
function costMain(t: T, { cost }: Figures): string {
  const { main, partial } = costWords(t, cost);
  return partial ? `${main}+` : main;
}

/** The last series of a split is no key, and neither is a kind of token. */
function isKey(view: UsageView, split: Split, { key }: Series): boolean {
  return key !== REST && view.by[split].rows.some((row) => row.key === key);
}

interface TokensCardProps {
  view: UsageView;
  split: Split;
  series: readonly Series[];
  onOpen?: (row: ChartRow, series?: Series) => void;
}

/** Tokens by where they came from, or by the split of the page. */
function TokensCard({ view, split, series, onOpen }: TokensCardProps) {
  const t = useT();
  const [by, setBy] = useState<"kind" | "split">("kind");
  const metric = METRICS.tokens;
  const labels = {
    cache_read: t("usage.cache_read"),
    cache_write: t("usage.cache_write"),
    output: t("usage.output"),
  };
  const data = by === "kind" ? kindData(view, labels, metric) : splitData(view, series, metric);
  const totals = seriesTotals(data, metric);
  return (
    <ChartCard
      {...{ metric, data, onOpen }}
      bucket={view.range.bucket}
      headline={shown(metric, view.totals.range)}
      legend={(_, i) => metric.format(totals[i] ?? 0)}
      choice={
        <Segmented
          label={t("usage.split_tokens")}
          value={by}
          onChange={setBy}
          options={[
            { value: "kind", label: t("usage.by_kind") },
            { value: "split", label: t(`usage.by_${split}`) },
          ]}
        />
      }
    />
  );
}
