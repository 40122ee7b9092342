/** What the usage page is told: filters, certainty of costs, ranges, private Sessions, errors, one Session, one person. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownUsageQuery, usageCsvQuery, usageQuery, usageRequestsQuery } from "../../lib/api/usage";
import { layout } from "../paths";
import { TraceStore } from "../trace/store";
import { UsageCalls } from "./calls";
import { Records, sid } from "./testing/records";
import { Usage } from "./usage";

const P = "alpha";
const ref = (agent: string) => ({ project: P, agent });
const NOW = Date.parse("2026-07-20T12:00:00Z");
const PRICE = { cache_read: 1, cache_write: 1, output: 1 };
const root = mkdtempSync(join(tmpdir(), "penguin-usage-view-"));
const disk = layout(root);
const traces = new TraceStore(disk);
let today = [{ provider: "fake", model_id: "m", pricing: PRICE }];
const usage = new Usage(
  {
    calls: new UsageCalls(disk),
    traces,
    agents: { list: async () => ["a", "b"].map((id) => ({ id, name: `Agent ${id}` })) },
    models: {
      view: async () => ({ models: today }),
    },
    secret: "a secret of the server",
    users: {
      get: async (id) =>
        id === "ann" ? { id, name: "Ann", admin: false, has_password: true, password_is_initial: false } : null,
    },
  },
  () => NOW,
);
const view = (query: object = {}, viewer = "ann") =>
  usage.view(P, viewer, usageQuery.parse({ range: "all", ...query }));
const requests = (query: object = {}, viewer = "ann") =>
  usage.requests(P, viewer, usageRequestsQuery.parse({ range: "all", ...query }));

const [PLAIN, CHILD, SECRET, IMPORTED] = [sid(1), sid(2), sid(3), sid(4)];
beforeAll(() => {
  new Records("2026-07-18T10:00:00Z")
    .meta(PLAIN, { created_by: "ann" })
    .prompt("one")
    .request(10, { price: PRICE })
    .request(20)
    .event({ type: "subagent", session_id: CHILD, agent: "b" })
    .prompt("two")
    .failed("timeout", "nothing came")
    .failed("timeout", "nothing came")
    .failed("auth", "bad key")
    .wait(86_400_000)
    .prompt("three", "mia")
    .request(30, { user: "mia", price: { cache_read: 0, cache_write: 0, output: 0 } })
    .failed("aborted")
    .request()
    .write(disk, ref("a"), PLAIN);
  new Records("2026-07-18T10:05:00Z")
    .meta(CHILD, { source: "subagent", model_id: "other", created_by: "ann" })
    .prompt("help")
    .request(40)
    .write(disk, ref("b"), CHILD);
  new Records("2026-07-20T01:00:00Z")
    .meta(SECRET, { created_by: "mia" })
    .info({ visibility: "private", title: "a secret" })
    .prompt("hush", "mia")
    .request(50, { user: "mia", price: PRICE })
    .failed("failed", "the secret reason")
    .write(disk, ref("a"), SECRET);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("ux 40: how sure a cost is", () => {
  it("UC05 UC14 stopped and silent Requests are unknown, tokens without a price have none, and neither is free", async () => {
    const { cost, ...range } = (await view()).totals.range;
    expect(range).toMatchObject({ requests: 11, completed: 6, failed: 4, aborted: 1, unknown: 6 });
    expect(cost).toMatchObject({
      stamped: { requests: 2, usd: 68e-6 },
      today: { requests: 1, usd: 24e-6 },
      free: { requests: 1 },
      unpriced: { requests: 1, tokens: 44 },
      unknown: { requests: 6 },
      estimated: { requests: 0 },
    });
    expect(cost.usd).toBeCloseTo(92e-6, 12);
    expect((await requests({ certainty: "unpriced" })).requests).toMatchObject([
      { usd: null, model: "fake/other", certainty: "unpriced" },
    ]);
    expect((await requests({ status: "aborted" })).requests).toMatchObject([
      { usd: null, tokens: null, certainty: "unknown" },
    ]);
  });

  it("US3 an edited price changes what is shown at today's price, and nothing that was stamped", async () => {
    const before = (await view()).totals.range.cost;
    today = [
      { provider: "fake", model_id: "m", pricing: { cache_read: 2, cache_write: 2, output: 2 } },
      { provider: "fake", model_id: "other", pricing: PRICE },
    ];
    const after = (await view()).totals.range.cost;
    today = [{ provider: "fake", model_id: "m", pricing: PRICE }];
    expect(after.stamped).toEqual(before.stamped);
    expect(after.today.usd).toBeCloseTo(48e-6 + 44e-6, 12);
    expect(after.unpriced.requests).toBe(0);
  });
});

describe("ux 41: filters and ranges", () => {
  it("by model, Agent, person and Session; what can be chosen stays the same", async () => {
    const all = await view();
    const count = async (query: object) => (await view(query)).totals.range.requests;
    expect(await count({ model: "fake/other" })).toBe(1);
    expect(await count({ agent: "b" })).toBe(1);
    expect(await count({ user: "mia" })).toBe(5);
    expect(await count({ session: `a/${PLAIN}` })).toBe(9);
    expect(await count({ session: `a/${PLAIN}`, agent: "a", user: "ann" })).toBe(5);
    expect((await view({ model: "fake/other" })).options).toEqual(all.options);
    expect(all.options.users).toMatchObject([
      { key: "ann", label: "Ann" },
      { key: "mia", label: "mia" },
    ]);
  });

  it("days begin and end in the time zone that was chosen", async () => {
    const one = (query: object) => view({ range: "custom", from: "2026-07-20", to: "2026-07-20", ...query });
    expect((await one({})).totals.range.requests).toBe(2);
    // It was still the 19th in New York.
    expect((await one({ tz: "America/New_York" })).totals.range.requests).toBe(0);
    const { totals, series, range } = await view({ range: "7d", tz: "Asia/Tokyo" });
    expect([totals.range.requests, totals.last_7_days.requests, totals.today.requests]).toEqual([11, 11, 2]);
    expect(series.map(({ label }) => label)).toEqual(
      ["14", "15", "16", "17", "18", "19", "20"].map((d) => `2026-07-${d}`),
    );
    expect(range).toMatchObject({ from: "2026-07-13T15:00:00.000Z", to: "2026-07-20T15:00:00.000Z", bucket: "day" });
    expect((await view({ range: "today", tz: "UTC" })).series).toHaveLength(24);
    await expect(view({ range: "custom", from: "2026-07-20", to: "2026-07-01" })).rejects.toMatchObject({
      code: "bad_request",
    });
  });
});

it("subagents count where they ran, and roll up once to the Session that started them", async () => {
  const { by } = await view();
  expect(by.agent.rows.map(({ agent, figures }) => [agent, figures.requests])).toEqual([
    ["a", 10],
    ["b", 1],
  ]);
  const row = by.session.rows.find(({ key }) => key === `a/${PLAIN}`);
  expect(row).toMatchObject({ subagents: 1, own: { requests: 8 }, figures: { requests: 9 } });
  const session = await usage.session({ ...ref("a"), session: PLAIN }, "ann");
  expect(session).toMatchObject({ own: { requests: 8 }, total: { requests: 9 } });
  expect(session.tasks.map(({ figures, total }) => [figures.requests, total.requests])).toEqual([
    [1, 1],
    [1, 2],
    [3, 3],
    [1, 1],
    [2, 2],
  ]);
  expect((await usage.session({ ...ref("b"), session: CHILD }, "ann")).total.requests).toBe(1);
  // A page asks for the Tasks that it shows; the sums stay those of all.
  const newest = await usage.session({ ...ref("a"), session: PLAIN }, "ann", 1);
  expect(newest).toEqual({ ...session, tasks: session.tasks.slice(-1) });
});

it("errors are grouped by reason, open to their Requests and lead to the record", async () => {
  const { errors } = await view();
  expect(errors.total).toBe(4);
  expect(errors.groups.map(({ status, message, count }) => [status, message, count])).toEqual([
    ["failed", null, 1],
    ["auth", "bad key", 1],
    ["timeout", "nothing came", 2],
  ]);
  const page = await requests({ errors: "1", message: "nothing came" });
  expect(page).toMatchObject({ total: 2, figures: { requests: 2, failed: 2 } });
  const { address } = page.requests[0]?.place ?? {};
  const record = await traces.record(ref("a"), PLAIN, address?.file_index ?? 0, address?.line ?? 0);
  expect(record && "json" in record && Buffer.from(record.json).toString()).toContain('"nothing came"');
});

it("a private Session of somebody else gives its sums and nothing else", async () => {
  const { by, totals } = await view();
  const hidden = by.session.rows.filter(({ session }) => session === null);
  expect(hidden).toMatchObject([{ key: expect.stringMatching(/^private-[0-9a-f]{16}$/), figures: { requests: 2 } }]);
  const page = await requests({ session: hidden[0]?.key });
  expect(page.requests).toMatchObject([{ place: null, error_message: null }, { place: null }]);
  const csv = await usage.csv(P, "ann", usageCsvQuery.parse({ range: "all", table: "requests" }));
  for (const secret of [SECRET, "secret"]) {
    expect(JSON.stringify([by, page]) + csv).not.toContain(secret);
  }
  const own = await view({}, "mia");
  expect(own.totals).toEqual(totals);
  expect(own.by.session.rows.find(({ key }) => key === `a/${SECRET}`)).toMatchObject({
    session: { title: "a secret" },
  });
});

it("a person's own usage is what they started; people named in an imported file are strangers", async () => {
  const projects = [{ id: P, name: "Alpha" }];
  const own = await usage.own("mia", projects, ownUsageQuery.parse({ range: "all" }));
  expect(own).toMatchObject({
    totals: { range: { requests: 5 } },
    projects: [{ project: P, figures: { requests: 5 } }],
  });
});

it("Must show 4: what another program writes into the tree counts at once, and so do imports", async () => {
  const before = (await view()).totals.range.requests;
  new Records("2026-07-19T10:00:00Z").meta(sid(5)).prompt("x", "mia").request(5).write(disk, ref("b"), sid(5));
  expect((await view()).totals.range.requests).toBe(before + 1);
  const file = new Records("2026-07-19T11:00:00Z").meta(IMPORTED).prompt("y", "mia").request(6, { user: "mia" });
  const body = new Blob([file.lines.join("")]).stream();
  expect((await traces.import(ref("b"), body, { acceptDamage: false, by: "ann", maxBytes: 1e6 })).ok).toBe(true);
  const { totals, by, options } = await view();
  expect(totals.range.requests).toBe(before + 2);
  expect(by.user.rows.find(({ key }) => key === "file:mia")).toMatchObject({
    from_file: true,
    name: "mia",
    figures: { requests: 1 },
  });
  expect(options.users.map(({ key }) => key)).toEqual(["ann", "file:mia", "mia"]);
  expect((await requests({ session: `b/${IMPORTED}` })).requests).toMatchObject([
    { imported: true, certainty: "today" },
  ]);
});

it("all of it is in the whole range, also what a clock ahead of ours wrote", async () => {
  const before = (await view()).totals.range.requests;
  new Records("2027-03-01T10:00:00Z").meta(sid(6)).prompt("later").request(7).write(disk, ref("b"), sid(6));
  const { totals, range } = await view();
  expect(totals.range.requests).toBe(before + 1);
  expect(range.to_day).toBe("2027-03-01");
});
