import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { idle, messageBox, send, sessionOf, startConversation, transcript } from "./support/chat";
import { Line } from "./support/line";
import { look } from "./support/people";
import { Gate, lines, type Step } from "./support/provider";

const SESSIONS = "/api/projects/default_project/agents/default_agent/sessions";
const place = (id: string) => `/p/default_project/a/default_agent/s/${id}`;
const linesIn = (text: string | null) => (text?.match(/Line \d+;/g) ?? []).join("");
const all = (count: number) => Array.from({ length: count }, (_, i) => `Line ${i + 1};`).join("");

// Servers that stop and start, and eight windows: the limit is for a busy machine.
test.setTimeout(120_000);
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

test("SS14 eight visible windows of one browser answer and stay live over one connection", { tag: "@slow" }, async ({
  app,
  provider,
}) => {
  const make = async () => (await (await app.request.post(SESSIONS, { data: {} })).json()).session.id as string;
  const ids = await Promise.all(Array.from({ length: 8 }, make));
  const streams: string[] = [];
  const open = async (id: string): Promise<Page> => {
    const page = await app.context().newPage();
    page.on("request", (request) => /\/(stream|events)(\?|$)/.test(request.url()) && streams.push(request.url()));
    await page.goto(place(id), { waitUntil: "domcontentloaded" });
    return page;
  };
  const windows = await Promise.all(ids.map(open));
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
  await Promise.all(windows.map((page) => page.close()));
});

test("SS02, SS04: the built server hands on event by event, uncompressed, and asks proxies to do the same", async ({
  app,
  provider,
  server,
}) => {
  const id = (await (await app.request.post(SESSIONS, { data: {} })).json()).session.id as string;
  const cookie = (await app.context().cookies(server.url)).map(({ name, value }) => `${name}=${value}`).join("; ");
  const headers = { cookie, accept: "text/event-stream", "accept-encoding": "gzip, br" };
  const answer = await fetch(`${server.url}${SESSIONS}/${id}/events`, { headers });
  expect(answer.headers.get("cache-control")).toContain("no-transform");
  expect(answer.headers.get("x-accel-buffering")).toBe("no");
  expect(answer.headers.get("content-encoding")).toBeNull();
  // Its end is no beginning of the key: what may become one is held back until it does not (AC3).
  provider.script([{ text: "The first words." }, { hang: true }]);
  await app.request.post(`${SESSIONS}/${id}/tasks`, { data: { input: [{ type: "text", text: "Go" }] } });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let heard = "";
  while (!heard.includes("The first words.")) {
    const { done = true, value = "" } = (await reader?.read()) ?? {};
    expect(done, heard).toBe(false);
    heard += value;
  }
  // The answer of the provider never ends: nobody waited for its end.
  expect(provider.open).toBe(1);
  await reader?.cancel();
  expect((await app.request.post(`${SESSIONS}/${id}/abort`, { data: {} })).status()).toBe(202);
});

test.describe("cut off", () => {
  test.use({ expectedErrors: [/Failed to load resource|ERR_|network|fetch/i] });
  test("ux 17, 18; SS05, SS07, SS08, SS10, SS11, KB07: hidden, offline and reloaded in mid-answer: one answer, each line once, nothing asked twice", async ({
    app,
    browser,
    provider,
    server,
    signedIn,
  }) => {
    // Playwright's "offline" does not reach workers, and the connection belongs to one.
    const line = await Line.to(server.port);
    const [hidden, offline, reloaded] = [new Gate(), new Gate(), new Gate()];
    const slow = [
      ...[...lines(1, 5), { until: hidden }, ...lines(6, 15), { until: offline }],
      ...[...lines(16, 25), { until: reloaded }, ...lines(26, 40)],
    ];
    provider.script([{ text: "The old answer." }], slow);
    const asked = provider.requests.length;
    await app.goto(`${line.url}/p/default_project/a/default_agent/new`);
    await send(app, "First?");
    await app.waitForURL(/\/s\/session-/);
    await expect(transcript(app)).toContainText("The old answer.");
    await idle(app);
    // A window elsewhere, whose line nobody cuts.
    const other = await (await browser.newContext({ baseURL: server.url, storageState: signedIn })).newPage();
    await other.goto(place(sessionOf(app)));
    await send(app, "Go on slowly");
    await expect(transcript(app)).toContainText("Line 2;");

    // SS08: the phone is in a pocket.
    await look(app, "elsewhere");
    line.cut();
    hidden.open();
    await expect(transcript(other)).toContainText("Line 6;");
    line.mend();
    await look(app, "here");
    await expect(transcript(app)).toContainText("Line 6;");

    // 18
    await app.context().setOffline(true);
    line.cut();
    await expect(app.getByText(/You are offline/).first()).toBeVisible();
    await messageBox(app).fill("kept while offline");
    offline.open();
    await expect(transcript(other)).toContainText("Line 16;");
    line.mend();
    await app.context().setOffline(false);
    await expect(transcript(app)).toContainText("Line 16;");
    await expect(app.getByText(/You are offline/)).toHaveCount(0);

    // 17
    await app.reload({ waitUntil: "commit" });
    await expect(transcript(app)).toContainText("Line 16;");
    await expect(messageBox(app)).toHaveValue("kept while offline");
    await messageBox(app).fill("");
    reloaded.open();
    for (const page of [app, other]) {
      await expect(transcript(page)).toContainText("Line 40;", { timeout: 20_000 });
      await idle(page);
      const text = await transcript(page).textContent();
      expect(linesIn(text)).toBe(all(40));
      expect(text?.match(/The old answer\./g)).toHaveLength(1);
      await expect(page.getByRole("article", { name: "Answer" })).toHaveCount(2);
    }
    expect(provider.requests.length - asked).toBe(2);
    // KB07: after all these connections a message is still one message.
    await send(app, "Thanks");
    await expect(transcript(app)).toContainText("OK, done.");
    await idle(app);
    expect(provider.requests.length - asked).toBe(3);
    await other.context().close();
    await app.close();
    await line.end();
  });
});

test("SS01, SS13, SS17: leave a conversation that answers, work in another one, come back", async ({
  app,
  provider,
}) => {
  const rest = new Gate();
  provider.script([...lines(1, 10), { until: rest }, ...lines(11, 30)], [{ text: "Answer in B." }]);
  const first = await startConversation(app, "Slowly in A");
  await expect(transcript(app)).toContainText("Line 2;");
  await startConversation(app, "Quick in B");
  await expect(transcript(app)).toContainText("Answer in B.");
  expect(linesIn(await transcript(app).textContent())).toBe("");
  await app
    .locator(`a[href="${place(first)}"]`)
    .first()
    .click();
  await expect(transcript(app)).toContainText("Slowly in A");
  await expect(transcript(app)).toContainText("Line 2;");
  rest.open();
  await expect(transcript(app)).toContainText("Line 30;", { timeout: 20_000 });
  await idle(app);
  expect(linesIn(await transcript(app).textContent())).toBe(all(30));
});

test.describe("restart", () => {
  test.use({ expectedErrors: [/Failed to load resource|ERR_|network|fetch/i] });
  test("ux 21: the server restarts in mid-Task, and the page comes back by itself with the truth", async ({
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
    await expect(app.getByText(/server restarted/i).first()).toBeVisible({ timeout: 30_000 });
    await expect(transcript(app)).toContainText("Will be cut");
    provider.script([{ text: "And on." }]);
    await send(app, "go on");
    await expect(transcript(app)).toContainText("And on.");
  });
});
