/** What the open rows are: the name of the figure that was opened. Pure. */
import type { T } from "@/components/ui/language";
import type { UsageView } from "@/lib/api/usage";
import { CERTAINTIES, RANGES, REQUEST_STATUSES } from "@/lib/api/usage-values";
import { rowsOf } from "./breakdown-rows";
import { type Filters, type Rows, rangeOf } from "./filters";
import { bucketLabel, dayLabel } from "./labels";

export function rowsTitle(t: T, language: string, view: UsageView, filters: Filters, rows: Rows): string {
  const parts: string[] = [];
  const status = REQUEST_STATUSES.find((one) => one === rows.status);
  const certainty = CERTAINTIES.find((one) => one === rows.certainty);
  if (status) parts.push(t(`usage.status_${status}`));
  else if (rows.errors) parts.push(t("usage.errors"));
  if (rows.message) parts.push(rows.message);
  if (certainty) parts.push(t(`usage.certainty_${certainty}`));
  for (const group of ["model", "agent", "user", "session"] as const) {
    const key = rows[group];
    if (key) parts.push(rowsOf(t, view, group).find((row) => row.key === key)?.name ?? key);
  }
  parts.push(whenOf(t, language, view, filters, rows));
  return `${t("usage.requests")}: ${parts.join(" · ")}`;
}

function whenOf(t: T, language: string, view: UsageView, filters: Filters, { since, range }: Rows): string {
  const bucket = view.series.find(({ from }) => from === since);
  if (bucket) return bucketLabel(bucket.label, view.range.bucket, language);
  const preset = RANGES.find((one) => one === range) ?? rangeOf(filters);
  if (preset !== "custom") return t(`usage.range_${preset}`);
  const days = [filters.from, filters.to].filter(Boolean).map((day) => dayLabel(day, language));
  return days.join(" – ") || t("usage.range_custom");
}
