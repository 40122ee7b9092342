import { readFileSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { idle, sessionOf, startConversation, transcript } from "./support/chat";
import { Gate, lines } from "./support/provider";

const AGENT = "/api/projects/default_project/agents/default_agent";
const place = (id: string) => `/p/default_project/a/default_agent/s/${id}`;
const CODE = 'const a = "ä";\n\n\tif (a < 1) {\n  b();\n}';

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

/** Pixels of one movement. */
const STEP = 400;

/** The scrolling region around the conversation. */
const view = (page: Page): Locator => page.locator("[tabindex='0']", { has: page.getByRole("log") }).last();
const scrollTop = (page: Page) => view(page).evaluate((box) => Math.round(box.scrollTop));

/** A Trace of so many turns, as a file that is brought in. */
function trace(session: string, turns: number, extra: object[] = []): string {
  const at = (i: number) => new Date(Date.UTC(2026, 0, 1) + i * 1_000).toISOString();
  const meta = { session_id: session, provider: "fake", model_id: "fake", workspace: "/nowhere", system_prompt: "" };
  const records: object[] = [{ timestamp: at(0), type: "session_meta", payload: meta }];
  for (let i = 1; i <= turns; i++) {
    const answer = `Answer ${i}.\n\n${"Some words of it. ".repeat(5 + (i % 7) * 8)}`;
    records.push(
      { timestamp: at(i), type: "model_msg", payload: { type: "text", role: "user", text: `Question ${i}?` } },
      { timestamp: at(i), type: "event_msg", payload: { type: "request_begin" } },
      { timestamp: at(i), type: "model_msg", payload: { type: "text", role: "assistant", text: answer } },
      { timestamp: at(i), type: "event_msg", payload: { type: "request_end", status: "completed" } },
    );
  }
  const lines = [...records, ...extra.map((record) => ({ timestamp: at(turns + 1), ...record }))].map((record) =>
    JSON.stringify(record),
  );
  return `${lines.join("\n")}\n`;
}

async function bring(page: Page, session: string, data: string, query = ""): Promise<void> {
  const headers = { "content-type": "application/x-ndjson" };
  const answer = await page.request.post(`${AGENT}/traces${query}`, { headers, data });
  expect(answer.status(), await answer.text()).toBe(201);
  await page.goto(place(session));
  await expect(transcript(page)).toBeVisible({ timeout: 30_000 });
}

test("ux 13, 14, 15; UI07, UI08: read further up while it streams, copy exact code, reach what stands below", async ({
  app,
  provider,
}) => {
  await app.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const filler = Array.from({ length: 40 }, (_, i) => `Paragraph ${i}.`).join("\n\n");
  const [above, again] = [new Gate(), new Gate()];
  const slow = [...lines(1, 8), { until: above }, ...lines(9, 25), { until: again }, ...lines(26, 40)];
  provider.script([{ text: `\`\`\`ts\n${CODE}\n\`\`\`\n\n${filler}\n\n` }, ...slow]);
  await startConversation(app, "Write");
  await expect(transcript(app)).toContainText("Line 2;");
  await view(app).hover();
  await turnUp(app);
  above.open();
  await expect(transcript(app)).toContainText("Line 15;");
  expect(await scrollTop(app)).toBe(0);
  await app.getByRole("button", { name: "Jump to latest" }).click();
  const rest = () => view(app).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
  await expect.poll(rest).toBeLessThan(90);
  await view(app).hover();
  await turnUp(app);
  again.open();
  await expect(transcript(app)).toContainText("Line 40;");
  await idle(app);
  expect(await scrollTop(app)).toBe(0);
  await expect(app.getByRole("button", { name: "Jump to latest" })).toBeVisible();

  const block = app.locator("figure").first();
  await block.getByRole("button", { name: "Copy code" }).click();
  await expect(block.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await app.evaluate(() => navigator.clipboard.readText())).toBe(CODE);

  const answer = app.getByRole("article", { name: "Answer" });
  for (const name of [/Copy answer/, /Fork from here/]) {
    await answer.getByRole("button", { name }).focus();
    await expect(answer.getByRole("button", { name })).toBeFocused();
  }
  // Check 34-like: the way to the record in the Trace.
  await expect(answer.getByRole("link", { name: /Trace/ })).toHaveAttribute("href", /\/traces\/.*\?line=\d+/);
});

/** Turns the wheel until the beginning is there: a turn in the very frame in which the answer grows may be lost. */
async function turnUp(page: Page): Promise<void> {
  const turn = async () => {
    await page.mouse.wheel(0, -20_000);
    return scrollTop(page);
  };
  await expect.poll(turn).toBe(0);
}

test("older history comes without moving what is read; the outline goes to a turn; damaged lines are named", async ({
  app,
}) => {
  const session = "session-2026-01-01-00-00-00-0a1b2c3d";
  const damaged = trace(session, 130).split("\n").toSpliced(300, 0, '{"broken').join("\n");
  await bring(app, session, damaged, "?accept_damage=1");
  // Opens at its end, where the damage is told.
  await expect(app.getByText("Line 301 of file 1")).toBeInViewport();
  await view(app).hover();
  const blocks = () => app.locator("[data-task]").count();
  const loaded = await blocks();
  // Away from the end, as a person goes.
  await app.mouse.wheel(0, -STEP);
  await expect(app.getByRole("button", { name: "Jump to latest" })).toBeVisible();
  expect(await readUpwards(app, loaded + 40)).toEqual([]);
  expect(await blocks()).toBeGreaterThan(loaded);
  await app.getByRole("button", { name: "Outline" }).click();
  const turns = app.getByRole("navigation", { name: "Outline" }).getByRole("button", { name: /Question \d+\?/ });
  const question = /Question \d+\?/.exec((await turns.nth(20).textContent()) ?? "")?.[0] ?? "";
  await turns.nth(20).click();
  await expect(transcript(app).getByText(question, { exact: true })).toBeInViewport();
});

/**
 * Scrolls up in steps until so many blocks are there. Whatever comes in front, or is drawn late, what is being read
 * moves by what was scrolled: resolves with the steps at which it did not.
 */
function readUpwards(page: Page, wanted: number): Promise<string[]> {
  return page.evaluate(
    async ([step, blocks]) => {
      const wrong: string[] = [];
      const box = document.querySelector("[role=log]")?.closest("[tabindex='0']");
      if (!box) return ["no conversation"];
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const all = () => [...document.querySelectorAll<HTMLElement>("[data-task]")];
      const top = (id: string) =>
        all()
          .find(({ dataset }) => dataset.task === id)
          ?.getBoundingClientRect().top ?? 0;
      // The wheel's own movement has ended.
      for (let same = 0, last = -1; same < 5; last = box.scrollTop) {
        await frame();
        same = box.scrollTop === last ? same + 1 : 0;
      }
      const until = performance.now() + 25_000;
      while (all().length < blocks) {
        if (performance.now() > until) return [...wrong, `only ${all().length} blocks came`];
        const { top: edge, height } = box.getBoundingClientRect();
        const inside = all().filter((one) => one.getBoundingClientRect().bottom > edge);
        const whole = inside.find((one) => one.getBoundingClientRect().top >= edge);
        const read = whole && whole.getBoundingClientRect().top < edge + height * 0.5 ? whole : inside[0];
        const id = read?.dataset.task ?? "";
        const before = top(id);
        const by = Math.min(step, box.scrollTop);
        box.scrollTop -= by;
        for (let i = 0; i < 4; i++) await frame();
        const moved = top(id) - before;
        if (Math.abs(moved - by) > 2) wrong.push(`${id} moved by ${moved}, scrolled by ${by}`);
      }
      return wrong;
    },
    [STEP, wanted] as const,
  );
}

test("KB05, UI05: long outputs and pictures come shortened, and whole when asked for", async ({ app }) => {
  const session = "session-2026-01-02-00-00-00-0a1b2c3d";
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const bytes = Buffer.concat([Buffer.from(pixel, "base64"), Buffer.alloc(70_000)]);
  const image_url = `data:image/png;base64,${bytes.toString("base64")}`;
  const text = `Begin ${"x".repeat(100_000)} End`;
  await bring(
    app,
    session,
    trace(session, 1, [
      { type: "model_msg", payload: { type: "image_url", role: "user", image_url, client_id: "c" } },
      { type: "model_msg", payload: { type: "text", role: "user", text: "Look", client_id: "c" } },
      { type: "event_msg", payload: { type: "request_begin" } },
      { type: "model_msg", payload: { type: "text", role: "assistant", text } },
      { type: "event_msg", payload: { type: "request_end", status: "completed" } },
    ]),
  );
  await expect(transcript(app)).toContainText("Begin");
  expect(await transcript(app).textContent()).not.toContain(" End");
  await expect(transcript(app).locator("img")).toHaveCount(0);
  await app.getByRole("button", { name: /^Show all/ }).click();
  await expect(transcript(app)).toContainText(" End");
  await app.getByRole("button", { name: /^Show \(/ }).click();
  await expect(transcript(app).locator("img")).toHaveCount(1);
});

test.describe("files", () => {
  // What the page of the Workspace tries is refused, and the browser says so.
  test.use({ expectedErrors: [/Content Security Policy|sandbox|Blocked|Refused|Unsafe|cross-origin/i] });
  test("files panel: tree, text, isolated page, upload, and names in an answer as links", async ({ app, provider }) => {
    provider.script([{ text: "See `notes/todo.md` and https://example.com/x.html." }]);
    await startConversation(app, "Which files?");
    await idle(app);
    const session = await (await app.request.get(`${AGENT}/sessions/${sessionOf(app)}`)).json();
    const folder = String(session.workspace);
    await mkdir(join(folder, "notes"), { recursive: true });
    writeFileSync(join(folder, "notes", "todo.md"), "# To do\n\n- one\n");
    const tries =
      "document.body.dataset.ran='yes';try{parent.document.body.dataset.taken='yes'}catch{}fetch('/api/me').then(()=>{document.body.dataset.net='yes'},()=>{})";
    writeFileSync(join(folder, "page.html"), `<body><h1>A page</h1><script>${tries}</script></body>`);
    await app.reload();
    const card = app.getByRole("list", { name: "Files in this answer" });
    await expect(card.getByRole("button")).toHaveCount(1);
    await app
      .getByRole("article", { name: "Answer" })
      .locator("p")
      .getByRole("button", { name: "notes/todo.md" })
      .click();
    const panel = app.getByRole("complementary", { name: "Files" });
    await expect(panel.getByRole("heading", { name: "To do" })).toBeVisible();
    await panel.getByRole("button", { name: "Back to all files" }).click();
    await panel.getByRole("button", { name: "page.html" }).click();
    await expect(panel.locator("iframe")).toHaveAttribute("sandbox", "");
    await panel.getByRole("switch").click();
    await expect(panel.locator("iframe")).toHaveAttribute("sandbox", "allow-scripts");
    const frame = panel.frameLocator("iframe");
    await expect(frame.locator("body")).toHaveAttribute("data-ran", "yes");
    // Its request was made before the page was: one round trip of ours is enough for an answer.
    expect(await app.evaluate(() => fetch("/api/me").then(({ status }) => status))).toBe(200);
    expect(await frame.locator("body").getAttribute("data-net")).toBeNull();
    expect(await app.locator("body").getAttribute("data-taken")).toBeNull();
    await panel.getByRole("button", { name: "Back to all files" }).click();
    await panel
      .locator("input[type=file]")
      .setInputFiles({ name: "up.txt", mimeType: "text/plain", buffer: Buffer.from("up!") });
    await panel.getByRole("button", { name: "up.txt" }).click();
    await expect(panel.getByText("up!")).toBeVisible();
    expect(readFileSync(join(folder, "up.txt"), "utf8")).toBe("up!");
    await expect(panel.getByRole("link", { name: "Download" })).toHaveAttribute("href", /as=download/);
  });
});
