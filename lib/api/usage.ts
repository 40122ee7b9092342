/**
 * Usage and cost of a Project: what is asked, and the shapes of the answers. Money is in USD, times are ISO, durations
 * are milliseconds. Every figure is a sum over Requests, and every sum can be opened to the Requests it is made of (US2).
 */
import { z } from "zod";
import type { PriceStamp, StopReason, TokenCounts } from "../omni/message";
import {
  BUCKETS,
  CERTAINTIES,
  type Certainty,
  GROUPS,
  isDay,
  isInstant,
  isTimeZone,
  RANGES,
  REQUEST_STATUSES,
  type UsageBucket,
  type UsageGroup,
  type UsageRange,
} from "./usage-values";

const optional = z
  .string()
  .max(400)
  .transform((text) => (text === "" ? undefined : text))
  .optional();
const optionalOf = <const V extends readonly [string, ...string[]]>(values: V) =>
  z
    .string()
    .transform((text, context): V[number] | undefined => {
      const found = values.find((value) => value === text);
      if (text !== "" && found === undefined)
        context.addIssue({ code: "custom", message: `Expected is one of ${values.join(", ")}.` });
      return found;
    })
    .optional();
/** Nothing said is no condition. */
const optionalText = (fits: (text: string) => boolean, message: string) =>
  z
    .string()
    .refine((text) => text === "" || fits(text), message)
    .transform((text) => (text === "" ? undefined : text))
    .optional();
const day = optionalText(
  isDay,
  "There is no such day. Give one of the calendar (1970 to 2199) as YYYY-MM-DD, such as 2026-02-28.",
);
const instant = optionalText(
  isInstant,
  "There is no such time. Give one in ISO 8601 with its zone, such as 2026-02-28T09:00:00Z.",
);

/** IANA name, such as Europe/Berlin; days begin and end there. */
export const timeZone = z
  .string()
  .transform((name) => name || "UTC")
  .refine(isTimeZone, "This time zone is not known. Give an IANA name, such as Europe/Berlin.")
  .default("UTC");

/** The filters of every usage address. All of them are optional. */
export const usageFilter = z.object({
  /** Absent: `custom` when `from` or `to` is given, else `30d`. */
  range: optionalOf(RANGES),
  /** Calendar days in `tz`, both inclusive; for `custom`. */
  from: day,
  to: day,
  tz: timeZone,
  /** Key of a row of `by.model`: `<provider>/<model_id>`. */
  model: optional,
  /** Key of a row of `by.agent`: where it ran. */
  agent: optional,
  /** Key of a row of `by.user`. */
  user: optional,
  /** Key of a row of `by.session`: that Session and its subagents. */
  session: optional,
});
export type UsageFilter = z.infer<typeof usageFilter>;

/** One of the groups; of a list (`day,agent`) the first besides `day`, which the series has anyway. */
const groupBy = optional.transform((text, context) => {
  const wanted = text?.split(",").find((name) => name !== "day");
  const group = GROUPS.find((name) => name === wanted);
  if (wanted !== undefined && group === undefined) context.addIssue({ code: "custom", message: "no such group" });
  return group;
});

/** GET usage */
export const usageQuery = usageFilter.extend({
  /** Absent: by the length of the range (a day: hours; up to 92 days: days; else months). */
  bucket: optionalOf(BUCKETS),
  /** What the series is split by; absent: model. `session` gives no split. `day` is the series itself. */
  group_by: groupBy,
});
export type UsageQuery = z.infer<typeof usageQuery>;

/** GET usage/requests */
export const usageRequestsQuery = usageFilter.extend({
  /** Narrower than the range: a bucket of the series. Instants; `until` is not included. */
  since: instant,
  until: instant,
  status: optionalOf(REQUEST_STATUSES),
  /** Ended badly: neither completed nor stopped by a person nor still open. */
  errors: optionalOf(["1"]),
  certainty: optionalOf(CERTAINTIES),
  /** `message` of a group of errors; "" for those without one. */
  message: z.string().max(400).optional(),
  /** `next` of the page before. */
  cursor: optional,
  limit: z.coerce.number().int().min(1).max(500).default(50),
});
export type UsageRequestsQuery = z.infer<typeof usageRequestsQuery>;

/** GET usage.csv: the rows of one table of the page, all of them. */
export const usageCsvQuery = usageRequestsQuery.extend({
  bucket: optionalOf(BUCKETS),
  /** For the series: one row for each bucket and group. */
  group_by: groupBy,
  table: z.enum(["series", "model", "agent", "user", "session", "requests"]).default("series"),
});
export type UsageCsvQuery = z.infer<typeof usageCsvQuery>;

