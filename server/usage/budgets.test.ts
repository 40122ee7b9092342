/** Budgets with real Sessions: soft ones warn, hard ones refuse the next Request; nothing that is gone gives anything back. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { type Budget, usageQuery } from "../../lib/api/usage";
import { isEventOf } from "../../lib/omni/guards";
import type { PriceStamp } from "../../lib/omni/message";
import { readConfig } from "../config";
import type { Llm } from "../engine/ports";
import { type Answer, answer, ScriptedLlm } from "../engine/testing/script";
import { createRuntime, type Runtime } from "../runtime";
import type { Session } from "../session/session";
import { idle, Reader, text, until } from "../session/testing/host";
import { Hasher } from "../users/hash";

const AGENT = { project: "alpha", agent: "default_agent" };
const MODEL = { provider: "fake", model_id: "m" };
/** Half a dollar for each answer of 500 tokens. */
const PRICE: PriceStamp = { cache_read: 0.5, cache_write: 1, output: 1_000 };
const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0).reverse()) await end();
});

interface World {
  root: string;
  runtime: Runtime;
  llm: { now: Llm };
  restart(): Promise<Runtime>;
}

async function world(budgets: Budget[], script: Answer[] = [answer({ usage: 500 }, { say: "fine" })]): Promise<World> {
  const root = await mkdtemp(join(tmpdir(), "penguin-budgets-"));
  cleanUp.push(() => rm(root, { recursive: true, force: true }));
  const llm = { now: new ScriptedLlm(script) as Llm };
  const start = () =>
    createRuntime(readConfig({ PENGUIN_HOME: root, NODE_ENV: "test", PENGUIN_WORKSPACE_ROOTS: root }), {
      hasher: new Hasher({ memoryCost: 8, timeCost: 1, parallelism: 1 }),
      env: { NODE_ENV: "test" },
      sessionHost: (host) => ({ ...host, autoTitle: world.titles, createLlm: () => llm.now }),
    });
  const runtime = await start();
  await runtime.projects.create("alpha", "Alpha", "ann");
  await runtime.agents.ensure(AGENT);
  await runtime.users.create({ id: "ann", name: "Ann Example", password: "ann-password" });
  await runtime.users.create({ id: "mia", password: "mia-password" });
  await runtime.projects.members.add("alpha", { user: "mia", role: "member" }, []);
  await runtime.files.update(runtime.layout.projectConfig("alpha"), (table) => ({
    table: {
      ...table,
      models: [
        { ...MODEL, base_url: "https://x.test/v1", api_key: "k", pricing: PRICE },
        { ...MODEL, model_id: "priceless", base_url: "https://x.test/v1", api_key: "k" },
      ],
    },
    result: undefined,
  }));
  await runtime.budgets.put("alpha", budgets);
  const made: World = {
    root,
    runtime,
    llm,
    restart: async () => {
      made.runtime.shutdown();
      made.runtime = await start();
      return made.runtime;
    },
  };
  cleanUp.push(async () => made.runtime.shutdown());
  return made;
}

world.titles = false;

const hard = (limit_usd: number, more: Partial<Budget> = {}): Budget => ({
  scope: { kind: "project" },
  period: "month",
  kind: "hard",
  limit_usd,
  tz: "Europe/Berlin",
  ...more,
});
const create = (runtime: Runtime, user = "ann", model_id = MODEL.model_id) =>
  runtime.sessions.create(AGENT, { model: { ...MODEL, model_id }, approval_mode: "allow-all" }, { id: user });

let prompts = 0;
async function ask(session: Session, author = "ann") {
  const id = `p${++prompts}`;
  await session.submit({ id, parts: text("go"), author }, false);
  await idle(session);
}
async function stateOf(session: Session) {
  const reader = new Reader();
  session.subscribe(null, reader);
  return reader.state;
}
const spent = async (runtime: Runtime) => (await runtime.budgets.view("alpha", { user: "ann" })).budgets[0];

