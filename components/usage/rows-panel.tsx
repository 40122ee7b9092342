"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { CostFigure } from "@/components/cost/cost-figure";
import { Button } from "@/components/ui/button";
import { Sheet } from "@/components/ui/dialog";
import { useLanguage, useT } from "@/components/ui/language";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/states";
import { failureFrom } from "@/lib/api/client";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import type { Figures, UsageView } from "@/lib/api/usage";
import { shortCount } from "@/lib/format";
import { type Filters, type Rows, rowsQueryOf } from "./filters";
import { METRICS, shown } from "./metrics";
import { RequestRow } from "./request-row";
import { rowsTitle } from "./rows-title";
import { tokensText } from "./totals";
import { useOpenable } from "./use-address";

interface RowsPanelProps {
  project: string;
  view: UsageView;
}

/** The Requests that a figure is made of, newest first, with their sum; each leads to its record. */
export function RowsPanel({ project, view }: RowsPanelProps) {
  const t = useT();
  const [language] = useLanguage();
  const address = useOpenable();
  if (!address) return null;
  const { rows, filters, close } = address;
  return (
    <Sheet
      open={rows !== null}
      onOpenChange={(open) => !open && close()}
      title={rows ? rowsTitle(t, language, view, filters, rows) : ""}
      className="w-[min(60rem,calc(100vw-1.5rem))]"
      focusInside={false}
    >
      {rows && <PanelBody {...{ project, filters, rows, view }} />}
    </Sheet>
  );
}

function PanelBody({ project, filters, rows, view }: RowsPanelProps & { filters: Filters; rows: Rows }) {
  const t = useT();
  const query = rowsQueryOf(filters, rows);
  const found = useInfiniteQuery(queries.usageRequests(project, query));
  const first = found.data?.pages[0];
  const requests = found.data?.pages.flatMap((page) => page.requests) ?? [];
  const failure = found.error && !found.data ? failureFrom(found.error) : null;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-4 py-3">
        {first ? <Sum figures={first.figures} /> : !failure && <Skeleton className="h-5 w-64" />}
        <Button asChild size="sm" className="ml-auto">
          <a href={routes.usageCsv(project, `${query}&table=requests`)} download>
            <Download aria-hidden="true" />
            {t("usage.csv")}
          </a>
        </Button>
      </div>
      <div className="relative min-h-0 flex-1 overflow-y-auto">
        {failure && (
          <ErrorState title={t("usage.rows_failed")} onRetry={() => void found.refetch()} className="m-4">
            {failure.code === "network" ? t("network") : failure.message}
          </ErrorState>
        )}
        {found.isPending && (
          <div role="status" aria-label={t("common.loading")}>
            {Array.from({ length: 8 }, (_, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows to come have no identity
              <div key={i} className="border-b px-4 py-2.5">
                <Skeleton className="h-9 w-full" />
              </div>
            ))}
          </div>
        )}
        {first && requests.length === 0 && (
          <p className="px-4 py-10 text-center text-sm text-dim">{t("usage.nothing_here")}</p>
        )}
        <ul aria-label={t("usage.requests")}>
          {requests.map((request) => (
            <RequestRow key={request.key} {...{ project, request, view }} tz={filters.tz} />
          ))}
        </ul>
        {first && requests.length > 0 && (
          <div className="flex flex-wrap items-center gap-3 px-4 py-3 text-xs text-dim">
            <span role="status">{t("usage.shown_of", { shown: requests.length, count: first.total })}</span>
            {found.hasNextPage && (
              <Button size="sm" busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
                {t("common.show_more")}
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  );
}

/** The sum of all rows, also of those that are not loaded. */
function Sum({ figures }: { figures: Figures }) {
  const t = useT();
  const { tokens, requests, failed } = figures;
  return (
    <p className="tabular flex min-w-0 flex-1 basis-72 flex-wrap items-baseline gap-x-4 gap-y-1 text-sm text-dim">
      <span className="font-medium text-ink">{t("usage.requests_of", { count: requests })}</span>
      <CostFigure sum={figures.cost} className="font-medium text-ink" />
      <span title={METRICS.tokens.exact(tokens.total)}>{tokensText(t, figures)}</span>
      {tokens.total > 0 && (
        <span>
          {t("usage.kinds", {
            read: shortCount(tokens.cache_read),
            write: shortCount(tokens.cache_write),
            output: shortCount(tokens.output),
          })}
        </span>
      )}
      {failed > 0 && <span className="text-danger">{t("usage.failed_of", { count: failed })}</span>}
      {figures.timed > 0 && <span>{t("usage.time_each", { time: shown(METRICS.time, figures) })}</span>}
    </p>
  );
}
