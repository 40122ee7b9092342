/** The usage page of a Project in one answer: totals, series, tables and errors, all from one walk over its calls. */
import type {
  AgentRow,
  Breakdown,
  GroupFigures,
  ModelRow,
  SessionRow,
  UsageCsvQuery,
  UsageErrorGroup,
  UsagePoint,
  UsageQuery,
  UsageView,
  UserRow,
} from "../../lib/api/usage";
import { OTHERS, type UsageGroup } from "../../lib/api/usage-values";
import { addDays, type Bucket, bucketAt, dayOf, dayStart } from "../../lib/calendar";
import { isFailure, type Priced, Sum } from "./figures";
import { bucketsOf, type Range, rangeOf } from "./range";
import type { Reading } from "./reading";
import { choice, errorOf, oneByOne, requestRow } from "./requests";
import type { Call } from "./session-calls";

/** Rows of a table in the page; the rest is summed up in one line. */
const MOST_ROWS = 100;
const MOST_ERRORS = 50;
/** What can be filtered by. */
const MOST_OPTIONS = 1_000;

class Sums {
  readonly all = new Map<string, Sum>();
  of(key: string): Sum {
    const sum = this.all.get(key) ?? new Sum();
    this.all.set(key, sum);
    return sum;
  }
  /** Largest first: by cost, then tokens, then Requests. */
  get sorted(): [string, Sum][] {
    return [...this.all].sort(
      ([a, x], [b, y]) => y.usd - x.usd || y.tokens - x.tokens || y.requests - x.requests || (a < b ? -1 : 1),
    );
  }
}

interface SessionSums {
  own: Sum;
  children: Set<string>;
  last: number;
  call: Call;
}
interface Failure {
  count: number;
  last: Call;
}

/** One walk. */
class Tally {
  readonly range = new Sum();
  readonly today = new Sum();
  readonly week = new Sum();
  readonly by = { model: new Sums(), agent: new Sums(), user: new Sums(), session: new Sums() };
  readonly sessions = new Map<string, SessionSums>();
  readonly points: { sum: Sum; groups: Sums }[];
  readonly failures = new Map<string, Failure>();
  failed = 0;
  readonly #todayFrom: number;
  readonly #todayTo: number;
  readonly #weekFrom: number;

  constructor(
    private readonly reading: Reading,
    private readonly span: Range,
    private readonly buckets: readonly Bucket[],
    private readonly group: UsageGroup,
    now: number,
  ) {
    const today = dayOf(now, span.tz);
    this.#todayFrom = dayStart(today, span.tz);
    this.#todayTo = dayStart(addDays(today, 1), span.tz);
    this.#weekFrom = dayStart(addDays(today, -6), span.tz);
    this.points = buckets.map(() => ({ sum: new Sum(), groups: new Sums() }));
  }

