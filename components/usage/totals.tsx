"use client";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { type T, useLanguage, useT } from "@/components/ui/language";
import type { Figures, UsageView } from "@/lib/api/usage";
import { percent, shortCount } from "@/lib/format";
import { CostLink } from "./cost-link";
import { FigureLink } from "./figure-link";
import type { Rows } from "./filters";
import { dayLabel } from "./labels";
import { METRICS, shown } from "./metrics";

type UsageTotals = Pick<UsageView, "totals"> & { range: Pick<UsageView["range"], "preset" | "from_day" | "to_day"> };

/** Today, the last seven days, and the range that is shown. */
export function Totals({ view }: { view: UsageTotals }) {
  const t = useT();
  const [language] = useLanguage();
  const { today, last_7_days, range } = view.totals;
  const { preset, from_day, to_day } = view.range;
  const days =
    from_day === to_day
      ? dayLabel(from_day, language)
      : `${dayLabel(from_day, language)} – ${dayLabel(to_day, language)}`;
  return (
    <div className="grid gap-3 md:grid-cols-3">
      <TotalCard name={t("usage.today")} figures={today} rows={{ range: "today" }} />
      <TotalCard name={t("usage.last_7")} figures={last_7_days} rows={{ range: "7d" }} />
      <TotalCard name={t(`usage.range_${preset}`)} detail={days} figures={range} rows={{}} main />
    </div>
  );
}

/** Tokens of a sum; a plus where some are not known. */
export function tokensText(t: T, { tokens, unknown, requests }: Figures): string {
  if (requests > 0 && unknown === requests) return t("usage.tokens_unknown");
  return `${t("usage.tokens_of", { count: shortCount(tokens.total) })}${unknown > 0 ? "+" : ""}`;
}

interface TotalCardProps {
  name: string;
  detail?: string;
  figures: Figures;
  rows: Rows;
  /** The range that everything below is about. */
  main?: boolean;
}

function TotalCard({ name, detail, figures, rows, main }: TotalCardProps) {
  const t = useT();
  const { requests } = figures;
  return (
    <section
      aria-label={name}
      className={cn("flex min-w-0 flex-col rounded-lg border bg-surface px-4 py-3", main && "border-accent-line")}
    >
      <h2 className="flex flex-wrap items-baseline gap-x-2 text-sm text-dim">
        {name}
        {detail && <span className="text-xs text-faint">{detail}</span>}
      </h2>
      <CostLink sum={figures.cost} notes="stack" rows={rows} className="mt-1 text-2xl font-medium tracking-tight" />
      <p className="tabular mt-auto flex flex-wrap gap-x-4 pt-2 text-sm text-dim">
        {requests === 0 ? (
          <span>{t("usage.no_requests")}</span>
        ) : (
          <FigureLink
            rows={rows}
            label={t("usage.open_rows", { count: requests, name })}
            className="text-accent-ink underline decoration-accent-line"
          >
            {t("usage.requests_of", { count: requests })}
          </FigureLink>
        )}
        {requests > 0 && <span>{tokensText(t, figures)}</span>}
      </p>
    </section>
  );
}

/** The other figures of the range. */
export function RangeFigures({ figures }: { figures: Figures }) {
  const t = useT();
  const { tokens, failed, aborted, open, aux, completed } = figures;
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-line sm:grid-cols-3 xl:grid-cols-6">
      <Tile name={t("usage.tokens_in")} value={shortCount(tokens.cache_read + tokens.cache_write)}>
        {t("usage.in_parts", { read: shortCount(tokens.cache_read), write: shortCount(tokens.cache_write) })}
      </Tile>
      <Tile name={t("usage.tokens_out")} value={shortCount(tokens.output)}>
        {figures.estimated > 0 || figures.unknown > 0
          ? t("usage.tokens_unsure", { estimated: figures.estimated, unknown: figures.unknown })
          : t("usage.tokens_sure")}
      </Tile>
      <Tile name={t("usage.cache_hit_rate")} value={shown(METRICS.cache, figures)}>
        {t("usage.cache_of", { input: shortCount(tokens.cache_read + tokens.cache_write) })}
      </Tile>
      <Tile name={t("usage.success_rate")} value={percent(figures.success_rate)}>
        {failed > 0 ? (
          <FigureLink rows={{ errors: "1" }} className="text-danger">
            {t("usage.failed_of", { count: failed })}
          </FigureLink>
        ) : (
          t("usage.none_failed", { count: completed })
        )}
        {aborted > 0 && (
          <>
            {" · "}
            <FigureLink rows={{ status: "aborted" }}>{t("usage.stopped_of", { count: aborted })}</FigureLink>
          </>
        )}
        {open > 0 && (
          <>
            {" · "}
            <FigureLink rows={{ status: "open" }}>{t("usage.open_of", { count: open })}</FigureLink>
          </>
        )}
      </Tile>
      <Tile name={t("usage.time_per_request")} value={shown(METRICS.time, figures)}>
        {t("usage.without_waits")}
      </Tile>
      <Tile name={t("usage.tokens_per_second")} value={shown(METRICS.speed, figures)}>
        {aux > 0 ? t("usage.aux_of", { count: aux }) : t("usage.of_output")}
      </Tile>
    </dl>
  );
}

function Tile({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <div className="min-w-0 bg-surface px-4 py-3">
      <dt className="text-xs text-dim">{name}</dt>
      <dd className="tabular mt-0.5 text-lg font-medium">{value}</dd>
      <dd className="text-xs text-dim">{children}</dd>
    </div>
  );
}
