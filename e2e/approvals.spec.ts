import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { allow, idle, messageBox, send, startConversation, stop, transcript } from "./support/chat";
import { execCommand, forgetModels, stopWhatWaits, useFakeModels } from "./support/models";
import { member } from "./support/people";
import { readLines, traceFiles } from "./support/traces";

const card = (page: Page) => page.locator('[id^="approval-"]');
const decisions = (root: string, session: string) =>
  readLines(traceFiles(root, session)[0] ?? "").filter(({ payload }) => payload.type === "approval_decision");

/** Opens the folded work, so that decisions can be read. */
async function unfold(page: Page): Promise<void> {
  const folded = transcript(page).locator('button[aria-expanded="false"]');
  for (let i = 0; i < 8 && (await folded.count()) > 0; i++) await folded.first().click();
}

test.setTimeout(180_000);
test.beforeEach(async ({ api, provider }) => {
  await stopWhatWaits(api);
  await useFakeModels(api, provider);
});
test.afterEach(async ({ api, provider }) => {
  await forgetModels(api);
  expect(provider.violations).toEqual([]);
});

// A blocked request and a refused one are part of what is tested.
test.use({ expectedErrors: [/ERR_FAILED|409|Failed to load resource/] });

test("ux 22, 23, 24, 25, 26; AP02, AP08, AP10, AP11: complete arguments, everywhere it waits, by keyboard, once; a rule's veto", async ({
  app,
  server,
  provider,
}) => {
  const cmd = `echo ${"x".repeat(1_500)}-THE-END && touch made.txt`;
  provider.script([{ calls: [execCommand("c1", cmd)] }], [{ text: "made" }]);
  const session = await startConversation(app, "please run");
  const chat = app.url();

  // 22, 23
  await expect(card(app)).toContainText("-THE-END && touch made.txt");
  await expect(card(app)).toContainText("waiting for");
  await expect(app.getByRole("button", { name: /^Deny/ })).toBeVisible();
  await expect(app).toHaveTitle(/^\(1\) /);

  // 26: Enter in the composer decides nothing.
  await messageBox(app).press("Enter");
  expect(decisions(server.root, session)).toEqual([]);

  // AP02, AP11
  await app.reload();
  await expect(allow(app)).toBeVisible();
  await app.getByRole("link", { name: /^Approvals/ }).click();
  await app.waitForURL(/\/approvals$/);
  await expect(card(app)).toContainText("-THE-END && touch made.txt");
  await app.getByRole("link", { name: /1 approval waits/ }).click();
  await app.waitForURL(new RegExp(session));
  await expect(card(app)).toBeInViewport();

  // AP10: a lost answer leaves the buttons usable.
  await app.route("**/approvals/*", (route) => route.abort());
  await allow(app).click();
  await expect(card(app).getByRole("alert")).toBeVisible();
  await app.unroute("**/approvals/*");

  // 26
  await messageBox(app).focus();
  await app.keyboard.press("Alt+a");
  await expect(app.getByRole("region", { name: /Approval needed/ })).toBeFocused();
  await app.keyboard.press("a");
  await expect(transcript(app)).toContainText("made");
  await idle(app);

  // 24
  await unfold(app);
  await expect(transcript(app)).toContainText("Allowed by you");
  expect(decisions(server.root, session).map(({ payload }) => payload)).toMatchObject([
    { decision: "allow", by: "admin", tool_call_id: "c1" },
  ]);
  expect(
    existsSync(join(String(readLines(traceFiles(server.root, session)[0] ?? "")[0]?.payload.workspace), "made.txt")),
  ).toBe(true);

  // AP08: one yes was one yes; answered in the inbox this time.
  provider.script([{ calls: [execCommand("c2", "rm -rf made.txt")] }], [{ text: "kept" }]);
  await send(app, "again");
  await expect(card(app)).toContainText("rm -rf made.txt");
  await app.getByRole("link", { name: /^Approvals/ }).click();
  // Not the button of the page that is about to go.
  await app.waitForURL(/\/approvals$/);
  await app.getByRole("button", { name: /^Deny/ }).click();
  await expect(app.getByText("Denied by you")).toBeVisible();
  await expect(app.getByText("Nothing waits for a decision")).toBeVisible();
  await app.goto(chat);
  await expect(transcript(app)).toContainText("kept");

  // 25: a rule refuses without a question, and reads differently from a person's No.
  await app.goto("/p/default_project/settings");
  await app.getByRole("button", { name: "Add rule" }).click();
  const dialog = app.getByRole("dialog", { name: "Add a rule" });
  await dialog.getByLabel("Name").fill("no-wget");
  await dialog.getByLabel("Pattern").fill("\\bwget\\b");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(app.getByRole("switch", { name: "Rule no-wget" })).toBeChecked();
  provider.script([{ calls: [execCommand("c3", "echo ok && 'wget' --version")] }], [{ text: "so be it" }]);
  await app.goto(chat);
  await send(app, "fetch it");
  await expect(transcript(app)).toContainText("so be it");
  await unfold(app);
  await expect(transcript(app)).toContainText("Denied by you");
  await expect(transcript(app)).toContainText("Forbidden by the policy no-wget");
  await app.goto(`/p/default_project/traces/default_agent/${session}/1?view=events`);
  const decided = app.locator("[data-row]", { hasText: "Approval" });
  await expect(decided.filter({ hasText: "deny" })).toContainText("admin");
  await app.getByRole("searchbox", { name: "Search in this Trace" }).fill("policy:no-wget");
  await expect(decided.filter({ hasText: "forbidden" })).toContainText("policy:no-wget");
});

