"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChartNoAxesColumn } from "lucide-react";
import { CostFigure } from "@/components/cost/cost-figure";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { PageHeader } from "@/components/ui/navigation";
import { EmptyState, ErrorState } from "@/components/ui/states";
import { failureFrom } from "@/lib/api/client";
import { places } from "@/lib/api/places";
import { queries } from "@/lib/api/queries";
import type { OwnUsage } from "@/lib/api/usage";
import { shortCount } from "@/lib/format";
import { CertaintyLegend } from "./certainty-legend";
import { ChartCard } from "./chart-card";
import { type Filters, usageQueryOf } from "./filters";
import { METRICS, type Metric, shown } from "./metrics";
import { RangePicker } from "./range-picker";
import { kindData, seriesTotals, totalData } from "./series";
import { RangeFigures, Totals } from "./totals";
import { UsageSkeleton } from "./usage-skeleton";
import { AddressProvider, useAddress } from "./use-address";
import { ZonePicker } from "./zone-picker";

/** What one person has used, in all of their Projects. */
export function OwnUsagePage({ project, userId }: { project: string; userId: string }) {
  const t = useT();
  const address = useAddress();
  const { range, from, to, tz } = address.filters;
  const query = usageQueryOf({ range, from, to, tz });
  const usage = useQuery({ ...queries.ownUsage(query), enabled: tz !== "", placeholderData: keepPreviousData });
  const view = usage.data;
  const failure = usage.error && !usage.isPlaceholderData ? failureFrom(usage.error) : null;
  return (
    <>
      <PageHeader
        title={t("usage.own")}
        actions={
          <Button asChild size="sm" variant="ghost">
            <Link href={places.usage(project)}>{t("usage.of_project")}</Link>
          </Button>
        }
      />
      <div className="relative min-h-0 flex-1 overflow-y-auto" aria-busy={usage.isFetching}>
        <div className="mx-auto flex w-full max-w-6xl flex-col gap-5 px-4 py-5 md:px-6">
          <p className="text-dim">{t("usage.own_lead")}</p>
          <AddressProvider value={address}>
            <search aria-label={t("usage.filters")} className="flex flex-wrap items-center gap-2">
              <RangePicker view={view} />
              <ZonePicker />
            </search>
          </AddressProvider>
          {failure && (
            <ErrorState title={t("usage.failed")} onRetry={() => void usage.refetch()}>
              {failure.code === "network" ? t("network") : failure.message}
            </ErrorState>
          )}
          {!view && !failure && <UsageSkeleton />}
          {view && !failure && <Figures {...{ view, userId }} filters={{ range, from, to, tz }} />}
        </div>
      </div>
    </>
  );
}

interface FiguresProps {
  view: OwnUsage;
  userId: string;
  filters: Pick<Filters, "range" | "from" | "to" | "tz">;
}

function Figures({ view, userId, filters }: FiguresProps) {
  const t = useT();
  const all = view.totals.range;
  const { bucket } = view.range;
  const card = (metric: Metric) => {
    const data = totalData(view, t(metric.title), metric);
    const totals = seriesTotals(data, metric);
    return (
      <ChartCard
        key={metric.name}
        {...{ metric, data, bucket }}
        headline={metric.name === "cost" ? <CostFigure sum={all.cost} /> : shown(metric, all)}
        legend={(_, i) => (metric.kind === "amount" ? metric.format(totals[i] ?? 0) : null)}
      />
    );
  };
  const kinds = {
    cache_read: t("usage.cache_read"),
    cache_write: t("usage.cache_write"),
    output: t("usage.output"),
  };
  const tokens = kindData(view, kinds, METRICS.tokens);
  const sums = seriesTotals(tokens, METRICS.tokens);
  return (
    <>
      <Totals view={view} />
      {all.requests === 0 ? (
        <EmptyState icon={<ChartNoAxesColumn aria-hidden="true" />} title={t("usage.none_in_range")}>
          {t("usage.own_empty")}
        </EmptyState>
      ) : (
        <>
          <RangeFigures figures={all} />
          <CertaintyLegend sum={all.cost} />
          <Projects {...{ view, userId, filters }} />
          <div className="grid gap-3 xl:grid-cols-2">
            {card(METRICS.cost)}
            <ChartCard
              metric={METRICS.tokens}
              data={tokens}
              bucket={bucket}
              headline={shown(METRICS.tokens, all)}
              legend={(_, i) => METRICS.tokens.format(sums[i] ?? 0)}
            />
            {card(METRICS.requests)}
            {card(METRICS.success)}
          </div>
        </>
      )}
    </>
  );
}

/** Each Project's part; its name leads to that Project's page, with this person as the filter. */
function Projects({ view, userId, filters }: FiguresProps) {
  const t = useT();
  const query = new URLSearchParams(usageQueryOf({ ...filters, user: userId }));
  const cell = "px-3 py-2 text-right whitespace-nowrap last:pr-4";
  return (
    <section
      aria-label={t("usage.by_project")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      className="overflow-x-auto rounded-lg border bg-surface -outline-offset-2"
    >
      <table className="tabular w-full text-sm">
        <caption className="sr-only">{t("usage.by_project")}</caption>
        <thead className="text-xs text-dim">
          <tr>
            <th scope="col" className="px-3 py-2 pl-4 text-left font-medium">
              {t("usage.by_project")}
            </th>
            {(["usage.requests", "usage.success_rate", "usage.tokens", "usage.cost"] as const).map((key) => (
              <th key={key} scope="col" className="px-3 py-2 text-right font-medium last:pr-4">
                {t(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {view.projects.map(({ project, name, figures }) => (
            <tr key={project} className="border-t hover:bg-hover">
              <th scope="row" className="px-3 py-2 pl-4 text-left font-normal">
                <Link
                  href={places.usage(project, query.toString())}
                  className="text-accent-ink underline-offset-4 hover:underline"
                >
                  {name ?? project}
                </Link>
              </th>
              <Row figures={figures} cell={cell} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t border-line-strong font-medium">
            <th scope="row" className="px-3 py-2 pl-4 text-left font-medium">
              {t("usage.total")}
            </th>
            <Row figures={view.totals.range} cell={cell} />
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function Row({ figures, cell }: { figures: OwnUsage["totals"]["range"]; cell: string }) {
  return (
    <>
      <td className={cell}>{METRICS.requests.exact(figures.requests)}</td>
      <td className={cell}>{shown(METRICS.success, figures)}</td>
      <td className={cell}>{shortCount(figures.tokens.total)}</td>
      <td className={cell}>
        <CostFigure sum={figures.cost} notes="stack" className="items-end" />
      </td>
    </>
  );
}
