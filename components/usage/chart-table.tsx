"use client";
import { cn } from "@/components/ui/cn";
import { useT } from "@/components/ui/language";
import type { Lack, Metric } from "./metrics";
import { type ChartData, type ChartRow, type Series, seriesTotals } from "./series";

interface ChartTableProps {
  label: string;
  data: ChartData;
  metric: Metric;
  title: (label: string) => string;
  onOpen?: (row: ChartRow, series?: Series) => void;
  className?: string;
}

/** What a chart shows, as a table. */
export function ChartTable({ label, data, metric, title, onOpen, className }: ChartTableProps) {
  const t = useT();
  const { series, rows } = data;
  const adds = metric.kind === "amount";
  const say = (value: number | null, lack: Lack | null = null) => {
    if (lack === "unpriced" || lack === "unknown") return t(`usage.only_${lack}`);
    return value === null ? "–" : `${metric.exact(value)}${lack ? "+" : ""}`;
  };
  const totals = seriesTotals(data, metric);
  const whole = rows.reduce((sum, { total }) => sum + (total ?? 0), 0);
  const cell = "px-3 py-1 text-right whitespace-nowrap";
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      className={cn("mx-1 overflow-auto -outline-offset-2", className)}
    >
      <table className="tabular w-full text-xs">
        <caption className="sr-only">{label}</caption>
        <thead className="sticky top-0 z-10 bg-surface text-dim">
          <tr>
            <th scope="col" className="px-3 py-1.5 text-left font-medium">
              {t("usage.when")}
            </th>
            {series.map(({ key, label: name }) => (
              <th key={key} scope="col" className="px-3 py-1.5 text-right font-medium">
                {name}
              </th>
            ))}
            {adds && (
              <th scope="col" className="px-3 py-1.5 text-right font-medium">
                {t("usage.total")}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.from} className="border-t hover:bg-hover">
              <th scope="row" className="px-3 py-1 text-left font-normal whitespace-nowrap">
                {onOpen && ((row.total ?? 0) > 0 || row.total_lacks !== null) ? (
                  <button
                    type="button"
                    className="text-accent-ink underline-offset-4 hover:underline"
                    onClick={() => onOpen(row)}
                  >
                    {title(row.label)}
                  </button>
                ) : (
                  title(row.label)
                )}
              </th>
              {series.map(({ key }, i) => (
                <td key={key} className={cell}>
                  {say(row.values[i] ?? null, row.lacks[i])}
                </td>
              ))}
              {adds && <td className={cn(cell, "font-medium")}>{say(row.total, row.total_lacks)}</td>}
            </tr>
          ))}
        </tbody>
        {adds && (
          <tfoot className="sticky bottom-0 bg-surface">
            <tr className="border-t border-line-strong font-medium">
              <th scope="row" className="px-3 py-1.5 text-left font-medium">
                {t("usage.total")}
              </th>
              {totals.map((total, i) => (
                <td key={series[i]?.key} className={cell}>
                  {say(
                    total,
                    sumLack(
                      rows.map(({ lacks }) => lacks[i] ?? null),
                      total,
                    ),
                  )}
                </td>
              ))}
              <td className={cell}>
                {say(
                  whole,
                  sumLack(
                    rows.map(({ total_lacks }) => total_lacks),
                    whole,
                  ),
                )}
              </td>
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}

/** What a sum lacks, by what its parts lack: where none of them has an amount it is no 0 either. */
function sumLack(lacks: (Lack | null)[], sum: number | null): Lack | null {
  const found = lacks.filter((lack) => lack !== null);
  if (found.length === 0) return null;
  return !sum && found.every((lack) => lack !== "some") ? (found[0] ?? null) : "some";
}
