/**
 * US1, US2, US4: what the API says of generated Sessions with subagents, retries, compaction, stops, imports, copies and
 * changes of price equals a recount over the raw files, to the token and to 1e-9 USD. `PENGUIN_USAGE_SESSIONS` sets how many.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Figures, usageCsvQuery, usageQuery, usageRequestsQuery } from "../../lib/api/usage";
import { layout } from "../paths";
import { TraceStore } from "../trace/store";
import { UsageCalls } from "./calls";
import { Library, PRICES, PROJECT, type Recount, recount } from "./testing/library";
import { Usage } from "./usage";

const START = Date.UTC(2026, 6, 18, 3, 10);
const SESSIONS = Number(process.env.PENGUIN_USAGE_SESSIONS ?? 60);
const root = mkdtempSync(join(tmpdir(), "penguin-usage-"));
let usage: Usage;
let truth: Recount;

const models = Object.entries(PRICES).map(([key, pricing]) => {
  const [provider = "", model_id = ""] = key.split("/");
  return { provider, model_id, pricing };
});

beforeAll(() => {
  new Library(root, 7, START).fill(SESSIONS);
  truth = recount(root);
  const disk = layout(root);
  usage = new Usage(
    {
      calls: new UsageCalls(disk),
      traces: new TraceStore(disk),
      agents: { list: async () => ["default_agent", "helper"].map((id) => ({ id, name: id })) },
      models: { view: async () => ({ models }) },
      users: { get: async () => null },
      secret: "a secret of the server",
    },
    () => START + 20 * 86_400_000,
  );
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const all = { range: "all", tz: "Asia/Kolkata" };
const EPSILON = 1e-9;

/** Parts add up: counts exactly, money to 1e-9. */
function expectSum(parts: Figures[], whole: Figures): void {
  const sum = (value: (figures: Figures) => number) => parts.reduce((total, part) => total + value(part), 0);
  for (const key of [
    "requests",
    "completed",
    "failed",
    "aborted",
    "open",
    "aux",
    "unknown",
    "estimated",
    "active_ms",
    "timed",
  ] as const) {
    expect([key, sum((figures) => figures[key])]).toEqual([key, whole[key]]);
  }
  for (const key of ["cache_read", "cache_write", "cache_creation", "output", "total"] as const) {
    expect([key, sum(({ tokens }) => tokens[key])]).toEqual([key, whole.tokens[key]]);
  }
  for (const key of ["stamped", "today", "estimated", "free", "unpriced", "unknown"] as const) {
    expect([key, sum(({ cost }) => cost[key].requests)]).toEqual([key, whole.cost[key].requests]);
  }
  expect(Math.abs(sum(({ cost }) => cost.usd) - whole.cost.usd)).toBeLessThan(EPSILON);
  const { stamped, today, estimated } = whole.cost;
  expect(Math.abs(stamped.usd + today.usd + estimated.usd - whole.cost.usd)).toBeLessThan(EPSILON);
}

describe("US1 US4 the recount", () => {
  it("totals, models and Agents are those of the raw files", async () => {
    const { totals, by } = await usage.view(PROJECT, "ann", usageQuery.parse(all));
    const { range } = totals;
    expect(range.requests).toBe(truth.requests);
    expect(range.tokens).toEqual(truth.tokens);
    expect(range.cost.unpriced.requests).toBe(truth.unpriced);
    expect(Math.abs(range.cost.usd - truth.usd)).toBeLessThan(EPSILON);
    const tokens = (rows: { key: string; figures: Figures }[]) =>
      Object.fromEntries(
        rows.filter(({ figures }) => figures.tokens.total > 0).map(({ key, figures }) => [key, figures.tokens.total]),
      );
    expect(tokens(by.model.rows)).toEqual(truth.by_model);
    expect(tokens(by.agent.rows)).toEqual(truth.by_agent);
    // The library has what it is meant to have.
    expect(range.cost.today.requests * range.cost.stamped.requests * range.cost.free.requests).toBeGreaterThan(0);
    expect(range.cost.estimated.requests * range.unknown * range.open * range.aux).toBeGreaterThan(0);
    expect(by.session.rows.some(({ subagents }) => subagents > 1)).toBe(true);
  });

  it("US2 every table and the series add up to the total", async () => {
    for (const group_by of ["model", "agent", "user", "session"]) {
      const view = await usage.view(PROJECT, "ann", usageQuery.parse({ ...all, group_by }));
      const { range } = view.totals;
      expectSum(
        view.series.map(({ figures }) => figures),
        range,
      );
      if (group_by !== "session") {
        for (const { groups, figures } of view.series)
          expectSum(
            groups.map((group) => group.figures),
            figures,
          );
      }
      for (const { rows, rest } of Object.values(view.by)) {
        expectSum([...rows.map(({ figures }) => figures), ...(rest ? [rest.figures] : [])], range);
      }
      for (const { own, figures } of view.by.session.rows) expect(own.requests).toBeLessThanOrEqual(figures.requests);
    }
  });

  it("ux 39: every row opens to its Requests, and they add up to it", async () => {
    const view = await usage.view(PROJECT, "ann", usageQuery.parse(all));
    const rows = [
      ...view.by.model.rows.map((row) => [{ model: row.key }, row.figures] as const),
      ...view.by.user.rows.map((row) => [{ user: row.key }, row.figures] as const),
      ...view.by.session.rows.slice(0, 20).map((row) => [{ session: row.key }, row.figures] as const),
      ...view.series.map(({ from, to, figures }) => [{ since: from, until: to }, figures] as const),
    ];
    for (const [filter, figures] of rows) {
      const pages = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const query = usageRequestsQuery.parse({ ...all, ...filter, limit: 100, ...(cursor ? { cursor } : {}) });
        const page = await usage.requests(PROJECT, "ann", query);
        pages.push(...page.requests);
        expect(page.figures).toEqual(figures);
        cursor = page.next;
      }
      expect(pages.length).toBe(figures.requests);
      expect(new Set(pages.map(({ key }) => key)).size).toBe(pages.length);
      expect(pages.reduce((sum, { tokens }) => sum + (tokens?.total ?? 0), 0)).toBe(figures.tokens.total);
      expect(Math.abs(pages.reduce((sum, { usd }) => sum + (usd ?? 0), 0) - figures.cost.usd)).toBeLessThan(EPSILON);
    }
  });

  it("ux 42: the CSV has the same rows and sums", async () => {
    for (const table of ["series", "model", "agent", "user", "session", "requests"] as const) {
      const [head = "", ...lines] = (await usage.csv(PROJECT, "ann", usageCsvQuery.parse({ ...all, table })))
        .replace("\ufeff", "")
        .trimEnd()
        .split("\r\n");
      const names = head.split(",");
      const column = (name: string) =>
        lines.map((line) => Number(line.split(",").at(names.indexOf(name) - names.length)));
      const sum = (name: string) => column(name).reduce((total, value) => total + value, 0);
      expect([table, sum("total")]).toEqual([table, truth.tokens.total]);
      expect(Math.abs(sum("usd") - truth.usd)).toBeLessThan(EPSILON);
      if (table === "requests") expect(lines.length).toBe(truth.requests);
      else expect(sum("requests")).toBe(truth.requests);
    }
  });
});
