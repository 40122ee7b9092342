/** The usage routes over generated Sessions: what they answer equals a recount over the raw files; budgets by PUT and GET. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { BudgetsView, UsageRequestsPage, UsageView } from "@/lib/api/usage";
import { SESSION_COOKIE } from "@/server/auth/person";
import { readConfig } from "@/server/config";
import { createRuntime, type Runtime, useRuntime } from "@/server/runtime";
import { Library, recount, writeConfig } from "@/server/usage/testing/library";
import { Hasher } from "@/server/users/hash";
import { GET as budgets, PUT as putBudgets } from "../budgets/route";
import { GET as csv } from "../usage.csv/route";
import { GET as requests } from "./requests/route";
import { GET as usage } from "./route";

const root = mkdtempSync(join(tmpdir(), "penguin-usage-api-"));
let made: Runtime;
const cookies: Record<string, string> = {};

beforeAll(async () => {
  writeConfig(root);
  new Library(root, 11, Date.now() - 40 * 86_400_000).fill(40);
  const config = readConfig({ PENGUIN_HOME: root, NODE_ENV: "test" });
  made = await createRuntime(config, {
    hasher: new Hasher({ memoryCost: 8, timeCost: 1, parallelism: 1 }),
    env: { NODE_ENV: "test" },
  });
  useRuntime(made);
  await made.projects.members.start("alpha", "ann");
  for (const agent of ["default_agent", "helper"]) await made.agents.ensure({ project: "alpha", agent });
  for (const id of ["ann", "vic"]) {
    await made.users.create({ id, name: `${id} example`, password: `${id}-password` });
    const token = { sub: id, sid: await made.users.addSignIn(id) };
    cookies[id] = `${SESSION_COOKIE}=${await encode({ token, secret: made.secret })}`;
  }
  await made.projects.members.add("alpha", { user: "vic", role: "viewer" }, []);
});
afterAll(() => {
  useRuntime(undefined);
  rmSync(root, { recursive: true, force: true });
});

type Handler = (request: Request, next: { params: Promise<never> }) => Promise<Response>;
function ask(handler: unknown, query = "", { as = "vic", body }: { as?: string; body?: object } = {}) {
  const request = new Request(`http://127.0.0.1:7364/api/x${query}`, {
    method: body ? "PUT" : "GET",
    headers: {
      host: "127.0.0.1:7364",
      cookie: cookies[as] ?? "",
      ...(body ? { "content-type": "application/json" } : {}),
    },
    body: body && JSON.stringify(body),
  });
  return (handler as Handler)(request, { params: Promise.resolve({ project: "alpha" }) as Promise<never> });
}
const read = async <T>(answer: Response): Promise<T> => {
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
};

it("Must show 2: page, Requests and CSV equal the recount, to the token and to 1e-9 USD", async () => {
  const truth = recount(root);
  const view = await read<UsageView>(await ask(usage, "?range=all&tz=Europe/Berlin"));
  expect(view.totals.range).toMatchObject({ requests: truth.requests, tokens: truth.tokens });
  expect(Math.abs(view.totals.range.cost.usd - truth.usd)).toBeLessThan(1e-9);
  const page = await read<UsageRequestsPage>(await ask(requests, "?range=all&tz=Europe/Berlin&limit=500"));
  expect([page.total, page.figures.tokens]).toEqual([truth.requests, truth.tokens]);
  const table = await ask(csv, "?range=all&tz=Europe/Berlin&table=session");
  expect(table.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const [head = "", ...lines] = (await table.text()).trimEnd().split("\r\n");
  const column = head.split(",").indexOf("usd") - head.split(",").length;
  const usd = lines.reduce((sum, line) => sum + Number(line.split(",").at(column)), 0);
  expect(Math.abs(usd - truth.usd)).toBeLessThan(1e-9);
});

it.each([
  ["?tz=Mars/Olympus", /time zone is not known.*Europe\/Berlin/],
  ["?from=yesterday", /^from: There is no such day.*YYYY-MM-DD/],
  ["?from=2026-02-30", /^from: There is no such day/],
  ["?to=2026-04-31", /^to: There is no such day/],
  ["?to=9999-12-31", /^to: There is no such day/],
  ["?range=forever", /^range: Expected is one of today, 7d/],
  ["?range=custom&from=2026-02-01&to=2026-01-01", /2026-02-01 is after 2026-01-01.*exchange the two/],
  ["?from=1970-01-01&to=2199-12-31", /longer than 100 years: choose/],
  ["?group_by=colour", /no such group/],
])("ux 41: %s is refused with its cause and what to do", async (query, message) => {
  for (const handler of [usage, requests, csv]) {
    if (handler === requests && query.includes("group_by")) continue;
    const answer = await ask(handler, query);
    expect(answer.status).toBe(400);
    expect((await answer.json()).error).toMatchObject({ code: "bad_request", message: expect.stringMatching(message) });
  }
});

it("ux 41: times and places in the rows that cannot be are refused; what is empty is no condition", async () => {
  for (const query of [
    "?cursor=nowhere",
    "?certainty=maybe",
    "?status=weird",
    "?errors=0",
    "?since=2026-02-30T00:00:00Z",
    "?until=1",
    "?since=2026-02-02T00:00:00Z&until=2026-02-01T00:00:00Z",
  ]) {
    expect([query, (await ask(requests, query)).status]).toEqual([query, 400]);
  }
  const { total } = await read<UsageRequestsPage>(
    await ask(requests, "?range=all&since=&until=&from=&to=&status=&tz="),
  );
  expect(total).toBe(recount(root).requests);
  const { range } = await read<UsageView>(await ask(usage, "?group_by=day,agent"));
  expect(range.group_by).toBe("agent");
});

it("ux 43: owners set budgets, viewers see how far they are used and whom to ask", async () => {
  const body = {
    budgets: [
      { scope: { kind: "project" }, period: "month", kind: "hard", limit_usd: 5, tz: "Asia/Shanghai" },
      { scope: { kind: "member", user: "vic" }, period: "day", kind: "soft", limit_usd: 0.5 },
    ],
  };
  expect((await ask(putBudgets, "", { body })).status).toBe(403);
  const put = await read<BudgetsView>(await ask(putBudgets, "", { as: "ann", body }));
  expect(put.budgets.map(({ key, tz }) => [key, tz])).toEqual([
    ["project:month:hard", "Asia/Shanghai"],
    ["member:vic:day:soft", "UTC"],
  ]);
  const seen = await read<BudgetsView>(await ask(budgets));
  expect(seen.ask).toEqual([{ user: "ann", name: "ann example" }]);
  expect(seen.budgets.map(({ applies }) => applies)).toEqual([true, true]);
  const twice = { budgets: [body.budgets[0], body.budgets[0]] };
  expect((await ask(putBudgets, "", { as: "ann", body: twice })).status).toBe(400);
  expect(
    (await ask(putBudgets, "", { as: "ann", body: { budgets: [{ ...body.budgets[0], limit_usd: -1 }] } })).status,
  ).toBe(400);
});

it("ux 43: a new budget is for somebody or something of this Project; what has one keeps it", async () => {
  const put = (...scopes: object[]) =>
    ask(putBudgets, "", {
      as: "ann",
      body: { budgets: scopes.map((scope) => ({ scope, period: "day", kind: "soft", limit_usd: 1 })) },
    });
  await made.users.create({ id: "out", name: "Outsider", password: "out-password" });
  for (const [scope, message] of [
    [{ kind: "member", user: "nobody" }, /Nobody with the id "nobody" belongs to this Project.*add the person/],
    [{ kind: "member", user: "out" }, /belongs to this Project/],
    [{ kind: "member", user: "../x" }, /belongs to this Project/],
    [{ kind: "model", provider: "fake", model_id: "gone" }, /no model "gone" of provider "fake".*add it/],
  ] as const) {
    const answer = await put(scope);
    expect([scope, answer.status]).toEqual([scope, 400]);
    expect((await answer.json()).error.message).toMatch(message);
  }
  const [vic, small] = [
    { kind: "member", user: "vic" },
    { kind: "model", provider: "fake", model_id: "small" },
  ];
  expect((await put(vic, small)).status).toBe(200);
  await made.projects.members.remove("alpha", "vic", []);
  await made.files.update(made.layout.projectConfig("alpha"), ({ models: _, ...table }) => ({ table, result: null }));
  expect((await put(vic, small)).status).toBe(200);
  expect((await put(small)).status).toBe(200);
  expect((await put(vic, small)).status).toBe(400);
});
