/** The rows of a breakdown as a table shows them: name, what to say of it, what it opens. Pure. */
import type { T } from "@/components/ui/language";
import type { Figures, UsageView } from "@/lib/api/usage";
import { NOBODY, type UsageGroup } from "@/lib/api/usage-values";
import { money } from "@/lib/format";
import type { PriceStamp } from "@/lib/omni/message";
import { METRICS, type Metric } from "./metrics";

export interface TableRow {
  key: string;
  name: string;
  detail: string | null;
  figures: Figures;
  /** A Session that can be opened. */
  session: { agent: string; session_id: string } | null;
}

export function rowsOf(t: T, { by }: UsageView, group: UsageGroup): TableRow[] {
  switch (group) {
    case "model":
      return by.model.rows.map(({ key, provider, model_id, display_name, price, figures }) => ({
        key,
        name: display_name ?? model_id,
        detail: `${provider} · ${priceLine(t, price)}`,
        figures,
        session: null,
      }));
    case "agent":
      return by.agent.rows.map(({ key, agent, name, figures }) => ({
        key,
        name: name ?? agent,
        detail: name && name !== agent ? agent : null,
        figures,
        session: null,
      }));
    case "user":
      return by.user.rows.map(({ key, user, name, from_file, figures }) => ({
        key,
        name: personName(t, name ?? user, from_file),
        detail: name && user && name !== user ? user : null,
        figures,
        session: null,
      }));
    case "session":
      return by.session.rows.map(({ key, session, imported, subagents, figures }) => ({
        key,
        name: session ? (session.title ?? t("nav.untitled")) : t("usage.private_session"),
        detail:
          [
            ...(session ? [session.agent] : []),
            ...(subagents > 0 ? [t("usage.with_subagents", { count: subagents })] : []),
            ...(imported ? [t("usage.imported")] : []),
          ].join(" · ") || null,
        figures,
        session,
      }));
  }
}

/** A person that can be filtered by. */
export function userName(t: T, { key, label, from_file }: UsageView["options"]["users"][number]): string {
  return personName(t, key === NOBODY ? null : label, from_file);
}

/** Who is named in an imported file is only a claim of that file. */
export function personName(t: T, name: string | null, fromFile: boolean): string {
  if (name === null) return t("usage.nobody");
  return fromFile ? t("usage.from_file", { name }) : name;
}

function priceLine(t: T, price: PriceStamp | null): string {
  if (!price) return t("usage.only_unpriced");
  if ([price.cache_read, price.cache_write, price.output, price.cache_creation ?? 0].every((rate) => rate === 0))
    return t("usage.only_free");
  return t("usage.price_line", {
    read: money(price.cache_read),
    write: money(price.cache_write),
    output: money(price.output),
  });
}

export const COLUMNS = ["cost", "requests", "success", "tokens_in", "tokens_out", "cache", "time", "speed"] as const;
export type Column = (typeof COLUMNS)[number];

const input: Pick<Metric, "value"> = { value: ({ tokens }) => tokens.cache_read + tokens.cache_write };
const output: Pick<Metric, "value"> = { value: ({ tokens }) => tokens.output };
const VALUES: Record<Column, (figures: Figures) => number | null> = {
  requests: METRICS.requests.value,
  success: METRICS.success.value,
  tokens_in: input.value,
  tokens_out: output.value,
  cache: METRICS.cache.value,
  time: METRICS.time.value,
  speed: METRICS.speed.value,
  cost: METRICS.cost.value,
};

export interface Sorting {
  column: Column | "name";
  down: boolean;
}

/** What is not known stands last, whatever the direction. */
export function sorted(rows: readonly TableRow[], sorting: Sorting | null): TableRow[] {
  if (!sorting) return [...rows];
  const turn = sorting.down ? -1 : 1;
  if (sorting.column === "name") return [...rows].sort((a, b) => turn * a.name.localeCompare(b.name));
  const measure = VALUES[sorting.column];
  return [...rows].sort((a, b) => {
    const [left, right] = [measure(a.figures), measure(b.figures)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return turn * (left - right);
  });
}
