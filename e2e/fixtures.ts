/** What every browser test gets: one server per worker on its own data root, a signed-in page, a watch on the console. */
import { type APIRequestContext, test as base, expect, type Page, request } from "@playwright/test";
import { FakeProvider } from "./support/provider";
import { ADMIN_PASSWORD, TestServer } from "./support/server";

export { expect } from "@playwright/test";

interface WorkerFixtures {
  server: TestServer;
  provider: FakeProvider;
  /** Cookies of one sign-in over the API; a sign-in by hand is what sign-in tests do. */
  signedIn: Awaited<ReturnType<APIRequestContext["storageState"]>>;
}
interface TestFixtures {
  /** Console errors and page errors that the test expects, as patterns; anything else fails it. */
  expectedErrors: RegExp[];
  /** A page signed in as the admin. */
  app: Page;
  /** The HTTP API as the admin. */
  api: APIRequestContext;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright demands a destructured first argument
    async ({}, use) => {
      const server = await TestServer.start();
      await use(server);
      await server.remove();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  provider: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright demands a destructured first argument
    async ({}, use) => {
      const provider = await FakeProvider.start();
      await use(provider);
      await provider.stop();
    },
    { scope: "worker" },
  ],
  signedIn: [
    async ({ server }, use) => {
      const context = await request.newContext({ baseURL: server.url });
      const { csrfToken } = await (await context.get("/api/auth/csrf")).json();
      const form = { user: "admin", password: ADMIN_PASSWORD, csrfToken, json: "true" };
      expect((await context.post("/api/auth/callback/credentials", { form })).ok()).toBe(true);
      await use(await context.storageState());
      await context.dispose();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  expectedErrors: [[], { option: true }],
  page: async ({ page, expectedErrors }, use) => {
    const errors: string[] = [];
    watch(page, errors);
    await use(page);
    expect(errors.filter((error) => !expectedErrors.some((pattern) => pattern.test(error)))).toEqual([]);
    // A page that is left open works beside all tests that follow.
    expect(page.context().browser()?.contexts().length).toBe(1);
  },
  app: async ({ page, signedIn }, use) => {
    await page.context().addCookies(signedIn.cookies);
    await use(page);
  },
  api: async ({ app }, use) => use(app.request),
});

/** Collects what the console and the page report as errors. */
export function watch(page: Page, errors: string[]): void {
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => errors.push(error.message));
}

export async function signIn(page: Page, user = "admin", password = ADMIN_PASSWORD): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("User").fill(user);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/p\//);
}
