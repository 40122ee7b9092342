/** Issue 8, "must show" 4: sign-in against a real OpenID provider in Chromium. And what every answer of the built server says. */
import { readFileSync } from "node:fs";
import { test as base, expect } from "./fixtures";
import { TestProvider } from "./support/oidc";
import { TestServer } from "./support/server";

const test = base.extend<object, { idp: TestProvider }>({
  idp: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright demands a destructured first argument
    async ({}, use) => {
      const idp = await TestProvider.start();
      await use(idp);
      await idp.stop();
    },
    { scope: "worker" },
  ],
  server: [
    async ({ idp }, use) => {
      const server = await TestServer.start({ ...idp.env("engineers=team_alpha:member"), PENGUIN_TRUST_PROXY: "1" });
      idp.serve(server.url);
      await use(server);
      await server.remove();
    },
    { scope: "worker", timeout: 60_000 },
  ],
});

// A refusal is part of what is tested: browsers report it as an error.
test.use({ expectedErrors: [/status of 404/], actionTimeout: 15_000 });

test("ux 48: a group opens its Project, and closes it at the next sign-in; a cancelled one says so, in the reader's language", async ({
  page,
  idp,
  server,
  playwright,
  signedIn,
}) => {
  // A machine that may be busy.
  test.setTimeout(120_000);
  const admin = await playwright.request.newContext({ baseURL: server.url, storageState: signedIn });
  expect((await admin.post("/api/projects", { data: { id: "team_alpha", name: "Team Alpha" } })).status()).toBe(201);
  idp.accounts.set("42", { name: "Ann Example", preferred_username: "ann", groups: ["engineers"] });
  const elsewhere = page.getByRole("button", { name: "Sign in with Test ID" });
  const signInThere = async (login: string) => {
    // The provider forgets who was there.
    await page.context().clearCookies({ name: /^_/ });
    await elsewhere.click();
    await page.getByLabel("Login").fill(login);
    await page.getByRole("button", { name: "Go on" }).click();
  };

  await page.goto("/p/team_alpha/people");
  await page.waitForURL(/\/sign-in\?to=/);
  await elsewhere.click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.waitForURL(/\/sign-in\?error=oidc_denied/);
  await expect(page.getByText("Test ID did not let you in, or you cancelled there.")).toBeVisible();
  await signInThere("42");
  // Where she wanted to go.
  await page.waitForURL(`${server.url}/p/team_alpha/people`);
  await expect(page.getByRole("button", { name: "Project: Team Alpha" })).toBeVisible();
  const row = page.getByRole("listitem").filter({ hasText: "Ann Example" });
  await expect(row).toContainText("by group");
  await page.goto("/p/team_alpha/account");
  await expect(page.getByText("You have no password here")).toBeVisible();
  await expect(page.getByText("this one")).toBeVisible();

  idp.accounts.set("42", { name: "Ann Example", preferred_username: "ann", groups: [] });
  await page.getByRole("button", { name: "Account: Ann Example" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/sign-in/);
  await signInThere("42");
  await expect(page.getByText("No Project yet").first()).toBeVisible();
  await page.goto("/p/team_alpha/people");
  await expect(page.getByText("Not found").first()).toBeVisible();

  expect((await admin.patch("/api/users/ann", { data: { disabled: true } })).status()).toBe(200);
  await page.context().clearCookies();
  await page.context().addCookies([{ name: "penguin_language", value: "zh", url: server.url }]);
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "使用 Test ID 登录" }).click();
  await page.getByLabel("Login").fill("42");
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(page.getByText("您在此服务器上的账户已停用。")).toBeVisible();
  await admin.dispose();
});

test("MU10, AT22: pages, answers and files say what a browser may do with them, over http and behind a proxy with https; pages and routes read one cookie", async ({
  server,
  signedIn,
}) => {
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(server.url + path, { headers, redirect: "manual" });
    return { status: answer.status, text: await answer.text(), of: (name: string) => answer.headers.get(name) };
  };
  const https = { "x-forwarded-proto": "https", "x-forwarded-host": "team.test" };
  // No page is made before it is asked for, or it would have no nonce; the last resort of Next itself needs no script.
  const { routes } = JSON.parse(readFileSync(".next/prerender-manifest.json", "utf8"));
  expect(Object.keys(routes)).toEqual(["/_global-error"]);
  const page = await ask("/sign-in");
  const script = /<script[^>]* src="(\/_next\/static\/[^"]+\.js)"/.exec(page.text)?.[1] ?? "";
  const all = ["/sign-in", "/made/up", "/p/made_up", "/api/health", "/api/me", script, "/icon.svg"];
  for (const path of all) {
    const [plain, secure] = [await ask(path), await ask(path, https)];
    expect(plain.of("x-content-type-options"), path).toBe("nosniff");
    expect(plain.of("referrer-policy"), path).toBe("same-origin");
    expect(plain.of("cross-origin-resource-policy"), path).toBe("same-origin");
    expect(plain.of("permissions-policy"), path).toContain("camera=()");
    expect(plain.of("strict-transport-security"), path).toBeNull();
    const file = path === script || path === "/icon.svg";
    if (!file) expect(secure.of("strict-transport-security"), path).toBe("max-age=31536000");
    const policy = plain.of("content-security-policy") ?? "";
    if (!file) expect(policy, path).toContain("frame-ancestors 'none'");
    if (file || path.startsWith("/api/")) continue;
    // Every script that stands in the page has the nonce of this very answer.
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
    const tags = plain.text.match(/<script\b[^>]*>/g) ?? [];
    expect(tags.length, path).toBeGreaterThan(3);
    expect(
      tags.filter((tag) => !tag.includes(`nonce="${nonce}"`)),
      path,
    ).toEqual([]);
  }

  // Signed in with the password, which goes on working beside the provider.
  expect(signedIn.cookies.filter(({ name }) => /session/.test(name))).toMatchObject([
    { name: "penguin_session", httpOnly: true, sameSite: "Lax", secure: false },
  ]);
  const cookie = signedIn.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  expect(JSON.parse((await ask("/api/auth/session", { cookie })).text).user).toEqual({ id: "admin", name: "Admin" });
  expect((await ask("/sign-in", { cookie })).status).toBe(200);
  expect((await ask("/p/default_project/people", { cookie })).status).toBe(200);
});

test("AT21: no address of this server leads to another one", async ({ server }) => {
  const cases = [
    "//evil.test",
    "//evil.test/p/",
    "///evil.test//",
    "/%5Cevil.test/",
    "/%09/evil.test/",
    "/sign-in/?to=//evil.test",
  ];
  for (const path of [
    ...cases,
    "/p//evil.test/",
    "/api/auth/signin?callbackUrl=https://evil.test",
    "/api/auth/signout",
  ]) {
    const answer = await fetch(server.url + path, { redirect: "manual", headers: { "x-forwarded-host": "" } });
    const location = answer.headers.get("location");
    expect(new URL(location ?? "/", server.url + path).origin, path).toBe(server.url);
    expect(answer.status, path).toBeLessThan(500);
  }
});