it("ux 43: a soft budget warns at 80 % and refuses nothing; a hard one refuses the next Request, with the reason and whom to ask", async () => {
  const { runtime } = await world([hard(1), hard(0.6, { kind: "soft" })]);
  const session = await create(runtime);
  await ask(session);
  expect((await runtime.budgets.view("alpha", { user: "ann", ...MODEL })).budgets).toMatchObject([
    { state: "ok", used: 0.5, applies: true, spent: { usd: 0.5 } },
    { state: "warning", kind: "soft" },
  ]);
  // The one that goes beyond it is not cut.
  await ask(session);
  expect((await stateOf(session)).error).toBeUndefined();
  expect(await spent(runtime)).toMatchObject({ state: "used_up", spent: { usd: 1, requests_usd: 1 } });
  await ask(session);
  const { error } = await stateOf(session);
  expect(error).toMatchObject({ code: "refused", text: "go" });
  expect(error?.message).toMatch(
    /budget of this Project for this month is used up: \$1\.00 of \$1\.00.*Ask Ann Example/,
  );
  const files = await runtime.traces.files(AGENT, session.ref.session);
  const { records } = (await runtime.traces.read(AGENT, session.ref.session, files.at(-1)?.index ?? 1)) ?? {
    records: [],
  };
  expect(records.map(({ message }) => message).findLast((one) => isEventOf(one, "request_end"))?.payload).toMatchObject(
    {
      status: "failed",
      refused: true,
      over_budget: true,
    },
  );
  expect(records.map(({ message }) => message).findLast((one) => isEventOf(one, "abort"))?.payload).toMatchObject({
    reason: expect.stringMatching(/^The budget of this Project/),
  });
  // What was never sent cost nothing, and nothing about it is unknown.
  const { range } = (await runtime.usage.view("alpha", "ann", usageQuery.parse({}))).totals;
  expect(range).toMatchObject({ requests: 3, completed: 2, failed: 1, unknown: 0, cost: { usd: 1 } });
  // With more money the prompt goes on by a repeat.
  await runtime.budgets.put("alpha", [hard(10)]);
  await session.retry("ann");
  await idle(session);
  expect((await stateOf(session)).error).toBeUndefined();
});

it("budgets of members and models bind only whom they name; a model without a price is refused under a hard one", async () => {
  const { runtime } = await world([
    hard(0.5, { scope: { kind: "member", user: "mia" }, period: "day" }),
    hard(5, { scope: { kind: "model", provider: "fake", model_id: "priceless" } }),
  ]);
  const [anns, mias] = [await create(runtime), await create(runtime, "mia")];
  await ask(anns);
  await ask(mias, "mia");
  await ask(anns);
  await ask(mias, "mia");
  expect((await stateOf(anns)).error).toBeUndefined();
  expect((await stateOf(mias)).error?.message).toContain("budget of this person for today");
  const priceless = await create(runtime, "ann", "priceless");
  await ask(priceless);
  expect((await stateOf(priceless)).error?.message).toContain("No price is known for priceless");
  expect(
    (await runtime.budgets.view("alpha", { user: "ann", ...MODEL })).budgets.map(({ applies }) => applies),
  ).toEqual([false, false]);
});

it("20 Sessions started at the same moment exceed a hard budget by no more than one Request each", async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { runtime } = await world([hard(3)], [answer({ wait: gate }, { usage: 500 }, { say: "fine" })]);
  const sessions = await Promise.all(Array.from({ length: 20 }, () => create(runtime)));
  const rounds = sessions.map(async (session) => {
    for (let n = 0; n < 4; n += 1) {
      await ask(session);
      if ((await stateOf(session)).error) return;
    }
  });
  await until(() => sessions.every(({ status }) => status !== "idle"));
  release();
  await Promise.all(rounds);
  const { rows } = (await runtime.usage.view("alpha", "ann", usageQuery.parse({}))).by.session;
  const sent = rows.reduce((sum, { figures }) => sum + figures.completed, 0);
  expect(sent).toBeGreaterThanOrEqual(6);
  expect(sent).toBeLessThanOrEqual(6 + 20);
  // Nobody began another one once it was used up.
  expect(Math.max(...rows.map(({ figures }) => figures.completed))).toBeLessThanOrEqual(2);
  for (const session of sessions) expect((await stateOf(session)).error?.code).toBe("refused");
});