  add(call: Call): void {
    const { at, request } = call;
    const { from, to } = this.span;
    const inRange = at >= from && at < to;
    if (!inRange && (at < this.#weekFrom || at >= this.#todayTo)) return;
    const cost = this.reading.priced(call);
    if (at >= this.#weekFrom && at < this.#todayTo) this.week.add(request, cost);
    if (at >= this.#todayFrom && at < this.#todayTo) this.today.add(request, cost);
    if (inRange) this.#inRange(call, cost);
  }

  #inRange(call: Call, cost: Priced): void {
    const { request } = call;
    this.range.add(request, cost);
    this.by.model.of(call.model).add(request, cost);
    this.by.agent.of(call.session.agent).add(request, cost);
    this.by.user.of(call.user).add(request, cost);
    this.by.session.of(call.session.root).add(request, cost);
    this.#session(call, cost);
    const point = this.points[bucketAt(this.buckets, call.at)];
    point?.sum.add(request, cost);
    if (this.group !== "session") point?.groups.of(groupKey(call, this.group)).add(request, cost);
    if (isFailure(request.status)) this.#failure(call);
  }

  #session(call: Call, cost: Priced): void {
    const { root, key } = call.session;
    const sums = this.sessions.get(root) ?? { own: new Sum(), children: new Set(), last: call.at, call };
    this.sessions.set(root, sums);
    if (key === root) sums.own.add(call.request, cost);
    else sums.children.add(key);
    sums.last = Math.max(sums.last, call.at);
  }

  #failure(call: Call): void {
    this.failed += 1;
    const key = JSON.stringify([call.request.status, errorOf(this.reading, call)]);
    const before = this.failures.get(key);
    const last = before && before.last.at >= call.at ? before.last : call;
    this.failures.set(key, { count: (before?.count ?? 0) + 1, last });
  }
}

function groupKey(call: Call, group: Exclude<UsageGroup, "session">): string {
  return group === "model" ? call.model : group === "user" ? call.user : call.session.agent;
}

export async function usageView(reading: Reading, query: UsageQuery, now: number): Promise<UsageView> {
  const calls = reading.span;
  const span = rangeOf(query, now, calls);
  const { bucket, buckets } = bucketsOf(span, query.bucket);
  const group = query.group_by ?? "model";
  const tally = new Tally(reading, span, buckets, group, now);
  await reading.each(query, (call) => tally.add(call));
  const named = new Set(tally.by[group].sorted.slice(0, MOST_ROWS).map(([key]) => key));
  return {
    range: {
      ...span,
      from: iso(span.from),
      to: iso(span.to),
      bucket,
      group_by: group,
    },
    totals: {
      range: tally.range.figures(),
      today: tally.today.figures(),
      last_7_days: tally.week.figures(),
    },
    series: buckets.map((one, i) => pointOf(one, tally.points[i], named)),
    by: await tables(reading, tally, MOST_ROWS),
    errors: { total: tally.failed, groups: await errorGroups(reading, tally) },
    options: await options(reading),
    first_at: calls && iso(calls.first),
    at: iso(now),
  };
}

const iso = (at: number) => new Date(at).toISOString();

/** `named`: the groups that are told one by one, as in the tables; the others are told together. */
function pointOf(
  { from, to, label }: Bucket,
  point?: { sum: Sum; groups: Sums },
  named?: ReadonlySet<string>,
): UsagePoint {
  const groups: GroupFigures[] = [];
  const others = new Sum();
  for (const [key, sum] of point?.groups.sorted ?? []) {
    if (named?.has(key) ?? true) groups.push({ key, figures: sum.figures() });
    else others.take(sum);
  }
  if (others.requests > 0) groups.push({ key: OTHERS, figures: others.figures() });
  return { from: iso(from), to: iso(to), label, figures: (point?.sum ?? new Sum()).figures(), groups };
}

async function tables(reading: Reading, tally: Tally, most: number): Promise<UsageView["by"]> {
  return {
    model: await table(tally.by.model, most, (row): ModelRow => {
      return { ...row, ...reading.modelOf(row.key), price: reading.prices.get(row.key) ?? null };
    }),
    agent: await table(tally.by.agent, most, (row): AgentRow => {
      return { ...row, agent: row.key, name: reading.agents.get(row.key) ?? null };
    }),
    user: await table(tally.by.user, most, async (row): Promise<UserRow> => {
      return { ...row, ...(await reading.person(row.key)) };
    }),
    session: await table(tally.by.session, most, (row) => sessionRow(reading, tally, row)),
  };
}

async function table<Row>(
  sums: Sums,
  most: number,
  row: (figures: GroupFigures) => Row | Promise<Row>,
): Promise<Breakdown<Row>> {
  const { sorted } = sums;
  const rows = await oneByOne(sorted.slice(0, most), ([key, sum]) => row({ key, figures: sum.figures() }));
  const left = sorted.slice(most);
  const rest = new Sum();
  for (const [, sum] of left) rest.take(sum);
  return {
    rows,
    rest: left.length > 0 ? { count: left.length, figures: rest.figures() } : null,
  };
}

async function sessionRow(
  reading: Reading,
  { sessions }: Tally,
  { key: root, figures }: GroupFigures,
): Promise<SessionRow> {
  const sums = sessions.get(root);
  const at = root.indexOf("/");
  const hidden = reading.hidden(root);
  const place = { agent: root.slice(0, at), session_id: root.slice(at + 1) };
  return {
    key: reading.sessionKey(root),
    figures,
    session: hidden ? null : { ...place, title: await reading.title(root) },
    imported: reading.imported(root),
    own: (sums?.own ?? new Sum()).figures(),
    subagents: sums?.children.size ?? 0,
    last_at: iso(sums?.last ?? 0),
  };
}

async function errorGroups(reading: Reading, { failures }: Tally): Promise<UsageErrorGroup[]> {
  const newest = [...failures.values()].sort((a, b) => b.last.at - a.last.at).slice(0, MOST_ERRORS);
  return oneByOne(newest, async ({ count, last }) => {
    const row = await requestRow(reading, last);
    const status = last.request.status === "open" ? "failed" : last.request.status;
    return { status, message: errorOf(reading, last), count, last: row };
  });
}

async function options(reading: Reading): Promise<UsageView["options"]> {
  const [models, agents, users] = [new Map<string, number>(), new Set<string>(), new Map<string, number>()];
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { agent, calls } of reading.sessions) {
    if (calls.length > 0) agents.add(agent);
    for (const { model, user } of calls) {
      count(models, model);
      count(users, user);
    }
  }
  const label = (key: string) => {
    const { display_name, model_id } = reading.modelOf(key);
    return display_name ?? (model_id || key);
  };
  return {
    models: most(models).map((key) => ({ key, label: label(key) })),
    agents: [...agents].sort().map((key) => ({ key, label: reading.agents.get(key) ?? key })),
    users: await Promise.all(
      most(users).map(async (key) => {
        const { name, user, from_file } = await reading.person(key);
        return { key, label: name ?? user ?? key, from_file };
      }),
    ),
  };
}

/** Those with the most Requests, by name: anybody can write a Trace with endless names. */
function most(counts: ReadonlyMap<string, number>): string[] {
  const keys = [...counts].sort(([, a], [, b]) => b - a).slice(0, MOST_OPTIONS);
  return keys.map(([key]) => key).sort();
}

/** All rows of each table, of the same Requests as `usage/requests` gives, for the CSV. */
export async function wholeTables(reading: Reading, query: UsageCsvQuery, now: number) {
  const span = rangeOf(query, now, reading.span);
  const { buckets } = bucketsOf(span, query.bucket);
  const group = query.group_by ?? "session";
  const tally = new Tally(reading, span, buckets, group, now);
  const chosen = choice(reading, query, span);
  await reading.each(query, (call) => {
    if (chosen(call)) tally.add(call);
  });
  return {
    series: buckets.map((one, i) => pointOf(one, tally.points[i])),
    by: await tables(reading, tally, Number.POSITIVE_INFINITY),
  };
}
