import { readFileSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { idle, messageBox, send, sessionOf, startConversation, stop, transcript } from "./support/chat";
import { confirmCandidates } from "./support/ime";
import { forgetModels, textsOf, useFakeModels } from "./support/models";
import { Gate } from "./support/provider";
import { ADMIN_PASSWORD } from "./support/server";
import { readLines, sha256, traceFiles } from "./support/traces";

const area = (page: Page) => page.getByRole("textbox", { name: "Message" });
const commands = (page: Page) => page.getByRole("listbox", { name: "Commands" });
/** What the model reads as one text, taken apart: the block of a machine and what was typed. */
const partsOf = (body: Parameters<typeof textsOf>[0] = { messages: [] }) =>
  textsOf(body).flatMap((text) => text.split("\n\n"));

async function stageModel(page: Page, name: string): Promise<void> {
  await area(page).fill("/mo");
  await area(page).press("Enter");
  const search = page.getByRole("combobox", { name: "Choose the model" });
  await expect(search).toBeFocused();
  await search.fill(name);
  await search.press("Enter");
  await expect(page.getByText(`Switch to ${name}`)).toBeVisible();
  await expect(area(page)).toBeFocused();
}

// Many short steps: the limit is for a busy machine.
test.setTimeout(180_000);
test.beforeEach(async ({ api, provider }) => useFakeModels(api, provider));
test.afterEach(async ({ api, provider }) => {
  await forgetModels(api);
  expect(provider.violations).toEqual([]);
});

test("ux 1, 2, 3, 4, 5; KB01, KB02, KB10: the slash menu; /model is staged, taken back, sent; a new Session that reads the old Trace, linked both ways", async ({
  app,
  server,
  provider,
}) => {
  const early = `The word of the day is ${"marmalade ".repeat(400)}and nothing else`;
  provider.script([{ text: "Noted." }]);
  const source = await startConversation(app, early);
  await idle(app);
  const asked = provider.requests.length;

  // 5, KB01, KB02, KB10
  await area(app).fill("日本");
  await confirmCandidates(area(app));
  await expect(area(app)).toHaveValue("日本");

  // 1
  await area(app).fill("before after");
  await area(app).evaluate((box: HTMLTextAreaElement) => box.setSelectionRange(7, 7));
  await app.keyboard.type("/");
  const options = commands(app).getByRole("option");
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  await app.keyboard.press("ArrowDown");
  await expect(options.nth(1)).toHaveAttribute("aria-selected", "true");
  await expect(area(app)).toHaveAttribute("aria-activedescendant", (await options.nth(1).getAttribute("id")) ?? "");
  const { violations } = await new AxeBuilder({ page: app }).include('[aria-label="Message composer"]').analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await app.keyboard.press("Escape");
  await expect(commands(app)).toHaveCount(0);
  await expect(area(app)).toHaveValue("before /after");

  // 2; KB01 in the filter of /model
  await area(app).fill("/mo");
  await area(app).press("Tab");
  const search = app.getByRole("combobox", { name: "Choose the model" });
  await expect(search).toBeFocused();
  await confirmCandidates(search);
  await expect(search).toBeVisible();
  await search.press("Escape");
  await stageModel(app, "fake-2");
  expect(provider.requests).toHaveLength(asked);

  // 3
  await app.getByRole("button", { name: "Take back: fake-2" }).click();
  provider.script([{ text: "Still the first." }]);
  await send(app, "who are you?");
  await idle(app);
  expect(provider.requests.at(-1)?.model).toBe("fake-1");

  // 4 and "must show" 6
  const [file = ""] = traceFiles(server.root, source);
  const before = sha256(readFileSync(file));
  const line = readLines(file).findIndex(({ payload }) => payload.text === early) + 1;
  const read = { id: "r1", name: "read_file", arguments: JSON.stringify({ file_path: file, offset: line, column: 1 }) };
  provider.script([{ calls: [read] }], [{ text: "I read it." }]);
  await stageModel(app, "fake-2");
  // Staged chips are part of the draft.
  await app.reload();
  await expect(app.getByText("Switch to fake-2")).toBeVisible();
  await area(app).fill("go on");
  await area(app).press("Enter");
  await app.waitForURL(({ pathname }) => pathname.includes("/s/session-") && !pathname.endsWith(source));
  await expect(transcript(app)).toContainText("I read it.");
  await idle(app);
  const [first, second] = provider.requests.slice(-2);
  const [block = "", typed, ...rest] = partsOf(first);
  expect([first?.model, typed, rest]).toEqual(["fake-2", "go on", []]);
  const meta = readLines(file)[0]?.payload ?? {};
  expect(block.split("\n")).toEqual([
    "[model_switch_from]",
    `session: ${source}`,
    `trace: ${file}`,
    `workspace: ${meta.workspace}`,
    "previous_model: fake-1",
    "previous_provider: fake",
    "[/model_switch_from]",
  ]);
  expect(textsOf(second ?? { messages: [] }).at(-1)).toContain(early);
  expect(sha256(readFileSync(file))).toBe(before);
  expect(readLines(traceFiles(server.root, sessionOf(app))[0] ?? "")[0]?.payload).toMatchObject({
    workspace: meta.workspace,
    model_id: "fake-2",
    switched_from: { agent: "default_agent", session_id: source },
  });
  await expect(transcript(app)).not.toContainText("[model_switch_from]");
  const next = app.url();
  await app.getByText("Switched from").first().getByRole("link").click();
  await app.waitForURL(({ pathname }) => pathname.endsWith(source));
  await app.getByText("Goes on with fake-2:").getByRole("link").click();
  await app.waitForURL(next);
});

test.describe("nothing is lost, nothing is sent twice", () => {
  // A cookie that is gone is answered by 401, and the browser says so.
  test.use({ expectedErrors: [/401|Failed to load resource|Failed to fetch/] });

  test("ux 6, 7, 8, 10, 11, 12: drafts, Stop and Send, queue and recall, history, files, a double click", async ({
    app,
    provider,
  }) => {
    provider.script([{ text: "one" }]);
    await startConversation(app, "first prompt");
    await idle(app);

    // 10
    await area(app).press("ArrowUp");
    await expect(area(app)).toHaveValue("first prompt");
    await area(app).press("ArrowDown");
    await expect(area(app)).toHaveValue("");

    // 6
    await area(app).fill("half typed");
    await app.getByRole("link", { name: "New conversation" }).first().click();
    await app.waitForURL(/\/new$/);
    await expect(area(app)).toHaveValue("");
    await app.goBack();
    await expect(area(app)).toHaveValue("half typed");
    await app.context().clearCookies();
    await app.reload();
    await app.waitForURL(/\/sign-in/);
    await app.getByLabel("User").fill("admin");
    await app.getByRole("textbox", { name: "Password" }).fill(ADMIN_PASSWORD);
    await app.getByRole("button", { name: "Sign in" }).click();
    await app.waitForURL(/\/s\/session-/);
    await expect(area(app)).toHaveValue("half typed", { timeout: 30_000 });

    // 12, 7
    const rest = new Gate();
    provider.script([{ text: "beginning" }, { until: rest }, { text: " end" }]);
    const asked = provider.requests.length;
    await area(app).fill("run please");
    await app.getByRole("button", { name: "Send" }).dblclick();
    await expect(stop(app)).toBeVisible();
    await area(app).fill("queued one");
    await expect(app.getByRole("button", { name: "Steer", exact: true })).toBeVisible();
    await app.getByRole("button", { name: "While a Task runs" }).click();
    await app.getByRole("menuitemradio", { name: /^Queue/ }).click();
    await area(app).press("Enter");
    await expect(area(app)).toHaveValue("");
    await send(app, "queued two");

    // 8
    const waiting = app.getByRole("list", { name: "Messages that wait" }).getByRole("listitem");
    await expect(waiting).toHaveCount(2);
    await waiting.filter({ hasText: "queued two" }).getByRole("button", { name: "Recall" }).click();
    await expect(area(app)).toHaveValue("queued two");
    await area(app).fill("");
    rest.open();
    await expect(transcript(app)).toContainText("queued one");
    await idle(app);
    await expect.poll(() => provider.requests.length).toBe(asked + 2);
    const all = JSON.stringify(provider.requests);
    expect(all).not.toContain("queued two");
    expect(textsOf(provider.requests[asked] ?? { messages: [] }).at(-1)).toBe("run please");

    // 11
    await area(app).evaluate((box) => {
      const dot = atob(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      );
      const pasted = new DataTransfer();
      pasted.items.add(new File([Uint8Array.from(dot, (c) => c.charCodeAt(0))], "dot.png", { type: "image/png" }));
      box.dispatchEvent(new ClipboardEvent("paste", { clipboardData: pasted, bubbles: true, cancelable: true }));
      const dropped = new DataTransfer();
      dropped.items.add(new File(["some notes"], "notes.txt", { type: "text/plain" }));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
    });
    await expect(app.getByRole("button", { name: "Remove dot.png" })).toBeVisible();
    await expect(app.getByText("notes.txt").first()).toBeVisible();
    await app
      .getByRole("region", { name: "Message composer" })
      .locator('input[type="file"]')
      .setInputFiles({ name: "big.bin", mimeType: "application/octet-stream", buffer: Buffer.alloc(11 * 1024 * 1024) });
    await expect(app.getByText(/big\.bin is larger than 10 MiB/)).toBeVisible();
    await app.getByRole("button", { name: "Remove dot.png" }).click();
    await send(app, "see the file");
    const lastPrompt = () => textsOf(provider.requests.at(-1) ?? { messages: [] }).at(-1);
    await expect.poll(lastPrompt).toMatch(/^see the file\n\n\[attached file: .*notes/);
    await idle(app);
    await expect(messageBox(app)).toBeFocused();
  });
});

test("a goal: staged with a budget, its round and its end are told; /agent hands over without a Trace path", async ({
  app,
  api,
  provider,
}) => {
  await api.post("/api/projects/default_project/agents", { data: { id: "reviewer", name: "Reviewer" } });
  const rest = new Gate();
  provider.script([{ text: "working" }, { until: rest }, { text: " on it" }]);
  await app.goto("/p/default_project/a/default_agent/new");
  await area(app).fill("tidy up /goal");
  await area(app).press("Enter");
  await app.getByRole("textbox", { name: /Token budget/ }).fill("50");
  await app.keyboard.press("Enter");
  await expect(app.getByText("Goal, 50 tokens")).toBeVisible();
  await expect(area(app)).toHaveValue("tidy up ");
  await area(app).press("Enter");
  await app.waitForURL(/\/s\/session-/);
  const source = sessionOf(app);
  await expect(app.getByRole("region", { name: "Goal, round 1" })).toContainText("tokens left");
  rest.open();
  await expect(transcript(app)).toContainText(/Goal budget_limited|budget/i, { timeout: 20_000 });
  await idle(app);
  expect(textsOf(provider.requests.at(-1) ?? { messages: [] }).at(-1)).toContain("budget: 0 of 50 tokens left");

  await area(app).fill("/agent");
  await area(app).press("Enter");
  await app.getByRole("combobox", { name: "Choose the Agent" }).fill("review");
  await app.keyboard.press("Enter");
  await area(app).fill("please check");
  await area(app).press("Enter");
  await app.waitForURL(/\/a\/reviewer\/s\//);
  await expect(transcript(app)).toContainText("OK, done.");
  const [block = "", typed] = partsOf(provider.requests.at(-1));
  expect(typed).toBe("please check");
  expect(block).toMatch(new RegExp(`^\\[handoff_from\\]\\nagent: default_agent\\b.*\\nsession: ${source}`));
  expect(block).not.toContain("trace:");
  await expect(app.getByText("Handed over from")).toBeVisible();
});