it("a restart, a deleted Session and its import change nothing of what was spent", async () => {
  const made = await world([hard(100)]);
  const [kept, gone] = [await create(made.runtime), await create(made.runtime)];
  for (const session of [kept, gone, gone]) await ask(session);
  expect((await spent(made.runtime))?.spent).toMatchObject({ usd: 1.5, deleted_usd: 0 });
  const [file] = await made.runtime.traces.files(AGENT, gone.ref.session);
  const path = made.runtime.layout.traceFile(AGENT, file?.date ?? "", gone.ref.session, 1);
  const bytes = await readFile(path);
  await made.runtime.sessions.remove(gone.ref, "ann");
  expect((await spent(made.runtime))?.spent).toMatchObject({ usd: 1.5, requests_usd: 0.5, deleted_usd: 1 });
  const lines = (await readFile(made.runtime.layout.projectAudit("alpha"), "utf8"))
    .split("\n")
    .filter((l) => l.includes("usage.deleted"));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      by: "ann",
      user: "ann",
      model: "fake/m",
      requests: 2,
      tokens: 1_000,
      cost: 1,
      day: expect.stringMatching(/^\d{4}-/),
    },
  ]);
  const body = new Blob([bytes]).stream();
  const outcome = await made.runtime.traces.import(AGENT, body, { acceptDamage: false, by: "mia", maxBytes: 1e9 });
  expect(outcome.ok).toBe(true);
  expect((await spent(made.runtime))?.spent.usd).toBe(1.5);
  // Usage has it again: it is a function of the Traces.
  expect((await made.runtime.usage.view("alpha", "ann", usageQuery.parse({}))).totals.range.cost.usd).toBe(1.5);
  const again = await made.restart();
  expect((await spent(again))?.spent).toMatchObject({ usd: 1.5, requests_usd: 0.5, deleted_usd: 1 });
});

it("a stopped Request counts the input that was sent, and a budget stands in the Project's file beside what else is there", async () => {
  const made = await world([hard(100)], [answer({ hang: "half an ans" })]);
  const session = await create(made.runtime);
  await session.submit({ id: "stop", parts: text("word ".repeat(4_000)), author: "ann" }, false);
  await until(() =>
    session.status === "running" ? made.llm.now instanceof ScriptedLlm && made.llm.now.requests.length > 0 : false,
  );
  await session.abort("ann");
  await idle(session);
  const budget = await spent(made.runtime);
  expect(budget?.spent.requests_usd).toBe(0);
  // 20,000 bytes of prompt and what the Agent always sends, at a quarter of a token a byte and $1 a million.
  expect(budget?.spent.stopped_usd).toBeGreaterThan(0.005);
  expect(budget?.spent.stopped_usd).toBeLessThan(0.05);
  const config = await readFile(made.runtime.layout.projectConfig("alpha"), "utf8");
  expect(config).toMatch(/\[\[budgets\]\]\nscope = "project"\nperiod = "month"\nkind = "hard"\nlimit_usd = 100/);
  expect(config).toContain('name = "Alpha"');
  await expect(made.runtime.budgets.put("alpha", [hard(1), hard(2)])).rejects.toMatchObject({ code: "bad_request" });
});

it("US8 titles, compaction and subagents are asked about like any other call", async () => {
  world.titles = true;
  const script = answer(
    { usage: 500_000 },
    { call: "run_subagent", id: "c1", args: '{"description":"d","prompt":"help"}' },
  );
  const { runtime, llm } = await world([hard(0.4)], [script, answer({ say: "never" })]);
  world.titles = false;
  const session = await create(runtime);
  await ask(session);
  await until(() => !session.titles.busy);
  // The one call there was; the compaction that was due, the title and the child were refused.
  expect(llm.now instanceof ScriptedLlm && llm.now.requests.length).toBe(1);
  const { range } = (await runtime.usage.view("alpha", "ann", usageQuery.parse({}))).totals;
  expect(range).toMatchObject({ completed: 1, unknown: 0, aux: 0 });
  expect(range.failed).toBeGreaterThanOrEqual(2);
  const [file] = await runtime.traces.files(AGENT, session.ref.session);
  const { records } = (await runtime.traces.read(AGENT, session.ref.session, file?.index ?? 1)) ?? { records: [] };
  const outputs = records.flatMap(({ message }) =>
    message.type === "model_msg" && message.payload.type === "tool_call_output" ? [message.payload.output] : [],
  );
  expect(outputs.join()).toContain("is used up");
  expect(
    records.map(({ message }) => message).findLast((one) => isEventOf(one, "compaction_end"))?.payload,
  ).toMatchObject({
    status: "failed",
    error_message: expect.stringContaining("is used up"),
  });
});