test("ux 19, 20, 48; AP01: two people and one call; what one writes the other reads; a stop in another tab; a person who is in no Project yet", async ({
  app,
  api,
  server,
  provider,
  browser,
}) => {
  await api.post("/api/users", { data: { id: "ben", password: "ben-has-one" } });
  const ben = await member(browser, server.url, "ben", "ben-has-one");
  await ben.goto("/");
  await expect(ben.getByText("No Project yet").first()).toBeVisible();
  // 48: somebody outside of the Project learns nothing, not even that it is there.
  const answers = await Promise.all(
    ["default_project", "made_up"].map(async (id) => {
      const answer = await ben.request.get(`/api/projects/${id}/agents`);
      return [answer.status(), await answer.text()];
    }),
  );
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]?.[0]).toBe(404);
  await api.post("/api/projects/default_project/members", { data: { user: "ben", role: "member" } });

  provider.script([{ calls: [execCommand("d1", "echo both")] }], [{ text: "said" }]);
  await startConversation(app, "say both");
  await expect(allow(app)).toBeVisible();
  await ben.goto(app.url());
  await expect(ben.getByText("Your password was chosen by somebody else.")).toBeVisible();
  await expect(allow(ben)).toBeVisible();
  let release = () => {};
  const decided = new Promise<void>((resolve) => {
    release = resolve;
  });
  await ben.route("**/approvals/*", async (route) => {
    await decided;
    await route.continue();
  });
  await ben.getByRole("button", { name: /^Deny/ }).click();
  await allow(app).click();
  await expect(transcript(app)).toContainText("said");
  await unfold(app);
  await expect(transcript(app)).toContainText("Allowed by you");
  release();
  await expect(transcript(ben)).toContainText("said");
  await unfold(ben);
  await expect(transcript(ben)).toContainText("Allowed by Admin");
  await idle(app);
  // 19
  await send(ben, "and one from me");
  const theirs = transcript(app).getByRole("article").filter({ hasText: "and one from me" });
  await expect(theirs).toContainText("ben");
  await idle(app);
  await ben.context().close();

  // AP01
  provider.script([{ calls: [execCommand("d2", "sleep 60")] }]);
  await send(app, "now wait");
  await expect(allow(app)).toBeVisible();
  const url = `/api/projects/default_project/approvals`;
  const [waiting] = (await (await api.get(url)).json()).approvals;
  const second = await app.context().newPage();
  await second.goto(app.url());
  await stop(second).click();
  await expect(card(app).getByRole("button")).toHaveCount(0);
  await second.close();
  const late = await api.post(
    `/api/projects/default_project/agents/${waiting.agent}/sessions/${waiting.session_id}/approvals/${waiting.id}`,
    { data: { decision: "allow" } },
  );
  expect(late.status()).toBe(409);
  provider.script([{ text: "all good" }]);
  await send(app, "next");
  await expect(transcript(app)).toContainText("all good");
});
