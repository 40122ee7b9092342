/** Issue 7: what is shown of usage equals a count over the raw Trace lines, opens down to each record, and budgets hold. */
import { readFileSync } from "node:fs";
import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { startVendor, type Vendor } from "@/server/llm/testing/vendor";
import { expect, test } from "./fixtures";
import { idle, messageBox, send, sessionOf, transcript } from "./support/chat";
import { forgetModels } from "./support/models";
import { readLines, traceFiles } from "./support/traces";

const PROJECT = "/api/projects/default_project";
const AGENT = "counted";
const PRICE = { cache_read: 0.1, cache_write: 1, output: 2 };
const PAGE = `/p/default_project/usage?range=today&tz=UTC&agent=${AGENT}`;

interface Counted {
  requests: number;
  tokens: number;
  usd: number;
}

/** The independent count: token_usage lines of the files, at the price that is in them. */
function recount(root: string, sessions: string[]): Counted {
  const sum = { requests: 0, tokens: 0, usd: 0 };
  for (const { payload } of sessions.flatMap((session) => traceFiles(root, session, AGENT)).flatMap(readLines)) {
    if (payload.type === "request_begin") sum.requests += 1;
    if (payload.type !== "token_usage") continue;
    const { request, price } = payload as unknown as { request: Record<string, number>; price?: typeof PRICE };
    const { cache_read = 0, cache_write = 0, output = 0 } = request;
    sum.tokens += cache_read + cache_write + output;
    if (price)
      sum.usd += (cache_read * price.cache_read + cache_write * price.cache_write + output * price.output) / 1e6;
  }
  return sum;
}

async function setModels(api: APIRequestContext, vendor: Vendor, price: typeof PRICE): Promise<void> {
  const entry = (model_id: string) => ({
    provider: "fake",
    model_id,
    base_url: vendor.baseUrl,
    api_key: "sk-e2e-usage-0001",
  });
  const models = [{ ...entry("priced"), pricing: price }, entry("unpriced")];
  const data = { models, default_model: { provider: "fake", model_id: "priced" } };
  expect((await api.put(`${PROJECT}/models`, { data })).status()).toBe(200);
}

async function budgets(api: APIRequestContext, list: object[]): Promise<void> {
  expect((await api.put(`${PROJECT}/budgets`, { data: { budgets: list } })).status()).toBe(200);
}

/** A conversation in the page, with this model; resolves with its Session. */
async function converse(page: Page, text: string): Promise<string> {
  await page.goto(`/p/default_project/a/${AGENT}/new`);
  await send(page, text);
  await page.waitForURL(/\/s\/session-/);
  await idle(page);
  return sessionOf(page);
}

/** Sends what will be refused: its text comes back into the box, maybe at once. */
async function refuse(page: Page, text: string): Promise<void> {
  await messageBox(page).fill(text);
  await messageBox(page).press("Enter");
}

/** One with the other model, over the API. */
async function converseUnpriced(api: APIRequestContext, root: string): Promise<string> {
  const sessions = `${PROJECT}/agents/${AGENT}/sessions`;
  const made = await api.post(sessions, { data: { model: { provider: "fake", model_id: "unpriced" } } });
  const { session } = await made.json();
  await api.post(`${sessions}/${session.id}/tasks`, { data: { input: [{ type: "text", text: "hello" }] } });
  await expect.poll(() => recount(root, [session.id]).tokens).toBe(110);
  return session.id;
}

const breakdown = (page: Page): Locator => page.getByRole("table", { name: "Model" });
const cells = (row: Locator): Promise<string[]> => row.getByRole("cell").allTextContents();
/** Lines of a CSV as objects by their head. */
function parseCsv(text: string): Record<string, string>[] {
  const [head = [], ...rows] = text
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
  return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i] ?? ""])));
}
const add = (rows: Record<string, string>[], column: string) => rows.reduce((sum, row) => sum + Number(row[column]), 0);

// A dozen pages, and a machine that may be busy.
test.setTimeout(120_000);
test.afterEach(async ({ api }) => {
  await budgets(api, []);
  await forgetModels(api);
});

