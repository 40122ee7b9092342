/** Narrower than the page: how it ended, how sure its cost is, when, why; as rows, page by page, and as CSV. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { usageCsvQuery, usageQuery, usageRequestsQuery } from "../../lib/api/usage";
import { layout } from "../paths";
import { TraceStore } from "../trace/store";
import { UsageCalls } from "./calls";
import { Records, sid } from "./testing/records";
import { Usage } from "./usage";

const P = "alpha";
const PRICE = { cache_read: 1, cache_write: 1, output: 1 };
const root = mkdtempSync(join(tmpdir(), "penguin-usage-narrow-"));
const disk = layout(root);
const usageWith = (secret: string) =>
  new Usage(
    {
      calls: new UsageCalls(disk),
      traces: new TraceStore(disk),
      agents: { list: async () => [{ id: "a", name: "a" }] },
      models: { view: async () => ({ models: [] }) },
      users: { get: async () => null },
      secret,
    },
    () => Date.parse("2026-07-20T12:00:00Z"),
  );
const usage = usageWith("a secret of the server");
const [OPEN, SECRET, SLASHED] = [sid(1), sid(2), sid(3)];
/** Its 300th UTF-16 unit is the first half of a character. */
const CUT = `${"x".repeat(299)}\u{1F427} and more`;

beforeAll(() => {
  new Records("2026-07-18T10:00:00Z")
    .meta(OPEN, { created_by: "ann" })
    .prompt("one")
    .request(10, { price: PRICE })
    .request(20)
    .failed("timeout", "nothing came")
    .wait(3_600_000)
    .failed("timeout", "nothing came")
    .failed("auth", CUT)
    .failed("aborted")
    .request()
    .write(disk, { project: P, agent: "a" }, OPEN);
  new Records("2026-07-19T10:00:00Z")
    .meta(SECRET, { created_by: "mia" })
    .info({ visibility: "private" })
    .prompt("two", "mia")
    .request(1, { user: "mia" })
    .request(2, { user: "mia" })
    .failed("failed", "a secret")
    .write(disk, { project: P, agent: "a" }, SECRET);
  new Records("2026-07-17T10:00:00Z")
    .meta(SLASHED, { provider: "a/b", model_id: "c", created_by: "ann" })
    .request(1)
    .event({
      type: "aux_usage",
      purpose: "title",
      provider: "a",
      model_id: "b/c",
      request: { cache_read: 0, cache_write: 1, output: 1, total: 2 },
    })
    .write(disk, { project: P, agent: "a" }, SLASHED);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const rows = (query: object) => usage.requests(P, "ann", usageRequestsQuery.parse({ range: "all", ...query }));
async function table(query: object, column: string): Promise<number> {
  const csv = await usage.csv(P, "ann", usageCsvQuery.parse({ range: "all", ...query }));
  const [head = "", ...lines] = csv.replace("\ufeff", "").trimEnd().split("\r\n");
  const at = head.split(",").indexOf(column);
  return lines.reduce((sum, line) => sum + Number(line.split(",").at(at)), 0);
}

it.each([
  [{ status: "timeout" }, 2],
  [{ errors: "1" }, 4],
  [{ certainty: "stamped" }, 1],
  [{ certainty: "unknown" }, 6],
  [{ since: "2026-07-18T11:00:00Z", until: "2026-07-19T00:00:00Z" }, 4],
  [{ message: "nothing came" }, 2],
  [{ errors: "1", since: "2026-07-18T11:00:00Z", user: "ann" }, 2],
])("ux 42: a CSV of what is shown holds the Requests that %j leaves, in every table", async (query, count) => {
  const page = await rows(query);
  expect([page.total, page.figures.requests]).toEqual([count, count]);
  for (const one of ["series", "model", "agent", "user", "session"]) {
    expect([one, await table({ ...query, table: one }, "requests")]).toEqual([one, count]);
  }
  expect(await table({ ...query, table: "series", group_by: "model" }, "requests")).toBe(count);
  const csv = await usage.csv(P, "ann", usageCsvQuery.parse({ range: "all", ...query, table: "requests" }));
  expect(csv.trimEnd().split("\r\n")).toHaveLength(count + 1);
});

it("US6: page by page nothing is missing or twice, and no cursor names a private Session", async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await rows({ limit: 1, ...(cursor === undefined ? {} : { cursor }) });
    seen.push(...page.requests.map(({ key }) => key));
    cursor = page.next ?? undefined;
    expect(cursor ?? "").not.toContain(SECRET);
  } while (cursor !== undefined);
  expect(seen).toEqual((await rows({ limit: 500 })).requests.map(({ key }) => key));
  expect(new Set(seen).size).toBe(12);
  expect(seen.join()).not.toContain(SECRET);
});

