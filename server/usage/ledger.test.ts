/** Budgets over Trace files that come, go, come back and grow: what counts, how soon, and at what cost for each call. */
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Budget, usageQuery } from "../../lib/api/usage";
import { Audit } from "../audit";
import { type Layout, layout } from "../paths";
import { TomlFiles } from "../toml-file";
import { TraceStore } from "../trace/store";
import { BudgetConfig } from "./budget-config";
import { Budgets } from "./budgets";
import { UsageCalls } from "./calls";
import { Deletions } from "./deletions";
import { Records, sid } from "./testing/records";
import { Usage } from "./usage";

const P = "alpha";
const ref = (agent: string) => ({ project: P, agent });
/** A dollar for a Request of one token of output; what goes in is free. */
const PRICE = { cache_read: 0, cache_write: 0, output: 1e6 };
const MODEL = { provider: "fake", model_id: "m", pricing: PRICE };
const HARD: Budget = { scope: { kind: "project" }, period: "month", kind: "hard", limit_usd: 10, tz: "UTC" };
const START = "2026-07-18T10:00:00Z";

let root: string;
let disk: Layout;
let clock: number;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "penguin-ledger-"));
  disk = layout(root);
  clock = Date.parse("2026-07-20T12:00:00Z");
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

/** As a server that has just been started: nothing is remembered. */
async function started(...budgets: Budget[]) {
  const calls = new UsageCalls(disk);
  const deletions = new Deletions(disk, new Audit(disk));
  const agents = { list: async () => ["a", "b"].map((id) => ({ id, name: id })) };
  const models = { view: async () => ({ models: [MODEL] }) };
  const users = { get: async () => null, admins: async () => [] };
  const config = new BudgetConfig(disk, new TomlFiles());
  if (budgets.length > 0) await config.put(P, budgets);
  const parts = { config, calls, deletions, agents, models, users, members: { list: async () => [] } };
  const made = new Budgets(parts, () => clock);
  const traces = new TraceStore(disk);
  const usage = new Usage({ calls, traces, agents, models, users, secret: "s" }, () => clock);
  const spender = (session: string, agent = "a") => ({
    ...{ project: P, agent, session, user: "ann", model: MODEL, aside: false },
  });
  return {
    calls,
    ask: (session: string, agent?: string) => made.check(spender(session, agent), () => 0),
    all: async () => (await made.view(P, { user: "ann" })).budgets,
    spent: async () => (await made.view(P, { user: "ann" })).budgets[0]?.spent,
    used: async () => (await usage.view(P, "ann", usageQuery.parse({ range: "all" }))).totals.range,
    delete: (agent: string, session: string) => made.deleting(P, agent, session, "ann"),
    bring: async (agent: string, text: string) => {
      const body = new Blob([text]).stream();
      const outcome = await traces.import(ref(agent), body, { acceptDamage: false, by: "ann", maxBytes: 1e6 });
      expect(outcome.ok).toBe(true);
    },
  };
}

const dollar = (records: Records) => records.request(1, { price: PRICE });
const session = (n: number, dollars: number, agent = "a", more: object = {}) => {
  const records = new Records(START).meta(sid(n), { created_by: "ann", ...more }).prompt("go");
  for (let i = 0; i < dollars; i++) dollar(records);
  return { records, text: records.lines.join(""), write: () => records.write(disk, ref(agent), sid(n)) };
};
const pathOf = (agent: string, n: number) => disk.traceFile(ref(agent), "2026-07-18", sid(n), 1);
const remove = (agent: string, n: number) => rmSync(pathOf(agent, n));

it("US7: what was deleted and brought back counts once in usage, and once in a budget, in whatever order", async () => {
  const server = await started(HARD);
  const { text, write } = session(1, 2);
  write();
  session(2, 1).write();
  await server.delete("a", sid(1));
  // A deletion that was begun and cut off.
  expect(await server.spent()).toMatchObject({ usd: 3, deleted_usd: 0 });
  remove("a", 1);
  expect([(await server.used()).cost.usd, await server.spent()]).toMatchObject([1, { usd: 3, deleted_usd: 2 }]);
  await server.bring("a", text);
  expect([(await server.used()).cost.usd, await server.spent()]).toMatchObject([3, { usd: 3, deleted_usd: 2 }]);
  // It goes on here, and goes again: what it had cost here counts, what came in with it does not.
  const imported = (await server.calls.of(P, ["a"])).find(({ session_id }) => session_id === sid(1))?.files[0]?.path;
  appendFileSync(imported ?? "", dollar(new Records(START).prompt("on")).lines.join(""));
  expect([(await server.used()).cost.usd, await server.spent()]).toMatchObject([4, { usd: 4, requests_usd: 2 }]);
  await server.delete("a", sid(1));
  expect(await server.spent()).toMatchObject({ usd: 4, requests_usd: 2, deleted_usd: 2 });
  rmSync(imported ?? "");
  expect([(await server.used()).cost.usd, await server.spent()]).toMatchObject([1, { usd: 4, deleted_usd: 3 }]);
  await server.bring("a", text);
  expect([(await server.used()).cost.usd, await server.spent()]).toMatchObject([3, { usd: 4, deleted_usd: 3 }]);
  // Nothing of that is only remembered.
  expect(await (await started()).spent()).toMatchObject({ usd: 4, requests_usd: 1, deleted_usd: 3 });
});

