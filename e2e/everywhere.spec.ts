/** What holds on every page: no serious accessibility issue in either theme, room enough at 320 px, a visible focus. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { allow, idle, messageBox, send, startConversation, transcript } from "./support/chat";
import { forgetModels, stopWhatWaits } from "./support/models";

const PROJECT = "/p/default_project";
const MADE_UP = "/p/made_up";
const WIDE = { width: 1280, height: 720 };

// Many pages, and a machine that may be busy.
test.setTimeout(300_000);
test.beforeEach(async ({ api }) => {
  await stopWhatWaits(api);
  await forgetModels(api);
});
test.afterEach(async ({ api }) => stopWhatWaits(api));

/** A conversation with an answer, a tool and a question that waits, and every page that leads away from it. */
async function pages(app: Page): Promise<{ conversation: string; all: string[] }> {
  const session = await startConversation(app, "Create a file hello.txt that says hi");
  await allow(app).click();
  await idle(app);
  await send(app, "Create a file second.txt that says ho");
  await expect(allow(app)).toBeVisible();
  const links = await app
    .locator(`a[href^="${PROJECT}/"]`)
    .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  const sections = links.filter((href) => /^\/p\/[^/]+\/[a-z]+$/.test(href));
  const conversation = `${PROJECT}/a/default_agent/s/${session}`;
  const missing = `${PROJECT}/a/default_agent/s/session-2026-01-01-00-00-00-00000000`;
  const trace = `${PROJECT}/traces/default_agent/${session}/1`;
  const deeper = ["account", "audit", "people/all", "usage/me", "traces/compare"].map((name) => `${PROJECT}/${name}`);
  const all = [conversation, `${PROJECT}/a/default_agent/new`, ...sections, ...deeper, trace, missing, MADE_UP];
  return { conversation, all: [...new Set(all)] };
}

/** In the light theme everything; in the dark one what a theme changes: colours. `within`: the rest was looked at before. */
async function serious(page: Page, theme: "light" | "dark", within: string): Promise<string[]> {
  // No second page for the report: there are many pages to look at.
  const axe = new AxeBuilder({ page }).setLegacyMode().include(within);
  const rules = theme === "light" ? {} : { runOnly: ["color-contrast"] };
  const { violations } = await axe
    .options({ resultTypes: ["violations"], preload: false, iframes: false, ...rules })
    .analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${theme}: ${id}: ${html.slice(0, 160)}`));
}

async function issues(page: Page, within = "html"): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    found.push(...(await serious(page, colorScheme, within)));
  }
  await page.setViewportSize({ width: 320, height: 640 });
  // The page hears of it with a frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wide > 0) found.push(`${wide} px too wide at 320 px`);
  if (await page.locator("#content").count()) {
    // What scrolls is inside of the frame; a frame that scrolls away leaves an empty page.
    const high = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
    if (high > 0) found.push(`the frame scrolls by ${high} px`);
  }
  const moving = await page.evaluate(
    () =>
      document
        .getAnimations()
        .filter((one) => one.playState === "running" && one.effect?.getTiming().iterations === Infinity).length,
  );
  if (moving > 0) found.push(`${moving} endless animations with reduced motion`);
  await page.setViewportSize(WIDE);
  return found;
}

/** The page shows what it is about, and nothing that is still being asked for. */
async function ready(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
  await expect(page.locator("main .animate-late")).toHaveCount(0);
}

async function openFiles(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Files of the Workspace" }).click();
  const tree = page.getByRole("navigation", { name: "Workspace" });
  await expect(tree.getByRole("button", { name: /hello\.txt/ })).toBeVisible();
}

/** At 200 % of a window of 1280 x 720. */
async function writeAndDecide(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Files of the Workspace" }).click();
  await page.setViewportSize({ width: 640, height: 360 });
  await expect(messageBox(page)).toBeInViewport();
  await allow(page).scrollIntoViewIfNeeded();
  await expect(allow(page)).toBeInViewport();
  await page.setViewportSize(WIDE);
}

test.describe("pages", () => {
  // Two of the pages do not exist, and the browser says so.
  test.use({ expectedErrors: [/404/], viewport: WIDE });
  test("ux 50: every page, light and dark: nothing serious for axe, no sideways scrolling at 320 px, no endless motion when reduced; at 200 % one can write and decide", {
    tag: "@slow",
  }, async ({ app, browser, server }) => {
    const { conversation, all } = await pages(app);
    expect(all.length).toBeGreaterThan(12);
    const found: string[] = [];
    const look = async (page: Page, address: string): Promise<void> => {
      await page.goto(address, { waitUntil: "commit" });
      await ready(page);
      const here = address === conversation;
      // What stands beside a conversation is part of its page.
      if (here) await openFiles(page);
      // The rail is the same on every page.
      const within = here || !address.startsWith(PROJECT) ? "html" : "main";
      found.push(...(await issues(page, within)).map((issue) => `${address} ${issue}`));
      if (here) await writeAndDecide(page);
    };
    // Two windows at a time: a page is drawn while another one is looked at.
    const queue = [...all];
    const lane = async (page: Page): Promise<void> => {
      for (let address = queue.shift(); address; address = queue.shift()) await look(page, address);
    };
    const stranger = await browser.newPage({ baseURL: server.url, viewport: WIDE });
    const signIn = async () => {
      for (const address of ["/sign-in", "/sign-in/link"]) await look(stranger, address);
    };
    await Promise.all([lane(app), signIn().then(async () => lane(await app.context().newPage()))]);
    await stranger.close();
    expect(found).toEqual([]);
  });
});

test("ux 49: Tab goes through the whole conversation page, visibly, and comes round", async ({ app }) => {
  await startConversation(app, "Hello, what can you do?");
  await idle(app);
  await expect(transcript(app)).toContainText("Hello");
  const seen: string[] = [];
  let round = false;
  for (let i = 0; i < 150 && !round; i++) {
    await app.keyboard.press("Tab");
    const at = await app.evaluate(() => {
      const element = document.activeElement;
      // Between the last element and the first one the focus is with the browser.
      if (!element || element === document.body) return null;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      const ring = (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
      const within = element.closest("[class*='focus-within']") !== null;
      const name = `${element.tagName} ${element.id} ${element.getAttribute("aria-label") ?? element.textContent?.slice(0, 30)}`;
      return `${name}${ring || within ? "" : " WITHOUT RING"}`;
    });
    if (at === null) continue;
    round = seen.length > 3 && seen[0] === at;
    if (!round) seen.push(at);
  }
  expect(seen.filter((name) => name.endsWith("WITHOUT RING"))).toEqual([]);
  expect(seen.length).toBeGreaterThan(12);
  // No trap: it came round.
  expect(round, seen.join("\n")).toBe(true);
  expect(seen.some((name) => /Skip to content/.test(name))).toBe(true);
});