test("ux 39, ux 40, ux 41, ux 42, ux 43: figures equal the Traces, open to their records, keep their filters and prices; a budget warns and refuses", async ({
  app,
  api,
  server,
}) => {
  const vendor = await startVendor("openai-chat", { models: ["priced", "unpriced"] });
  await api.post(`${PROJECT}/agents`, { data: { id: AGENT } });
  await setModels(api, vendor, PRICE);
  vendor.say([{ text: "The first answer." }], { fresh: 86, cached: 17_817, created: 0, output: 50 });
  const priced = await converse(app, "what did that cost?");
  vendor.fail(400, "refused", "this prompt is not allowed");
  await refuse(app, "something else");
  await expect(transcript(app)).toContainText("this prompt is not allowed");
  await idle(app);
  // The header counts as the server does, and leads to the page.
  const header = app.getByRole("button", { name: /^18k tokens/ });
  await header.click();
  await expect(app.getByRole("dialog", { name: "Usage of this conversation" })).toContainText("2 · 1 failed");
  await app.keyboard.press("Escape");
  vendor.say([{ text: "Without a price." }], { fresh: 100, cached: 0, created: 0, output: 10 });
  const unpriced = await converseUnpriced(api, server.root);
  const truth = recount(server.root, [priced, unpriced]);
  expect(truth).toEqual({ requests: 3, tokens: 18_063, usd: expect.closeTo(0.0019677, 10) });

  // ux 39, 40: the parts and their sum, and a missing price that is no 0.
  await app.goto(PAGE);
  await expect(breakdown(app)).toBeVisible();
  const [cost = "", requests = ""] = await cells(breakdown(app).getByRole("row").last());
  expect(requests).toBe(String(truth.requests));
  expect(cost).toContain("$0.0019677+");
  expect(cost).toContain("1 without a price");
  expect(cost).toContain("1 unknown");
  expect((await cells(breakdown(app).getByRole("row", { name: /^unpriced/ })))[0]).toBe("no price");
  await expect(
    app.getByRole("region", { name: "Cost", exact: true }).getByText("no price", { exact: true }),
  ).toBeVisible();
  // What scrolls is inside of the frame; a frame that scrolls away leaves an empty page.
  expect(await app.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBe(0);
  await app.getByRole("button", { name: "Tokens as a table" }).click();
  await expect(app.getByRole("table", { name: "Tokens", exact: true }).getByRole("row").last()).toContainText("18,063");

  // ux 42: the CSV has the same rows and sums.
  const download = app.waitForEvent("download");
  await app.getByRole("link", { name: "Model as CSV" }).click();
  const rows = parseCsv(readFileSync((await (await download).path()) ?? "", "utf8"));
  expect(rows).toHaveLength((await breakdown(app).getByRole("row").count()) - 2);
  expect({ requests: add(rows, "requests"), tokens: add(rows, "total"), usd: add(rows, "usd") }).toEqual({
    ...truth,
    usd: expect.closeTo(truth.usd, 10),
  });

  // ux 39, 41: down to the record, with the way in the address bar.
  await breakdown(app)
    .getByRole("row", { name: /^priced/ })
    .getByRole("link", { name: /show 2 Requests/ })
    .click();
  const panel = app.getByRole("dialog", { name: /^Requests: priced · Today/ });
  await expect(panel.getByRole("listitem")).toHaveCount(2);
  await expect(panel).toContainText("$0.0019677");
  await app.reload();
  await expect(panel.getByRole("listitem")).toHaveCount(2);
  const failed = panel.getByRole("listitem").filter({ hasText: "this prompt is not allowed" });
  await expect(failed).toContainText("unknown");
  const answered = panel.getByRole("listitem").filter({ hasText: "$0.0019677" }).getByRole("link");
  const line = Number(new URL((await answered.getAttribute("href")) ?? "", server.url).searchParams.get("line"));
  const [file = ""] = traceFiles(server.root, priced, AGENT);
  expect(JSON.parse(readFileSync(file, "utf8").split("\n")[line - 1] ?? "")).toMatchObject({
    payload: { type: "token_usage", request: { cache_read: 17_817, cache_write: 86, output: 50 } },
  });
  await answered.click();
  await app.waitForURL(new RegExp(`/traces/${AGENT}/${priced}/1\\?line=${line}`));
  await expect(app.locator(`[data-row="1:${line}"]`)).toBeVisible();
  await app.goBack();
  await expect(panel).toBeVisible();
  await app.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  expect(new URL(app.url()).searchParams.get("agent")).toBe(AGENT);

  // ux 40: another price today changes no old amount.
  const dearer = { cache_read: 1, cache_write: 10, output: 20 };
  await setModels(api, vendor, dearer);
  await app.reload();
  await expect(breakdown(app).getByRole("row").last()).toContainText("$0.0019677+");

  // ux 43: at 80 % a warning, at 100 % the next Request is refused, with the reason and whom to ask.
  const scope = { kind: "model", provider: "fake", model_id: "priced" };
  const budget = (kind: string, limit_usd: number) => ({ scope, period: "day", kind, limit_usd, tz: "UTC" });
  await budgets(api, [budget("soft", 1000)]);
  const { spent } = (await (await api.get(`${PROJECT}/budgets`)).json()).budgets[0];
  expect(spent.requests_usd).toBeCloseTo(truth.usd, 10);
  await budgets(api, [budget("soft", spent.usd / 0.85)]);
  await app.goto(`/p/default_project/a/${AGENT}/s/${priced}`);
  await expect(app.getByRole("status").filter({ hasText: "of the budget" })).toContainText(
    /8\d% of the budget “priced, per day”/,
  );
  await app.goto(PAGE);
  await app.getByRole("button", { name: "Edit budgets" }).click();
  const editor = app.getByRole("dialog", { name: "Budgets" });
  await editor.getByRole("combobox", { name: "Kind" }).click();
  await app.getByRole("option", { name: /^Hard/ }).click();
  await editor.getByRole("textbox", { name: "Limit, USD" }).fill("0.001");
  await editor.getByRole("button", { name: "Save" }).click();
  await expect(editor).toHaveCount(0);
  await expect(app.getByRole("progressbar", { name: "priced, per day" })).toHaveAttribute("aria-valuenow", "100");
  await app.goto(`/p/default_project/a/${AGENT}/s/${priced}`);
  await expect(app.getByRole("status").filter({ hasText: "is used up" })).toContainText("Ask Admin");
  const before = vendor.sent.length;
  await refuse(app, "one more");
  await expect(transcript(app)).toContainText("A budget is used up: the model was not called.");
  await expect(transcript(app)).toContainText(/Ask Admin/);
  await expect(messageBox(app)).toHaveValue("one more");
  expect(vendor.sent).toHaveLength(before);
  expect(vendor.violations).toEqual([]);
  await vendor.close();
});
