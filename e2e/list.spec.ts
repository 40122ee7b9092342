import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { idle, messageBox, send, sessionOf, startConversation, transcript } from "./support/chat";
import { confirmCandidates } from "./support/ime";
import { forgetModels, useFakeModels } from "./support/models";
import { Gate } from "./support/provider";

const rail = (page: Page) => page.getByRole("navigation", { name: "Main navigation" });
const row = (page: Page, title: string) => rail(page).getByRole("listitem").filter({ hasText: title });

async function act(page: Page, title: string, action: string): Promise<void> {
  await row(page, title).first().hover();
  await row(page, title)
    .first()
    .getByRole("button", { name: /^Actions for/ })
    .click();
  await page.getByRole("menuitem", { name: action }).click();
}
async function groupBy(page: Page, how: string): Promise<void> {
  await page.getByRole("button", { name: "List options" }).click();
  await page.getByRole("menuitemradio", { name: how }).click();
}

test.setTimeout(90_000);
test.beforeEach(async ({ api, provider }) => useFakeModels(api, provider));

test.afterEach(async ({ api }) => forgetModels(api));

// The first send is refused on purpose.
test.use({ expectedErrors: [/507|Failed to load resource/] });

test("ux 16: a draft becomes a Session with its first accepted message; the list: rename (KB01), pin, groups, unread, archive, search, fork", async ({
  app,
  api,
  server,
  provider,
}) => {
  mkdirSync(join(server.workspaces, "alpha"), { recursive: true });
  await app.goto("/p/default_project/a/default_agent/new");
  await app.getByRole("button", { name: /^Workspace/ }).click();
  await app.getByRole("radio", { name: "Folder on the server" }).click();
  await app.getByRole("button", { name: "alpha" }).click();
  await app.getByRole("button", { name: "Use this folder" }).click();

  // A failed first send keeps the text and leaves no Session.
  await app.route("**/tasks", (route) =>
    route.fulfill({ status: 507, json: { error: { code: "disk_full", message: "The disk is full." } } }),
  );
  const count = async () =>
    (await (await api.get("/api/projects/default_project/agents/default_agent/sessions?limit=500")).json()).sessions
      .length;
  const before = await count();
  await messageBox(app).fill("keep me");
  await messageBox(app).press("Enter");
  await expect(app.getByText(/Not sent/)).toBeVisible();
  await expect(messageBox(app)).toHaveValue("keep me");
  expect(await count()).toBe(before);
  await app.unroute("**/tasks");
  await messageBox(app).press("Enter");
  await app.waitForURL(/\/s\/session-/);
  await idle(app);
  const first = sessionOf(app);
  const view = await api.get(`/api/projects/default_project/agents/default_agent/sessions/${first}`);
  expect((await view.json()).workspace).toMatch(/\/alpha$/);

  // Rename, with an input method; pin; groups.
  await act(app, "keep me", "Rename");
  await app.getByRole("textbox", { name: "Title" }).fill("Kept 日本");
  await confirmCandidates(app.getByRole("textbox", { name: "Title" }));
  await expect(app.getByRole("textbox", { name: "Title" })).toBeVisible();
  await app.keyboard.press("Enter");
  await expect(row(app, "Kept 日本")).toBeVisible();
  await groupBy(app, "Workspace");
  await expect(rail(app).getByRole("heading", { name: "alpha" })).toBeVisible();
  await act(app, "Kept 日本", "Pin");
  await expect(rail(app).getByRole("heading", { name: "Pinned" })).toBeVisible();
  await expect(rail(app).getByRole("heading", { name: "alpha" })).toHaveCount(0);

  // Unread: it ends while another conversation is open.
  const rest = new Gate();
  provider.script([{ text: "slowly" }, { until: rest }, { text: " done" }]);
  await startConversation(app, "long work");
  await row(app, "Kept 日本").getByRole("link").click();
  await app.waitForURL(new RegExp(first));
  await expect(transcript(app)).toContainText("keep me");
  rest.open();
  await expect(row(app, "long work")).toContainText("new", { timeout: 15_000 });
  await row(app, "long work").getByRole("link").click();
  await expect(transcript(app)).toContainText("slowly done");
  await expect(row(app, "long work")).not.toContainText("new");

  // 16: from an older answer, with what was said up to it and a title of its own; the source can go.
  await idle(app);
  const source = sessionOf(app);
  provider.script([{ text: "the second answer" }]);
  await send(app, "and more");
  await expect(transcript(app)).toContainText("the second answer");
  await idle(app);
  await app
    .getByRole("article", { name: "Answer" })
    .first()
    .getByRole("button", { name: /^Fork from here/ })
    .click();
  await app.waitForURL(({ pathname }) => pathname.includes("/s/session-") && !pathname.endsWith(source));
  await expect(row(app, "long work (2)")).toBeVisible();
  await expect(transcript(app)).toContainText("slowly done");
  await expect(transcript(app)).not.toContainText("the second answer");
  await row(app, "long work").filter({ hasNotText: "(2)" }).first().hover();
  await app.getByRole("button", { name: "Actions for long work", exact: true }).click();
  await app.getByRole("menuitem", { name: "Delete" }).click();
  await app.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(row(app, "long work")).toHaveCount(1);
  await row(app, "long work (2)").getByRole("link").click();
  await expect(transcript(app)).toContainText("slowly done");
  await send(app, "go on by yourself");
  // Nothing can be forked while it runs, and before it runs there is no Stop yet either.
  await expect(transcript(app)).toContainText("OK, done.");
  await idle(app);
  await messageBox(app).fill("/fork");
  await messageBox(app).press("Enter");
  await expect(row(app, "long work (3)")).toBeVisible();

  // Archive: out of the list, in its folder, and found by its title.
  await act(app, "Kept 日本", "Archive");
  await app.getByRole("searchbox", { name: "Search titles" }).fill("日本 kept");
  await expect(row(app, "Kept 日本")).toBeVisible();
  await app.getByRole("searchbox", { name: "Search titles" }).fill("");
  await act(app, "Kept 日本", "Unpin");
  await expect(row(app, "Kept 日本")).toHaveCount(0);
  await rail(app)
    .getByRole("button", { name: /^Archived/ })
    .click();
  await expect(row(app, "Kept 日本")).toBeVisible();
  await groupBy(app, "Date");
});
