/** What belongs to one person and one device: drafts, what is private, notifications, the keyboard of a phone, previews. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { allow, idle, messageBox, send, sessionOf, startConversation, transcript } from "./support/chat";
import { forgetModels, stopWhatWaits } from "./support/models";
import { look, member, signInAs } from "./support/people";

const SESSIONS = "/api/projects/default_project/agents/default_agent/sessions";
/** No other test says so: lists of the other person are looked at too. */
const MINE = "say what is between us";
const [USER, PASSWORD] = ["cleo", "cleo-has-one"];

// Two people and several sign-ins: the limit is for a busy machine.
test.setTimeout(120_000);
test.beforeEach(async ({ api }) => {
  await stopWhatWaits(api);
  await forgetModels(api);
});

async function bringIn(app: Page): Promise<void> {
  await app.request.post("/api/users", { data: { id: USER, password: PASSWORD } });
  await app.request.post("/api/projects/default_project/members", { data: { user: USER, role: "member" } });
}
async function menu(app: Page, item: RegExp): Promise<void> {
  await app.getByRole("button", { name: "More actions" }).click();
  await app.getByRole("menuitem", { name: item }).click();
}

test.describe("two people", () => {
  // What one of them may not read any more is answered by 404, and the browser says so.
  test.use({ expectedErrors: [/404/] });
  test("ux 6: a draft is one person's; a conversation made private leaves the other's open window at once, and comes back when shared", async ({
    app,
    browser,
    server,
    signedIn,
  }) => {
    await bringIn(app);
    await startConversation(app, MINE);
    await idle(app);
    const place = app.url();
    const theirs = await member(browser, server.url, USER, PASSWORD);
    await theirs.goto(place);
    await expect(transcript(theirs)).toContainText(MINE);

    await menu(app, /^Make private/);
    await expect(
      theirs.getByText("This conversation does not exist, or you no longer have access to it."),
    ).toBeVisible();
    await expect(theirs.getByText(MINE)).toHaveCount(0);
    const id = sessionOf(app);
    expect((await theirs.request.get(`${SESSIONS}/${id}`)).status()).toBe(404);
    expect((await theirs.request.get(`${SESSIONS}/${id}/events`)).status()).toBe(404);
    await expect(app.getByText("Private", { exact: true })).toBeVisible();
    await send(app, "Still mine");
    await idle(app);

    await menu(app, /^Share with the Project/);
    await expect(app.getByText("Private", { exact: true })).toHaveCount(0);
    await theirs.reload();
    await expect(transcript(theirs)).toContainText("Still mine");
    await theirs.context().close();

    // Two people at one browser, one after the other.
    await messageBox(app).fill("half a thought of the admin");
    await app.context().clearCookies();
    await app.context().addCookies((await signInAs(server.url, USER, PASSWORD)).cookies);
    await app.goto(place);
    await expect(transcript(app)).toContainText("Still mine");
    await expect(messageBox(app)).toHaveValue("");
    await messageBox(app).fill("another one of cleo");
    await app.context().clearCookies();
    await app.context().addCookies(signedIn.cookies);
    await app.goto(place);
    await expect(messageBox(app)).toHaveValue("half a thought of the admin");
    await messageBox(app).fill("");
  });
});

test("notifications: nothing is asked before a person wants them; then what waits elsewhere is told, and leads there", async ({
  app,
}) => {
  // What the browser would show is written down instead.
  await app.addInitScript(() => {
    class Shown extends EventTarget {
      static permission = "default";
      static async requestPermission() {
        document.documentElement.dataset.asked = "yes";
        Shown.permission = "granted";
        return "granted";
      }
      onclick: (() => void) | null = null;
      constructor(title: string, { body = "" }: NotificationOptions = {}) {
        super();
        const button = document.createElement("button");
        button.textContent = `${title}: ${body}`;
        button.className = "notified";
        button.onclick = () => this.onclick?.();
        document.body.append(button);
      }
      close() {}
    }
    Object.defineProperty(window, "Notification", { value: Shown });
  });
  const start = async (text: string) => {
    const { session } = await (await app.request.post(SESSIONS, { data: { approval_mode: "always-ask" } })).json();
    const input = [{ type: "text", text }];
    expect((await app.request.post(`${SESSIONS}/${session.id}/tasks`, { data: { input } })).status()).toBe(202);
    return String(session.id);
  };
  const notified = app.locator(".notified");
  await app.goto("/p/default_project/a/default_agent/new");
  await look(app, "elsewhere");
  await start("Create a file one.txt that says hi");
  await expect(app).toHaveTitle(/^\(1\) /);
  await expect(notified).toHaveCount(0);
  await look(app, "here");
  await expect(app.locator("html[data-asked]")).toHaveCount(0);
  await app.getByRole("button", { name: "List options" }).click();
  await app.getByRole("menuitem", { name: /^Notify me/ }).click();
  await expect(app.locator("html[data-asked]")).toHaveCount(1);
  await look(app, "elsewhere");
  const id = await start("Create a file two.txt that says ho");
  await expect(notified.filter({ hasText: "Waits for your approval" })).toHaveCount(1);
  await notified.evaluate((button: HTMLButtonElement) => button.click());
  await app.waitForURL(new RegExp(id));
  await look(app, "here");
  await expect(allow(app)).toBeVisible();
  // Another window of this browser is in sight: it shows what waits, and the hidden one is silent until it is closed.
  const second = await app.context().newPage();
  await second.goto("/p/default_project/usage/me");
  await look(app, "elsewhere");
  const inSight = () =>
    app.evaluate(
      async () => (await navigator.locks.query()).held?.filter(({ name }) => /in-sight/.test(`${name}`)).length,
    );
  await expect.poll(inSight).toBe(1);
  await start("Create a file three.txt that says hey");
  await expect(app).toHaveTitle(/^\(3\) /);
  await expect(second).toHaveTitle(/^\(3\) /);
  await second.close();
  await expect.poll(inSight).toBe(0);
  await expect(notified).toHaveCount(1);
  await start("Create a file four.txt that says ha");
  await expect(notified).toHaveCount(2);
  await look(app, "here");
  await stopWhatWaits(app.request);
});

