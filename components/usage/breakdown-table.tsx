"use client";
import { ArrowDown, ArrowUp, ListFilter, MessageSquare } from "lucide-react";
import { useParams } from "next/navigation";
import { useState } from "react";
import { CostFigure } from "@/components/cost/cost-figure";
import { cn } from "@/components/ui/cn";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { Tooltip } from "@/components/ui/tooltip";
import { places } from "@/lib/api/places";
import type { Figures } from "@/lib/api/usage";
import type { UsageGroup } from "@/lib/api/usage-values";
import { percent, shortCount } from "@/lib/format";
import type { WordKey } from "@/lib/i18n/areas";
import { COLUMNS, type Column, type Sorting, sorted, type TableRow } from "./breakdown-rows";
import { CostLink } from "./cost-link";
import { FigureLink } from "./figure-link";
import { METRICS, shown } from "./metrics";
import type { Look } from "./series";
import { Swatch } from "./swatch";
import { useOpenable } from "./use-address";

const HEADS: Record<Column, WordKey> = {
  requests: "usage.requests",
  success: "usage.success",
  tokens_in: "usage.tokens_in",
  tokens_out: "usage.tokens_out",
  cache: "usage.cache_hit",
  time: "usage.time",
  speed: "usage.speed",
  cost: "usage.cost",
};

interface BreakdownTableProps {
  label: string;
  group: UsageGroup;
  rows: TableRow[];
  rest: { count: number; figures: Figures } | null;
  total: Figures;
  looks: Map<string, Look>;
}

