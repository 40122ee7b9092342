import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { idle, send, startConversation, transcript } from "./support/chat";
import type { Step } from "./support/provider";

const SESSIONS = "/api/projects/default_project/agents/default_agent/sessions";
const place = (id: string) => `/p/default_project/a/default_agent/s/${id}`;
const lines = (text: string | null) => (text?.match(/Line \d+;/g) ?? []).join("");
const all = (count: number) => Array.from({ length: count }, (_, i) => `Line ${i + 1};`).join("");
/** An answer of so many lines that takes its time. */
const slow = (count: number, every = 120): Step[] =>
  Array.from({ length: count }, (_, i) => [{ text: `Line ${i + 1};\n\n` }, { wait: every }]).flat();

test.beforeEach(async ({ app, provider }) => {
  const body = {
    models: [{ provider: "fake", model_id: "fake", base_url: provider.url, api_key: "sk-test-key-000000" }],
    default_model: { provider: "fake", model_id: "fake" },
  };
  expect((await app.request.put("/api/projects/default_project/models", { data: body })).status()).toBe(200);
});
// The server is shared: other tests expect the demo model.
test.afterEach(async ({ app }) => {
  await app.request.put("/api/projects/default_project/models", { data: { models: [], default_model: null } });
});

test("SS14 eight visible windows of one browser answer and stay live over one connection", async ({
  app,
  provider,
}) => {
  const make = async () => (await (await app.request.post(SESSIONS, { data: {} })).json()).session.id as string;
  const ids = await Promise.all(Array.from({ length: 8 }, make));
  const windows: Page[] = [];
  const streams: string[] = [];
  for (const id of ids) {
    const page = await app.context().newPage();
    page.on("request", (request) => /\/(stream|events)(\?|$)/.test(request.url()) && streams.push(request.url()));
    await page.goto(place(id));
    windows.push(page);
  }
  const last = windows.at(-1);
  expect(await last?.evaluate(() => fetch("/api/me").then((response) => response.status))).toBe(200);
  provider.script(...ids.map((_, i): Step[] => [{ text: `Answer ${i}.` }]));
  for (const [i, id] of ids.entries()) {
    const input = [{ type: "text", text: `Question ${i}?` }];
    expect((await app.request.post(`${SESSIONS}/${id}/tasks`, { data: { input } })).status()).toBe(202);
  }
  for (const [i, page] of windows.entries()) {
    await expect(transcript(page)).toContainText(`Question ${i}?`);
    await expect(transcript(page)).toContainText(/Answer \d\./);
    // SS13: nothing of another conversation.
    expect((await transcript(page).textContent())?.match(/Question \d/g)).toHaveLength(1);
  }
  // The connection belongs to the worker of all windows, not to a page.
  expect(streams).toEqual([]);
  for (const page of windows) await page.close();
});

test("SS05, SS07, SS08, SS10, SS11, check 17, 18: cut off, reloaded, hidden: one answer, each line once", async ({
  app,
  provider,
}) => {
  provider.script([{ text: "The old answer." }], slow(40));
  const asked = provider.requests.length;
  await startConversation(app, "First?");
  await idle(app);
  await send(app, "Go on slowly");
  await expect(transcript(app)).toContainText("Line 3;");
  await app.context().setOffline(true);
  await expect(app.getByText(/offline/i).first()).toBeVisible({ timeout: 5_000 });
  await app.getByRole("textbox", { name: "Message" }).fill("kept while offline");
  await app.waitForTimeout(500);
  await app.context().setOffline(false);
  await expect(app.getByText(/offline/i)).toHaveCount(0);
  await expect(transcript(app)).toContainText("Line 20;");
  await app.reload();
  await expect(transcript(app)).toContainText("Line 21;");
  await expect(app.getByRole("textbox", { name: "Message" })).toHaveValue("kept while offline");
  await app.getByRole("textbox", { name: "Message" }).fill("");
  const second = await app.context().newPage();
  await second.goto(app.url());
  await expect(transcript(app)).toContainText("Line 40;", { timeout: 20_000 });
  await idle(app);
  for (const page of [app, second]) {
    await expect(transcript(page)).toContainText("Line 40;");
    const text = await transcript(page).textContent();
    expect(lines(text)).toBe(all(40));
    expect(text?.match(/The old answer\./g)).toHaveLength(1);
    await expect(page.getByRole("article", { name: "Answer" })).toHaveCount(2);
  }
  // SS10: coming back asks nothing again.
  expect(provider.requests.length - asked).toBe(2);
  await second.close();
});

test("SS01, SS13, SS17: leave a conversation that answers, work in another one, come back", async ({
  app,
  provider,
}) => {
  provider.script(slow(30), [{ text: "Answer in B." }]);
  const first = await startConversation(app, "Slowly in A");
  await expect(transcript(app)).toContainText("Line 2;");
  await startConversation(app, "Quick in B");
  await expect(transcript(app)).toContainText("Answer in B.");
  expect(lines(await transcript(app).textContent())).toBe("");
  await app
    .locator(`a[href="${place(first)}"]`)
    .first()
    .click();
  await expect(transcript(app)).toContainText("Slowly in A");
  await expect(transcript(app)).toContainText("Line 2;");
  await expect(transcript(app)).toContainText("Line 30;", { timeout: 20_000 });
  await idle(app);
  expect(lines(await transcript(app).textContent())).toBe(all(30));
});

test.describe("restart", () => {
  test.use({ expectedErrors: [/Failed to load resource|ERR_|network|fetch/i] });
  test("check 21: the server restarts in mid-Task, and the page comes back by itself with the truth", async ({
    app,
    provider,
    server,
  }) => {
    provider.script([{ text: "Half an answer" }, { wait: 60_000 }]);
    await startConversation(app, "Will be cut");
    await expect(transcript(app)).toContainText("Half an answer");
    await server.down("SIGKILL");
    await expect(app.getByText(/reconnecting/i).first()).toBeVisible({ timeout: 15_000 });
    await server.up();
    await expect(app.getByText(/server restarted/i).first()).toBeVisible({ timeout: 20_000 });
    await expect(transcript(app)).toContainText("Will be cut");
    provider.script([{ text: "And on." }]);
    await send(app, "go on");
    await expect(transcript(app)).toContainText("And on.");
  });
});