/** GET /api/me/usage */
export const ownUsageQuery = usageFilter.pick({ range: true, from: true, to: true, tz: true });

export interface CostPart {
  requests: number;
  usd: number;
}
/** `usd` is the sum of the parts that have one; what the others cost is not known, and shown so. */
export interface CostSum {
  usd: number;
  stamped: CostPart;
  today: CostPart;
  estimated: CostPart;
  free: { requests: number };
  unpriced: { requests: number; tokens: number };
  unknown: { requests: number };
}

/** Sums over Requests. Parts add up to their total: counts exactly, money to 1e-9. */
export interface Figures {
  /** All Requests, also retried, stopped and failed ones, and `aux` calls. */
  requests: number;
  completed: number;
  /** Failed, timeout, malformed, auth. */
  failed: number;
  /** Stopped by a person. */
  aborted: number;
  /** Begun, and no end on record: still running, or cut off. */
  open: number;
  /** Of `requests`: model calls outside of Tasks (titles, image descriptions). */
  aux: number;
  /** completed / (completed + failed), without `aux`; null: neither. */
  success_rate: number | null;
  /** Known tokens. `cache_write` is all input that was not read from the cache, `cache_creation` a part of it. */
  tokens: { cache_read: number; cache_write: number; cache_creation: number; output: number; total: number };
  /** Requests whose tokens are not known. */
  unknown: number;
  /** Requests whose tokens were estimated. */
  estimated: number;
  cost: CostSum;
  /** cache_read / (cache_read + cache_write); null: no input. */
  cache_hit_rate: number | null;
  /** Sum of the time of completed Requests, without waits for approvals, how many those are, and their output. */
  active_ms: number;
  timed: number;
  timed_output: number;
  /** active_ms / timed; null: none. */
  ms_per_request: number | null;
  /** timed_output per second of active_ms; null: none. */
  tokens_per_second: number | null;
}

export interface GroupFigures {
  key: string;
  figures: Figures;
}
export interface UsagePoint {
  /** Begin and end (not included) of the bucket. */
  from: string;
  to: string;
  /** In `tz`: 2026-07-18, 2026-07-18T09:00 for an hour, 2026-07 for a month; a week by its first day (Monday). */
  label: string;
  figures: Figures;
  /** Parts of `figures`, largest first, at last `*` for those beyond the rows of the table. Empty for sessions. */
  groups: GroupFigures[];
}

export interface ModelRow extends GroupFigures {
  provider: string;
  model_id: string;
  display_name: string | null;
  /** Today's price; null: none is known. */
  price: PriceStamp | null;
}
export interface AgentRow extends GroupFigures {
  agent: string;
  name: string | null;
}
export interface UserRow extends GroupFigures {
  /** null: nobody is named. */
  user: string | null;
  name: string | null;
  /** Named inside an imported file: show as "name, from the file". */
  from_file: boolean;
}
export interface SessionRow extends GroupFigures {
  /** null: a private Session of somebody else: its sums only. */
  session: { agent: string; session_id: string; title: string | null } | null;
  imported: boolean;
  /** Without its subagents; `figures` = `own` + theirs. */
  own: Figures;
  /** How many Sessions of subagents are in it. */
  subagents: number;
  last_at: string;
}
/** Largest first. `rest` sums up what was left out to keep the answer short: rows + rest = totals. */
export interface Breakdown<Row> {
  rows: Row[];
  rest: { count: number; figures: Figures } | null;
}

export interface UsageErrorGroup {
  status: StopReason;
  /** null: hidden, or none was recorded. */
  message: string | null;
  count: number;
  /** The newest of them. */
  last: UsageRequestRow;
}

export interface UsageView {
  range: {
    preset: UsageRange;
    /** Instants; `to` is not included. */
    from: string;
    to: string;
    /** First and last calendar day in `tz`. */
    from_day: string;
    to_day: string;
    tz: string;
    bucket: UsageBucket;
    group_by: UsageGroup;
  };
  /** All three with the filters on; today and the last 7 days (today included) are of `tz`, whatever the range. */
  totals: { range: Figures; today: Figures; last_7_days: Figures };
  /** Every bucket of the range in order, empty ones too. */
  series: UsagePoint[];
  by: {
    model: Breakdown<ModelRow>;
    agent: Breakdown<AgentRow>;
    user: Breakdown<UserRow>;
    session: Breakdown<SessionRow>;
  };
  errors: { total: number; groups: UsageErrorGroup[] };
  /** What can be filtered by: the keys of the Project (at most 1,000 of a kind), whatever the filters. */
  options: {
    models: { key: string; label: string }[];
    agents: { key: string; label: string }[];
    users: { key: string; label: string; from_file: boolean }[];
  };
  /** First record of the Project that counts; null: there is none. */
  first_at: string | null;
  /** When it was counted. */
  at: string;
}

