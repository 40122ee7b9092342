/** What holds on every page: no serious accessibility issue in either theme, room enough at 320 px, a visible focus. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { allow, idle, send, startConversation, transcript } from "./support/chat";

const PROJECT = "/p/default_project";

/** A conversation with an answer, a tool and a question that waits. */
async function pages(app: Page): Promise<string[]> {
  await app.request.put("/api/projects/default_project/models", { data: { models: [], default_model: null } });
  const session = await startConversation(app, "Create a file hello.txt that says hi");
  await allow(app).click();
  await idle(app);
  await send(app, "Create a file second.txt that says ho");
  await expect(allow(app)).toBeVisible();
  const links = await app
    .locator(`a[href^="${PROJECT}/"]`)
    .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  const sections = links.filter((href) => /^\/p\/[^/]+\/[a-z]+$/.test(href));
  return [
    ...new Set([
      `${PROJECT}/a/default_agent/s/${session}`,
      `${PROJECT}/a/default_agent/new`,
      ...sections,
      `${PROJECT}/traces/default_agent/${session}/1`,
    ]),
  ];
}

async function serious(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

test("must show 3, check 50: every page, light and dark: no serious issue of axe, no sideways scrolling at 320 px", async ({
  app,
}) => {
  test.setTimeout(180_000);
  const addresses = await pages(app);
  expect(addresses.length).toBeGreaterThan(4);
  const found: string[] = [];
  for (const address of addresses) {
    await app.goto(address);
    await app.waitForLoadState("networkidle");
    // What stands beside a conversation is part of its page.
    const files = app.getByRole("button", { name: "Files of the Workspace" });
    if (await files.isVisible()) {
      await files.click();
      const tree = app.getByRole("navigation", { name: "Workspace" });
      await expect(tree.getByRole("button", { name: /hello\.txt/ })).toBeVisible();
    }
    for (const colorScheme of ["light", "dark"] as const) {
      await app.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      for (const issue of await serious(app)) found.push(`${address} ${colorScheme}: ${issue}`);
    }
    if (await files.isVisible()) await files.click();
    await app.setViewportSize({ width: 320, height: 640 });
    const wide = await app.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wide > 0) found.push(`${address}: ${wide} px too wide at 320 px`);
    const moving = await app.evaluate(
      () =>
        document
          .getAnimations()
          .filter((one) => one.playState === "running" && one.effect?.getTiming().iterations === Infinity).length,
    );
    if (moving > 0) found.push(`${address}: ${moving} endless animations with reduced motion`);
    await app.setViewportSize({ width: 1280, height: 720 });
  }
  await app.context().clearCookies();
  await app.goto("/sign-in");
  for (const colorScheme of ["light", "dark"] as const) {
    await app.emulateMedia({ colorScheme });
    for (const issue of await serious(app)) found.push(`/sign-in ${colorScheme}: ${issue}`);
  }
  expect(found).toEqual([]);
});

test("check 49: Tab goes through the whole conversation page, visibly, and comes round", async ({ app }) => {
  await app.request.put("/api/projects/default_project/models", { data: { models: [], default_model: null } });
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