it("US7: a deletion that was undone and done again after more was spent counts what was spent", async () => {
  const server = await started(HARD);
  const first = session(1, 1);
  first.write();
  await server.delete("a", sid(1));
  session(1, 3).write();
  expect(await server.spent()).toMatchObject({ usd: 3, deleted_usd: 0 });
  await server.delete("a", sid(1));
  remove("a", 1);
  expect(await server.spent()).toMatchObject({ usd: 3, deleted_usd: 3 });
  expect(await (await started()).spent()).toMatchObject({ usd: 3, deleted_usd: 3 });
});

it("US7: no imported copy gives money back, whichever Agent it says that it ran under", async () => {
  const server = await started(HARD);
  const { text, write } = session(1, 2, "b", { agent_state: "/x/agents/b/agent_state" });
  write();
  expect((await server.spent())?.usd).toBe(2);
  await server.bring("a", text.replace("/x/agents/b/", "/x/agents/a/"));
  expect((await server.spent())?.usd).toBe(2);
  // Usage counts it once (US4).
  expect(await server.used()).toMatchObject({ requests: 2, cost: { usd: 2 } });
  await server.delete("b", sid(1));
  remove("b", 1);
  expect(await server.spent()).toMatchObject({ usd: 2, deleted_usd: 2 });
});

it("US7: what an imported beginning says of itself takes nothing off what ran here, and adds nothing", async () => {
  const server = await started(HARD);
  const forged = new Records(START)
    .meta(sid(1), {
      model_id: "gone",
      forked_from: { agent: "a", session_id: sid(9), file_index: 1, line: 5, copied_lines: 1e9 },
    })
    .prompt("go")
    .request(1, {
      price: { cache_read: 0, cache_write: 1e6, output: 1e6 },
      request: { cache_read: 0, cache_write: 1e9, output: 0, total: 1e9 },
    });
  await server.bring("a", forged.lines.join(""));
  expect((await server.spent())?.usd).toBe(0);
  const path = (await server.calls.of(P, ["a"]))[0]?.files[0]?.path ?? "";
  const price = { cache_read: 0, cache_write: 1, output: 1e6 };
  appendFileSync(path, new Records(START).prompt("on").failed("aborted").request(1, { price }).lines.join(""));
  const { requests_usd = 0, stopped_usd = 0 } = (await server.spent()) ?? {};
  expect(requests_usd).toBeCloseTo(1, 4);
  // At its own price, for no more than there are bytes.
  expect([stopped_usd > 0, stopped_usd < 0.002]).toEqual([true, true]);
  expect(await server.used()).toMatchObject({ requests: 2, aborted: 1 });
});

it("US8: a call costs a look at the Sessions at work, not at all of them", async () => {
  const server = await started(HARD);
  for (let n = 1; n <= 30; n++) session(n, n <= 2 ? 1 : 0).write();
  const whole = vi.spyOn(server.calls, "of");
  const few = vi.spyOn(server.calls, "few");
  for (let i = 0; i < 8; i++) {
    const verdict = await server.ask(sid(1));
    expect(verdict.ok).toBe(true);
    // What the call did is on record at once, and counts at once.
    session(1, i + 2).write();
    if (verdict.ok) verdict.done();
    clock += 100;
  }
  expect(await server.ask(sid(2))).toMatchObject({ ok: false, message: expect.stringContaining("$10.00 of $10.00") });
  expect(whole).toHaveBeenCalledTimes(1);
  expect(Math.max(...few.mock.calls.map(([, places]) => places.length))).toBeLessThanOrEqual(2);
});

it("US8: what other programs write counts within five seconds, while nobody waits and after a rest", async () => {
  const server = await started(HARD);
  session(1, 1).write();
  session(2, 1).write();
  expect((await server.ask(sid(1))).ok).toBe(true);
  session(3, 4).write();
  appendFileSync(pathOf("a", 2), dollar(dollar(new Records(START).prompt("more"))).lines.join(""));
  clock += 4_900;
  // The next look was begun meanwhile.
  expect((await server.ask(sid(1))).ok).toBe(true);
  session(4, 2).write();
  clock += 5_000;
  expect(await server.ask(sid(1))).toMatchObject({ ok: false, message: expect.stringContaining("$10.00 of $10.00") });
  expect(await (await started()).spent()).toMatchObject({ usd: 10 });
});

it("US8: models whose names read the same together have budgets of their own", async () => {
  const slashed = (provider: string, model_id: string): Budget => ({
    ...HARD,
    scope: { kind: "model", provider, model_id },
    limit_usd: 1,
  });
  const server = await started(slashed("a/b", "c"), slashed("a", "b/c"));
  const records = new Records(START).meta(sid(1), { provider: "a/b", model_id: "c", created_by: "ann" }).prompt("go");
  dollar(records).write(disk, ref("a"), sid(1));
  expect(await server.spent()).toMatchObject({ usd: 1 });
  expect((await server.all()).map(({ key, state }) => [key, state])).toEqual([
    ["model:a%2Fb/c:month:hard", "used_up"],
    ["model:a/b/c:month:hard", "ok"],
  ]);
});