test.describe("phone", () => {
  test.use({ viewport: { width: 375, height: 667 }, hasTouch: true });
  test("KB08: the keyboard of a phone, whether it makes the page smaller or lies over it, leaves box and Send in view, and nothing zooms", async ({
    app,
  }) => {
    const keyboard = 260;
    await app.addInitScript(() => {
      let covered = 0;
      const seen = Object.defineProperties(new EventTarget(), {
        height: { get: () => window.innerHeight - covered },
        width: { get: () => window.innerWidth },
        scale: { value: 1 },
        offsetTop: { value: 0 },
        offsetLeft: { value: 0 },
      });
      Object.defineProperty(window, "visualViewport", { value: seen });
      window.addEventListener("test:keyboard", (event) => {
        covered = event instanceof CustomEvent ? event.detail : 0;
        seen.dispatchEvent(new Event("resize"));
      });
    });
    await startConversation(app, "Write 40 lines");
    await idle(app);
    const parts = [messageBox(app), app.getByRole("button", { name: "Send" })];
    const lowest = async () => {
      const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
      return Math.max(...boxes.map((box) => (box ? box.y + box.height : Number.POSITIVE_INFINITY)));
    };
    await messageBox(app).tap();
    await messageBox(app).fill("one\ntwo\nthree\nfour\nfive");
    // iOS enlarges a page when a box with smaller letters is touched.
    expect(
      await messageBox(app).evaluate((box) => Number.parseFloat(getComputedStyle(box).fontSize)),
    ).toBeGreaterThanOrEqual(16);

    // Android
    await app.setViewportSize({ width: 375, height: 667 - keyboard });
    for (const part of parts) await expect(part).toBeInViewport({ ratio: 1 });
    await app.setViewportSize({ width: 375, height: 667 });

    // iOS
    await app.evaluate((detail) => window.dispatchEvent(new CustomEvent("test:keyboard", { detail })), keyboard);
    await expect.poll(lowest).toBeLessThanOrEqual(667 - keyboard);
    await expect(transcript(app)).toBeInViewport();
    await app.evaluate(() => window.dispatchEvent(new CustomEvent("test:keyboard", { detail: 0 })));
    await expect.poll(lowest).toBeGreaterThan(667 - keyboard);
    const zoomed = await app.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(zoomed).toBe(false);
  });
});

test("files panel: a PDF of the Workspace is shown in place, as itself and for this app only", async ({ app }) => {
  await startConversation(app, "Hello, what can you do?");
  await idle(app);
  const { workspace } = await (await app.request.get(`${SESSIONS}/${sessionOf(app)}`)).json();
  writeFileSync(join(String(workspace), "paper.pdf"), onePage("A page of paper"));
  await app.getByRole("button", { name: "Files of the Workspace" }).click();
  const panel = app.getByRole("complementary", { name: "Files" });
  const answer = app.waitForResponse((response) => response.url().includes("path=paper.pdf"));
  await panel.getByRole("button", { name: /paper\.pdf/ }).click();
  const headers = await (await answer).allHeaders();
  expect(headers["content-type"]).toBe("application/pdf");
  expect(headers["content-disposition"]).toMatch(/^inline/);
  expect(headers["content-security-policy"]).toContain("frame-ancestors 'self'");
  await expect(panel.locator("iframe[title='Preview of paper.pdf']")).toBeVisible();
});

/** The smallest PDF with words on it. */
function onePage(words: string): string {
  const content = `BT /F1 24 Tf 40 700 Td (${words}) Tj ET`;
  const parts = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ];
  let text = "%PDF-1.4\n";
  const starts = parts.map((part, i) => {
    const at = text.length;
    text += `${i + 1} 0 obj${part}endobj\n`;
    return String(at).padStart(10, "0");
  });
  const table = starts.map((at) => `${at} 00000 n \n`).join("");
  return `${text}xref\n0 6\n0000000000 65535 f \n${table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF`;
}