export interface UsageRequestRow {
  /** Stable: names the same Request at every call. */
  key: string;
  kind: "request" | "aux";
  /** What an `aux` call was for, such as `title`. */
  purpose: string | null;
  /** Asked for a summary. */
  compaction: boolean;
  /** Where it stands: the record that is counted. null: a private Session of somebody else. */
  place: {
    agent: string;
    session_id: string;
    title: string | null;
    /** `token_usage`, else `request_end`, else `request_begin`. */
    address: { file_index: number; line: number };
  } | null;
  /** Key of the row of `by.session` it counts for, and of the other tables. */
  session: string;
  agent: string;
  model: string;
  user: string;
  user_name: string | null;
  imported: boolean;
  /** When it counts: time of that record. */
  at: string;
  status: (typeof REQUEST_STATUSES)[number];
  /** null: none, or hidden. */
  error_message: string | null;
  attempt: number;
  refused: boolean;
  /** null: not known. */
  tokens: TokenCounts | null;
  certainty: Certainty;
  /** null: not known, or no price. */
  usd: number | null;
  price: PriceStamp | null;
  /** Of this time a person was waited for `waited_ms`; null: its end or begin is not on record. */
  duration_ms: number | null;
  waited_ms: number;
  tokens_per_second: number | null;
}
/** Newest first. */
export interface UsageRequestsPage {
  requests: UsageRequestRow[];
  /** Of all pages. */
  total: number;
  figures: Figures;
  next: string | null;
}

/** GET …/sessions/:session/usage: for the header of the conversation and the line under each answer. */
export interface SessionUsage {
  /** Of this Session alone, and with its subagents; copied records of a fork are not in it. */
  own: Figures;
  total: Figures;
  subagents: { agent: string; session_id: string; figures: Figures }[];
  /** One per Task, compactions too; `records` = first and last record. Subagents are counted with the Task that started them. */
  tasks: {
    index: number;
    kind: "task" | "compaction";
    from: { file_index: number; line: number };
    to: { file_index: number; line: number };
    figures: Figures;
    /** With subagents. */
    total: Figures;
  }[];
}

/** GET /api/me/usage: one person in all Projects that they are a member of. */
export interface OwnUsage {
  range: Omit<UsageView["range"], "group_by">;
  totals: UsageView["totals"];
  series: Omit<UsagePoint, "groups">[];
  projects: { project: string; name: string | null; figures: Figures }[];
}

// ---- budgets ------------------------------------------------------------------------------------------------------

export const budgetScope = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("project") }),
  z.strictObject({ kind: z.literal("member"), user: z.string().min(1) }),
  z.strictObject({ kind: z.literal("model"), provider: z.string().min(1), model_id: z.string().min(1) }),
]);
export type BudgetScope = z.infer<typeof budgetScope>;
export const budget = z.strictObject({
  scope: budgetScope,
  period: z.enum(["day", "month"]),
  /** `soft` warns; `hard` also refuses the next Request once it is used up. */
  kind: z.enum(["soft", "hard"]),
  limit_usd: z.number().nonnegative().max(1e9),
  /** Days and months begin there. */
  tz: timeZone,
});
export type Budget = z.infer<typeof budget>;
/** PUT budgets: the whole list; owners only. Two budgets of the same scope, period and kind are refused. */
export const putBudgetsBody = z.strictObject({ budgets: z.array(budget).max(200) });
export type PutBudgetsBody = z.infer<typeof putBudgetsBody>;

export interface BudgetView extends Budget {
  /** Stable: scope, period and kind. */
  key: string;
  /** Name of the member or the model. */
  label: string | null;
  /** Instants of the period it is in; `to` is when it begins anew. */
  from: string;
  to: string;
  /** What counts: Requests that ran here, deleted Sessions too; imported records do not. */
  spent: {
    usd: number;
    /** Parts of it: priced Requests, the estimated input of stopped ones, what was in deleted Sessions. */
    requests_usd: number;
    stopped_usd: number;
    deleted_usd: number;
    /** Requests without a price: not in the sum. */
    unpriced: number;
  };
  /** spent / limit; 1 for a limit of 0. */
  used: number;
  /** `warning` from 80 %, `used_up` from 100 %. */
  state: "ok" | "warning" | "used_up";
  /** It limits what the asking person starts (with the model asked for, if one was). */
  applies: boolean;
}
export interface BudgetsView {
  budgets: BudgetView[];
  /** Whom to ask: the owners of the Project. */
  ask: { user: string; name: string }[];
}
/** GET budgets: with a model, `applies` is told for it. */
export const budgetsQuery = z.object({ provider: optional, model_id: optional });
