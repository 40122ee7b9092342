/** Answers of the server for tests, summed up from a list of Requests. */
import type { CostSum, Figures, UsageRequestRow, UsageView } from "@/lib/api/usage";

let next = 0;

/** A completed, priced Request of ann with model p/m1 of the Agent coder. */
export function request(given: Partial<UsageRequestRow> = {}): UsageRequestRow {
  next += 1;
  const session_id = "s1";
  return {
    key: `r${next}`,
    kind: "request",
    purpose: null,
    compaction: false,
    place: { agent: "coder", session_id, title: "Fix the build", address: { file_index: 1, line: next } },
    session: `coder/${session_id}`,
    agent: "coder",
    model: "p/m1",
    user: "ann",
    user_name: "Ann",
    imported: false,
    at: "2026-07-18T10:00:00.000Z",
    status: "completed",
    error_message: null,
    attempt: 1,
    refused: false,
    tokens: { cache_read: 100, cache_write: 20, output: 30, total: 150 },
    certainty: "stamped",
    usd: 0.01,
    price: { cache_read: 1, cache_write: 2, output: 3 },
    duration_ms: 2000,
    waited_ms: 0,
    tokens_per_second: 15,
    ...given,
  };
}

export function figuresOf(requests: readonly UsageRequestRow[]): Figures {
  const count = (test: (row: UsageRequestRow) => boolean) => requests.filter(test).length;
  const sum = (value: (row: UsageRequestRow) => number) => requests.reduce((all, row) => all + value(row), 0);
  const part = (certainty: UsageRequestRow["certainty"]) => ({
    requests: count((row) => row.certainty === certainty),
    usd: sum((row) => (row.certainty === certainty ? (row.usd ?? 0) : 0)),
  });
  const cost: CostSum = {
    usd: sum((row) => row.usd ?? 0),
    stamped: part("stamped"),
    today: part("today"),
    estimated: part("estimated"),
    free: { requests: part("free").requests },
    unpriced: {
      requests: part("unpriced").requests,
      tokens: sum((row) => (row.certainty === "unpriced" ? (row.tokens?.total ?? 0) : 0)),
    },
    unknown: { requests: part("unknown").requests },
  };
  const completed = count(({ status }) => status === "completed");
  const aborted = count(({ status }) => status === "aborted");
  const open = count(({ status }) => status === "open");
  const failed = requests.length - completed - aborted - open;
  const tokens = {
    cache_read: sum((row) => row.tokens?.cache_read ?? 0),
    cache_write: sum((row) => row.tokens?.cache_write ?? 0),
    cache_creation: 0,
    output: sum((row) => row.tokens?.output ?? 0),
    total: sum((row) => row.tokens?.total ?? 0),
  };
  const input = tokens.cache_read + tokens.cache_write;
  return {
    requests: requests.length,
    completed,
    failed,
    aborted,
    open,
    aux: 0,
    success_rate: completed + failed > 0 ? completed / (completed + failed) : null,
    tokens,
    unknown: count((row) => row.tokens === null),
    estimated: cost.estimated.requests,
    cost,
    cache_hit_rate: input > 0 ? tokens.cache_read / input : null,
    active_ms: sum((row) => row.duration_ms ?? 0),
    timed: completed,
    timed_output: tokens.output,
    ms_per_request: completed > 0 ? 2000 : null,
    tokens_per_second: completed > 0 ? 15 : null,
  };
}

function groupsOf(requests: readonly UsageRequestRow[], key: "model" | "agent" | "user" | "session") {
  const keys = [...new Set(requests.map((row) => row[key]))];
  return keys
    .map((one) => ({ key: one, figures: figuresOf(requests.filter((row) => row[key] === one)) }))
    .sort((a, b) => b.figures.cost.usd - a.figures.cost.usd || b.figures.tokens.total - a.figures.tokens.total);
}

const DAY_MS = 86_400_000;

/** The page over these Requests: the days from `first` on, split by `group_by`. */
export function usageView(
  requests: readonly UsageRequestRow[],
  { first = "2026-07-17", days = 3, group_by = "model" as "model" | "agent" | "user" } = {},
): UsageView {
  const from = Date.parse(`${first}T00:00:00Z`);
  const iso = (ms: number) => new Date(ms).toISOString();
  const series = Array.from({ length: days }, (_, i) => {
    const [start, end] = [iso(from + i * DAY_MS), iso(from + (i + 1) * DAY_MS)];
    const inside = requests.filter(({ at }) => at >= start && at < end);
    return {
      from: start,
      to: end,
      label: start.slice(0, 10),
      figures: figuresOf(inside),
      groups: groupsOf(inside, group_by),
    };
  });
  const failures = requests.filter(({ status }) => !["completed", "aborted", "open"].includes(status));
  const reasons = [...new Set(failures.map(({ error_message }) => error_message))];
  const option = (key: string) => ({ key, label: key });
  return {
    range: {
      preset: "7d",
      from: iso(from),
      to: iso(from + days * DAY_MS),
      from_day: first,
      to_day: iso(from + (days - 1) * DAY_MS).slice(0, 10),
      tz: "UTC",
      bucket: "day",
      group_by,
    },
    totals: { range: figuresOf(requests), today: figuresOf([]), last_7_days: figuresOf(requests) },
    series,
    by: {
      model: {
        rows: groupsOf(requests, "model").map((row) => {
          const [provider = "", model_id = ""] = row.key.split("/");
          return { ...row, provider, model_id, display_name: null, price: null };
        }),
        rest: null,
      },
      agent: { rows: groupsOf(requests, "agent").map((row) => ({ ...row, agent: row.key, name: null })), rest: null },
      user: {
        rows: groupsOf(requests, "user").map((row) => ({ ...row, user: row.key, name: null, from_file: false })),
        rest: null,
      },
      session: {
        rows: groupsOf(requests, "session").map((row) => ({
          ...row,
          session: { agent: "coder", session_id: row.key.split("/")[1] ?? "", title: "Fix the build" },
          imported: false,
          own: row.figures,
          subagents: 0,
          last_at: iso(from),
        })),
        rest: null,
      },
    },
    errors: {
      total: failures.length,
      groups: reasons.flatMap((message) => {
        const of = failures.filter(({ error_message }) => error_message === message);
        const [last] = of;
        return last ? [{ status: "failed" as const, message, count: of.length, last }] : [];
      }),
    },
    options: {
      models: [...new Set(requests.map(({ model }) => model))].sort().map(option),
      agents: [...new Set(requests.map(({ agent }) => agent))].sort().map(option),
      users: [...new Set(requests.map(({ user }) => user))].sort().map((key) => ({ ...option(key), from_file: false })),
    },
    first_at: requests.length > 0 ? iso(from) : null,
    at: iso(from + days * DAY_MS),
  };
}
