/** What is asked for, as it stands in the address bar: the filters of the page, and which rows are open beside it. Pure. */
import {
  BUCKETS,
  CERTAINTIES,
  isDay,
  isInstant,
  isTimeZone,
  RANGES,
  REQUEST_STATUSES,
  type UsageRange,
} from "@/lib/api/usage-values";

const FILTER_KEYS = ["range", "from", "to", "tz", "model", "agent", "user", "session", "bucket", "group_by"] as const;
type FilterKey = (typeof FILTER_KEYS)[number];
/** "" is no condition. */
export type Filters = Record<FilterKey, string>;

/** What narrows the open rows further than the page. */
const ROW_KEYS = [
  "range",
  "from",
  "to",
  "model",
  "agent",
  "user",
  "session",
  "since",
  "until",
  "status",
  "errors",
  "certainty",
  "message",
] as const;
type RowKey = (typeof ROW_KEYS)[number];
export type Rows = Partial<Record<RowKey, string>>;

/** By what the charts can be split; a Session gives no split. */
export const SPLITS = ["model", "agent", "user"] as const;
export type Split = (typeof SPLITS)[number];

const oneOf = (values: readonly string[]) => (text: string) => values.includes(text);
/** What an address may say; anything else is as if it said nothing. */
const ALLOWED: Partial<Record<FilterKey | RowKey, (text: string) => boolean>> = {
  range: oneOf(RANGES),
  from: isDay,
  to: isDay,
  tz: isTimeZone,
  bucket: oneOf(BUCKETS),
  group_by: oneOf(SPLITS),
  since: isInstant,
  until: isInstant,
  status: oneOf(REQUEST_STATUSES),
  errors: oneOf(["1"]),
  certainty: oneOf(CERTAINTIES),
};
const allowed = (key: FilterKey | RowKey, text: string | null): string =>
  text && text.length <= 400 && (ALLOWED[key]?.(text) ?? true) ? text : "";

export const NO_FILTERS: Filters = {
  range: "",
  from: "",
  to: "",
  tz: "",
  model: "",
  agent: "",
  user: "",
  session: "",
  bucket: "",
  group_by: "",
};

export function readFilters(params: URLSearchParams): Filters {
  const filters = { ...NO_FILTERS };
  for (const key of FILTER_KEYS) filters[key] = allowed(key, params.get(key));
  return filters;
}

/** null: no rows are open. */
export function readRows(params: URLSearchParams): Rows | null {
  if (params.get("rows") !== "1") return null;
  const rows: Rows = {};
  for (const key of ROW_KEYS) {
    const given = params.get(`rows.${key}`);
    const text = allowed(key, given);
    // No reason is a reason too.
    if (text || (key === "message" && given === "")) rows[key] = text;
  }
  return rows;
}

/** The range that is meant: thirty days when the address says nothing. */
export function rangeOf({ range, from, to }: Pick<Filters, "range" | "from" | "to">): UsageRange {
  const known = RANGES.find((one) => one === range);
  return known ?? (from || to ? "custom" : "30d");
}

export const splitOf = ({ group_by }: Filters): Split => SPLITS.find((split) => split === group_by) ?? "model";

/** Does it show less than all of the Project's Requests in its range? */
export const isNarrowed = ({ model, agent, user, session }: Filters): boolean =>
  [model, agent, user, session].some((text) => text !== "");

/** Is the last day before the first one? Such a range is refused. */
export const isBackwards = ({ from, to }: Pick<Filters, "from" | "to">): boolean =>
  from !== "" && to !== "" && from > to;

/** The query of GET usage. */
export function usageQueryOf(filters: Partial<Filters>): string {
  const params = new URLSearchParams();
  for (const key of FILTER_KEYS) {
    const text = filters[key];
    if (text) params.set(key, text);
  }
  return params.toString();
}

/** The query of GET usage/requests: the page's filters, with what the rows say instead or besides. */
export function rowsQueryOf(filters: Filters, rows: Rows): string {
  const params = new URLSearchParams();
  // Another range leaves the days of the page's own range behind.
  const ownRange = rows.range !== undefined;
  for (const key of FILTER_KEYS) {
    if (key === "bucket" || key === "group_by") continue;
    if (ownRange && (key === "from" || key === "to")) continue;
    if (filters[key]) params.set(key, filters[key]);
  }
  for (const [key, text] of said(rows)) params.set(key, text);
  return params.toString();
}

function said(rows: Rows): [RowKey, string][] {
  return ROW_KEYS.flatMap((key): [RowKey, string][] => {
    const text = rows[key];
    return text || (key === "message" && text === "") ? [[key, text]] : [];
  });
}

/** The query in the address bar. */
export function addressOf(filters: Filters, rows: Rows | null): string {
  const params = new URLSearchParams(usageQueryOf(filters));
  if (rows) {
    params.set("rows", "1");
    for (const [key, text] of said(rows)) params.set(`rows.${key}`, text);
  }
  return params.toString();
}
