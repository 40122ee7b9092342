/** Tables of the usage page as CSV (RFC 4180): the same rows, unrounded. */
import type { Figures, UsageCsvQuery, UsagePoint, UsageRequestRow } from "../../lib/api/usage";
import { type Cell, csvLine as line } from "../../lib/csv";
import { Pace } from "../trace/scan";
import type { Reading } from "./reading";
import { chosenCalls, requestRow } from "./requests";
import { wholeTables } from "./view";

/** Name and value of each column of figures. */
const COLUMNS: [string, (figures: Figures) => Cell][] = [
  ["requests", (f) => f.requests],
  ["completed", (f) => f.completed],
  ["failed", (f) => f.failed],
  ["aborted", (f) => f.aborted],
  ["open", (f) => f.open],
  ["aux", (f) => f.aux],
  ["cache_read", (f) => f.tokens.cache_read],
  ["cache_write", (f) => f.tokens.cache_write],
  ["cache_creation", (f) => f.tokens.cache_creation],
  ["output", (f) => f.tokens.output],
  ["total", (f) => f.tokens.total],
  ["usd", (f) => f.cost.usd],
  ["usd_stamped", (f) => f.cost.stamped.usd],
  ["usd_at_todays_price", (f) => f.cost.today.usd],
  ["usd_estimated", (f) => f.cost.estimated.usd],
  ["requests_stamped", (f) => f.cost.stamped.requests],
  ["requests_at_todays_price", (f) => f.cost.today.requests],
  ["requests_estimated", (f) => f.cost.estimated.requests],
  ["requests_free", (f) => f.cost.free.requests],
  ["requests_no_price", (f) => f.cost.unpriced.requests],
  ["tokens_no_price", (f) => f.cost.unpriced.tokens],
  ["requests_unknown", (f) => f.cost.unknown.requests],
  ["success_rate", (f) => f.success_rate],
  ["cache_hit_rate", (f) => f.cache_hit_rate],
  ["ms_per_request", (f) => f.ms_per_request],
  ["tokens_per_second", (f) => f.tokens_per_second],
];

function figureTable<Row extends { figures: Figures }>(names: string[], rows: Row[], cells: (row: Row) => Cell[]) {
  const head = line([...names, ...COLUMNS.map(([name]) => name)]);
  return head + rows.map((row) => line([...cells(row), ...COLUMNS.map(([, value]) => value(row.figures))])).join("");
}

const REQUESTS: [string, (row: UsageRequestRow) => Cell][] = [
  ["at", (row) => row.at],
  ["agent", (row) => row.agent],
  ["session_id", (row) => row.place?.session_id ?? null],
  ["title", (row) => row.place?.title ?? null],
  ["file_index", (row) => row.place?.address.file_index ?? null],
  ["line", (row) => row.place?.address.line ?? null],
  ["counted_for", (row) => row.session],
  ["kind", (row) => row.purpose ?? (row.compaction ? "compaction" : row.kind)],
  ["model", (row) => row.model],
  ["user", (row) => row.user],
  ["imported", (row) => row.imported],
  ["status", (row) => row.status],
  ["attempt", (row) => row.attempt],
  ["cache_read", (row) => row.tokens?.cache_read ?? null],
  ["cache_write", (row) => row.tokens?.cache_write ?? null],
  ["cache_creation", (row) => (row.tokens ? (row.tokens.cache_creation ?? 0) : null)],
  ["output", (row) => row.tokens?.output ?? null],
  ["total", (row) => row.tokens?.total ?? null],
  ["certainty", (row) => row.certainty],
  ["usd", (row) => row.usd],
  ["duration_ms", (row) => row.duration_ms],
  ["waited_ms", (row) => row.waited_ms],
  ["tokens_per_second", (row) => row.tokens_per_second],
  ["error", (row) => row.error_message],
];

/** With a byte order mark, so that spreadsheets read it as UTF-8. */
export async function usageCsv(reading: Reading, query: UsageCsvQuery, now: number): Promise<string> {
  return `\ufeff${await tableOf(reading, query, now)}`;
}

async function tableOf(reading: Reading, query: UsageCsvQuery, now: number): Promise<string> {
  if (query.table === "requests") {
    const { calls } = await chosenCalls(reading, query, now);
    const rows: string[] = [];
    const pace = new Pace();
    for (const call of calls) {
      if (pace.due) await pace.rest();
      const row = await requestRow(reading, call);
      rows.push(line(REQUESTS.map(([, value]) => value(row))));
    }
    return line(REQUESTS.map(([name]) => name)) + rows.join("");
  }
  const { series, by } = await wholeTables(reading, query, now);
  switch (query.table) {
    case "series":
      if (query.group_by && query.group_by !== "session") return splitSeries(query.group_by, series);
      return figureTable(["label", "from", "to"], series, ({ label, from, to }) => [label, from, to]);
    case "model":
      return figureTable(["provider", "model"], by.model.rows, ({ provider, model_id }) => [provider, model_id]);
    case "agent":
      return figureTable(["agent", "name"], by.agent.rows, ({ agent, name }) => [agent, name]);
    case "user":
      return figureTable(["user", "name", "from_file"], by.user.rows, ({ user, name, from_file }) => [
        user,
        name,
        from_file,
      ]);
    case "session":
      return figureTable(["agent", "session_id", "title", "subagents", "last_at"], by.session.rows, (row) => [
        row.session?.agent ?? null,
        row.session?.session_id ?? row.key,
        row.session?.title ?? null,
        row.subagents,
        row.last_at,
      ]);
  }
}

/** One row for each bucket and group; buckets without any Request have none. */
function splitSeries(name: string, series: UsagePoint[]): string {
  const rows = series.flatMap(({ label, from, to, groups }) => groups.map((group) => ({ label, from, to, ...group })));
  return figureTable(["label", "from", "to", name], rows, ({ label, from, to, key }) => [label, from, to, key]);
}