/** One table; its rows and the rest add up to the last line. */
export function BreakdownTable({ label, group, rows, rest, total, looks }: BreakdownTableProps) {
  const t = useT();
  const [sorting, setSorting] = useState<Sorting | null>(null);
  if (rows.length === 0) return <p className="py-6 text-center text-sm text-dim">{t("usage.nothing_here")}</p>;
  const sort = (column: Sorting["column"]) =>
    setSorting((now) => ({ column, down: now?.column === column ? !now.down : column !== "name" }));
  const most = Math.max(...rows.map(({ figures }) => figures.tokens.total), 1);
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      className="overflow-x-auto rounded-lg border bg-surface -outline-offset-2"
    >
      <table className="tabular w-full text-sm">
        <caption className="sr-only">{label}</caption>
        <thead className="text-xs text-dim">
          <tr>
            <Head column="name" {...{ sorting, sort }} className="sticky left-0 z-10 bg-surface pl-4 text-left">
              {label}
            </Head>
            {COLUMNS.map((column) => (
              <Head key={column} {...{ column, sorting, sort }} className="text-right last:pr-4">
                {t(HEADS[column])}
              </Head>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted(rows, sorting).map((row) => (
            <tr key={row.key} className="group border-t hover:bg-hover">
              <NameCell {...{ row, group }} look={looks.get(row.key)} share={row.figures.tokens.total / most} />
              <Cells figures={row.figures} rows={{ [group]: row.key }} name={row.name} />
            </tr>
          ))}
          {rest && (
            <tr className="border-t text-dim">
              <th scope="row" className="sticky left-0 bg-surface py-2 pr-3 pl-4 text-left font-normal">
                {t("usage.more_rows", { count: rest.count })}
              </th>
              <Cells figures={rest.figures} rows={null} name="" />
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr className="border-t border-line-strong font-medium">
            <th scope="row" className="sticky left-0 bg-surface py-2 pr-3 pl-4 text-left font-medium">
              {t("usage.total")}
            </th>
            <Cells figures={total} rows={{}} name={t("usage.total")} />
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

interface HeadProps {
  column: Sorting["column"];
  sorting: Sorting | null;
  sort: (column: Sorting["column"]) => void;
  className: string;
  children: string;
}

function Head({ column, sorting, sort, className, children }: HeadProps) {
  const mine = sorting?.column === column ? sorting : null;
  const Arrow = mine?.down ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={mine ? (mine.down ? "descending" : "ascending") : undefined}
      className={cn("px-3 py-1 font-medium whitespace-nowrap", className)}
    >
      <button
        type="button"
        onClick={() => sort(column)}
        className="inline-flex min-h-6 items-center gap-1 hover:text-ink"
      >
        {children}
        <Arrow className={cn("size-3", !mine && "invisible")} aria-hidden="true" />
      </button>
    </th>
  );
}

interface NameCellProps {
  row: TableRow;
  group: UsageGroup;
  look: Look | undefined;
  /** Of the largest row: a bar under the name. */
  share: number;
}

function NameCell({ row, group, look, share }: NameCellProps) {
  const t = useT();
  const address = useOpenable();
  const { project = "" } = useParams<{ project?: string }>();
  const filtered = address?.filters[group] === row.key;
  return (
    <th
      scope="row"
      className="sticky left-0 z-10 min-w-44 max-w-64 bg-surface py-1.5 pr-3 pl-4 text-left font-normal group-hover:bg-hover sm:min-w-60"
    >
      <span className="flex items-center gap-2">
        {look && <Swatch look={look} />}
        <span className="min-w-0 flex-1">
          <FigureLink rows={{ [group]: row.key }} className="block truncate">
            {row.name}
          </FigureLink>
          {row.detail && <span className="block truncate text-xs text-faint">{row.detail}</span>}
          <span aria-hidden="true" className="mt-1 block h-0.5 rounded-full bg-press">
            <span
              className="block h-full rounded-full"
              style={{ width: `${Math.max(1, share * 100)}%`, background: look?.colour ?? "var(--accent)" }}
            />
          </span>
        </span>
        {row.session && (
          <Tooltip text={t("usage.open_conversation")}>
            <Link
              href={places.conversation({ project, agent: row.session.agent, session: row.session.session_id })}
              aria-label={t("usage.open_conversation_of", { name: row.name })}
              className="flex size-7 shrink-0 items-center justify-center rounded-md text-faint hover:bg-press hover:text-ink"
            >
              <MessageSquare className="size-4" aria-hidden="true" />
            </Link>
          </Tooltip>
        )}
        {address && !filtered && (
          <IconButton
            size="sm"
            label={t("usage.filter_by", { name: row.name })}
            onClick={() => address.set({ [group]: row.key })}
            className="text-faint"
          >
            <ListFilter />
          </IconButton>
        )}
      </span>
    </th>
  );
}

interface CellsProps {
  figures: Figures;
  /** What the figures open; null: they stand for rows that have no key together. */
  rows: Record<string, string> | null;
  name: string;
}

function Cells({ figures, rows, name }: CellsProps) {
  const t = useT();
  const { tokens, failed, unknown, estimated, requests } = figures;
  const cell = "px-3 py-1.5 text-right whitespace-nowrap";
  const count = METRICS.requests.exact(requests);
  return (
    <>
      <td className={cn(cell, "max-w-44")} title={METRICS.cost.exact(figures.cost.usd)}>
        {rows ? (
          <CostLink sum={figures.cost} notes="stack" rows={rows} className="items-end justify-end" />
        ) : (
          <CostFigure sum={figures.cost} notes="stack" className="items-end justify-end" />
        )}
      </td>
      <td className={cell}>
        {rows ? (
          <FigureLink rows={rows} label={t("usage.open_rows", { count: requests, name })}>
            {count}
          </FigureLink>
        ) : (
          count
        )}
      </td>
      <td className={cell}>
        {percent(figures.success_rate)}
        {failed > 0 && (
          <span className="block text-xs text-danger">
            {rows ? (
              <FigureLink rows={{ ...rows, errors: "1" }}>{t("usage.failed_of", { count: failed })}</FigureLink>
            ) : (
              t("usage.failed_of", { count: failed })
            )}
          </span>
        )}
      </td>
      <td className={cell} title={METRICS.tokens.exact(tokens.cache_read + tokens.cache_write)}>
        {shortCount(tokens.cache_read + tokens.cache_write)}
        {tokens.cache_read > 0 && (
          <span className="block text-xs text-faint">
            {t("usage.cached_part", { count: shortCount(tokens.cache_read) })}
          </span>
        )}
      </td>
      <td className={cell} title={METRICS.tokens.exact(tokens.output)}>
        {estimated > 0 && "≈ "}
        {shortCount(tokens.output)}
        {unknown > 0 && <span className="block text-xs text-faint">{t("usage.unknown_part", { count: unknown })}</span>}
      </td>
      <td className={cell}>{shown(METRICS.cache, figures)}</td>
      <td className={cell}>{shown(METRICS.time, figures)}</td>
      <td className={cn(cell, "pr-4")}>{shown(METRICS.speed, figures)}</td>
    </>
  );
}
