"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChartNoAxesColumn, Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { Menu, MenuItem, MenuLabel } from "@/components/ui/menu";
import { PageHeader } from "@/components/ui/navigation";
import { Spinner } from "@/components/ui/spinner";
import { EmptyState, ErrorState } from "@/components/ui/states";
import { Time } from "@/components/ui/time";
import { failureFrom } from "@/lib/api/client";
import { places } from "@/lib/api/places";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import type { UsageView } from "@/lib/api/usage";
import { Breakdown } from "./breakdown";
import { BudgetsCard } from "./budgets-card";
import { CertaintyLegend } from "./certainty-legend";
import { Charts } from "./charts";
import { Errors } from "./errors";
import { FilterBar } from "./filter-bar";
import { isBackwards, isNarrowed, type Split, splitOf, usageQueryOf } from "./filters";
import { RowsPanel } from "./rows-panel";
import { hasRequests } from "./series";
import { RangeFigures, Totals } from "./totals";
import { UsageSkeleton } from "./usage-skeleton";
import { type Address, AddressProvider, useAddress } from "./use-address";

interface UsagePageProps {
  project: string;
  /** Owners set budgets; everybody reads them. */
  canSetBudgets: boolean;
}

/** What the Project's Agents have used: counted from its Traces, open down to each Request. */
export function UsagePage({ project, canSetBudgets }: UsagePageProps) {
  const t = useT();
  const address = useAddress();
  const query = usageQueryOf(address.filters);
  const usage = useQuery({
    ...queries.usage(project, query),
    enabled: address.filters.tz !== "",
    placeholderData: keepPreviousData,
  });
  const view = usage.data;
  const failure = usage.error && !usage.isPlaceholderData ? failureFrom(usage.error) : null;
  return (
    <AddressProvider value={address}>
      <PageHeader
        title={t("usage.title")}
        detail={
          view && (
            <span className="flex items-center gap-2 text-xs text-faint max-sm:hidden">
              {usage.isFetching ? <Spinner className="size-3.5" /> : null}
              {t("usage.counted")} <Time at={view.at} />
            </span>
          )
        }
        actions={
          <>
            <Button asChild size="sm" variant="ghost" className="max-sm:hidden">
              <Link href={places.ownUsage(project)}>{t("usage.own")}</Link>
            </Button>
            {view && hasRequests(view.totals.range) && (
              <CsvMenu project={project} query={query} split={splitOf(address.filters)} />
            )}
          </>
        }
      />
      <div className="relative min-h-0 flex-1 overflow-y-auto" aria-busy={usage.isFetching}>
        <div className="mx-auto flex w-full max-w-6xl flex-col gap-5 px-4 py-5 md:px-6">
          <FilterBar view={view} />
          {failure && (
            <ErrorState title={t("usage.failed")} onRetry={() => void usage.refetch()}>
              {isBackwards(address.filters)
                ? t("usage.range_wrong")
                : failure.code === "network"
                  ? t("network")
                  : failure.message}
            </ErrorState>
          )}
          {!view && !failure && <UsageSkeleton />}
          {view && !failure && (
            <div
              className={cn(
                "flex flex-col gap-5 transition-opacity duration-120",
                usage.isPlaceholderData && "opacity-60",
              )}
            >
              <Body {...{ project, view, address, query, canSetBudgets }} />
            </div>
          )}
        </div>
      </div>
      {view && <RowsPanel project={project} view={view} />}
    </AddressProvider>
  );
}

interface BodyProps extends UsagePageProps {
  view: UsageView;
  address: Address;
  query: string;
}

function Body({ project, view, address, query, canSetBudgets }: BodyProps) {
  const t = useT();
  const budgets = <BudgetsCard project={project} canSet={canSetBudgets} />;
  if (view.first_at === null) {
    return (
      <>
        <EmptyState
          icon={<ChartNoAxesColumn aria-hidden="true" />}
          title={t("usage.empty")}
          action={
            <Button asChild variant="primary">
              <Link href={places.project(project)}>{t("nav.new_conversation")}</Link>
            </Button>
          }
        >
          {t("usage.empty_body")}
        </EmptyState>
        {budgets}
      </>
    );
  }
  return (
    <>
      <Totals view={view} />
      {budgets}
      {hasRequests(view.totals.range) ? (
        <>
          <RangeFigures figures={view.totals.range} />
          <CertaintyLegend sum={view.totals.range.cost} />
          <Charts view={view} />
          <Breakdown view={view} csv={(table) => routes.usageCsv(project, `${query}&table=${table}`)} />
          <Errors view={view} />
        </>
      ) : (
        <EmptyState
          icon={<ChartNoAxesColumn aria-hidden="true" />}
          title={t("usage.none_in_range")}
          action={
            <>
              <Button onClick={() => address.set({ range: "all", from: "", to: "" })}>{t("usage.show_all")}</Button>
              {isNarrowed(address.filters) && <Button onClick={address.clear}>{t("usage.clear_filters")}</Button>}
            </>
          }
        >
          {t(isNarrowed(address.filters) ? "usage.none_filtered" : "usage.none_in_range_body")}
        </EmptyState>
      )}
    </>
  );
}

const TABLES = ["model", "agent", "user", "session", "requests"] as const;

/** Each table of the page as a file, all of its rows. */
function CsvMenu({ project, query, split }: { project: string; query: string; split: Split }) {
  const t = useT();
  const whole = new URLSearchParams(query);
  whole.delete("group_by");
  const files = [
    { name: t("usage.table_series"), href: `${whole}&table=series` },
    {
      name: t("usage.table_split", { split: t(`usage.by_${split}`) }),
      href: `${whole}&table=series&group_by=${split}`,
    },
    ...TABLES.map((table) => ({ name: t(`usage.table_${table}`), href: `${whole}&table=${table}` })),
  ];
  return (
    <Menu
      align="end"
      trigger={
        <Button size="sm">
          <Download aria-hidden="true" />
          {t("usage.csv")}
        </Button>
      }
    >
      <MenuLabel>{t("usage.csv_lead")}</MenuLabel>
      {files.map(({ name, href }) => (
        <MenuItem key={href} asChild>
          <a href={routes.usageCsv(project, href)} download>
            {name}
          </a>
        </MenuItem>
      ))}
    </Menu>
  );
}