it("US6: the cover of a private Session cannot be found by trying which Session it is", async () => {
  const cover = async (one: Usage) =>
    (await one.view(P, "ann", usageQuery.parse({ range: "all" }))).by.session.rows.find(
      ({ session }) => session === null,
    )?.key;
  const key = await cover(usage);
  expect(key).toMatch(/^private-[0-9a-f]{16}$/);
  const guesses = [`${P}/a/${SECRET}`, `a/${SECRET}`, SECRET].map((text) =>
    createHash("sha256").update(text).digest("hex"),
  );
  expect(guesses.map((hex) => `private-${hex.slice(0, 16)}`)).not.toContain(key);
  // The same on this server, another one elsewhere.
  expect(await cover(usageWith("a secret of the server"))).toBe(key);
  expect(await cover(usageWith("another secret"))).not.toBe(key);
});

it("a reason that is cut inside of a character opens to its Requests", async () => {
  const { errors } = await usage.view(P, "ann", usageQuery.parse({ range: "all" }));
  const group = errors.groups.find(({ status }) => status === "auth");
  expect(group?.message).toBe("x".repeat(299));
  // As it stands in an address.
  const address = new URLSearchParams({ message: group?.message ?? "", errors: "1", range: "all" });
  const page = await rows(Object.fromEntries(new URLSearchParams(`${address}`)));
  expect(page).toMatchObject({ total: 1, requests: [{ status: "auth", error_message: CUT }] });
});

it("a Trace without times, or with endless names, is counted on the day of its folder, under names that fit", async () => {
  const [file, long] = [sid(9), `${"m".repeat(279)}\u{1F427}${"x".repeat(1e5)}`];
  const records = new Records("2026-07-16T10:00:00Z").meta(file, { model_id: long }).prompt("x", "p".repeat(1e5));
  records.request(1, { user: "p".repeat(1e5) }).failed("failed", "e".repeat(1e5));
  records.lines.splice(0, 99, ...records.lines.map((line) => line.replace(/"timestamp":"[^"]*"/, '"timestamp":"?"')));
  records.write(disk, { project: P, agent: "a" }, file);
  const page = await rows({ session: `a/${file}` });
  rmSync(disk.traceFile({ project: P, agent: "a" }, "2026-07-18", file, 1));
  expect(page.requests).toMatchObject([
    { at: "2026-07-18T00:00:00.000Z", status: "failed", model: `fake/${"m".repeat(279)}…` },
    { at: "2026-07-18T00:00:00.000Z", tokens: { output: 1 }, user: `${"p".repeat(150)}…` },
  ]);
  expect(JSON.stringify(page).length).toBeLessThan(8_000);
});

it("US2: endless names in a Trace make no endless answer, and the parts add up all the same", async () => {
  const file = sid(8);
  const records = new Records("2026-07-15T10:00:00Z").meta(file);
  const request = { cache_read: 0, cache_write: 1, output: 1, total: 2 };
  for (let n = 0; n < 1_500; n++)
    records.event({ type: "aux_usage", purpose: "title", provider: "p", model_id: `m${n}`, user: `u${n}`, request });
  records.write(disk, { project: P, agent: "a" }, file);
  const view = await usage.view(P, "ann", usageQuery.parse({ range: "all", bucket: "month", group_by: "user" }));
  rmSync(disk.traceFile({ project: P, agent: "a" }, "2026-07-18", file, 1));
  expect([view.options.models.length, view.options.users.length]).toEqual([1_000, 1_000]);
  const [point] = view.series;
  expect(point?.groups).toHaveLength(101);
  expect(point?.groups.at(-1)).toMatchObject({ key: "*", figures: { requests: 1_402 } });
  const sum = point?.groups.reduce((total, { figures }) => total + figures.tokens.total, 0);
  expect(sum).toBe(point?.figures.tokens.total);
});

it("US4: provider a/b with model c is not provider a with model b/c", async () => {
  const { by } = await usage.view(P, "ann", usageQuery.parse({ range: "all" }));
  const found = by.model.rows.filter(({ provider }) => provider.startsWith("a"));
  expect(found.map(({ provider, model_id, figures }) => [provider, model_id, figures.requests]).sort()).toEqual([
    ["a", "b/c", 1],
    ["a/b", "c", 1],
  ]);
  for (const { key } of found) expect((await rows({ model: key })).total).toBe(1);
});
