import { readFile } from "node:fs/promises";
/** Issue 8: sign-in against a real OpenID provider, over HTTP as a browser does it. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { TestProvider } from "@/e2e/support/oidc";
import { AuthBrowser, standInForNext } from "../testing/auth-browser";
import { TestApi } from "../testing/server";

const GROUPS = "eng=alpha:member;leads=alpha:owner;cn=ops,ou=all=beta:viewer;root=admin;lost=nowhere:member";
let provider: TestProvider;
let api: TestApi;
let restore: () => void;

beforeAll(async () => {
  vi.stubEnv("AUTH_TRUST_HOST", "true");
  restore = standInForNext();
  provider = await TestProvider.start();
  api = await TestApi.start({}, provider.env(GROUPS));
  provider.serve("http://127.0.0.1:7364", "https://team.test");
  const { projects, users } = api.made;
  for (const id of ["alpha", "beta"]) await projects.create(id, id, "admin");
  await users.create({ id: "bob", name: "Bob", password: "bobs own password" });
});
afterAll(async () => {
  await api.stop();
  await provider.stop();
  restore();
  vi.unstubAllEnvs();
});

const role = async (project: string, id: string) => api.made.projects.role(project, { id, admin: false });
const me = async (browser: AuthBrowser) => (await api.call(browser.cookie, "GET", "/api/me")).body?.user?.id ?? null;
const problem = (location: string) => new URL(location, "http://x").searchParams.get("error");
const quiet = () => vi.spyOn(console, "error").mockImplementation(() => {});

it("a first sign-in makes the person, gives what the groups give, and is a sign-in like any other", async () => {
  const log = quiet();
  provider.accounts.set("s-ann", {
    name: "Ann Example",
    preferred_username: "Ann.Öster@x.test",
    groups: ["eng", "cn=ops,ou=all", "unknown", "lost"],
  });
  const browser = new AuthBrowser(undefined, { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" });
  expect(await browser.signIn("s-ann", "/p/alpha/people?x=1")).toBe("http://127.0.0.1:7364/p/alpha/people?x=1");
  expect(await me(browser)).toBe("ann_oster");
  const user = await api.made.users.get("ann_oster");
  expect(user).toMatchObject({ name: "Ann Example", admin: false, has_password: false, single_sign_on: true });
  expect([await role("alpha", "ann_oster"), await role("beta", "ann_oster")]).toEqual(["member", "viewer"]);
  const [signIn] = await api.made.users.signIns("ann_oster");
  expect(signIn?.device).toBe("Firefox, Linux");
  expect(Date.parse(signIn?.expires_at ?? "") - Date.parse(signIn?.created_at ?? "")).toBe(24 * 3_600_000);
  // Nothing of the way is left in the browser.
  expect([...browser.jar().keys()].filter((name) => name.startsWith("penguin_oidc"))).toEqual([]);
  // Again, from elsewhere: the same person, another sign-in. It ends at once when it is ended.
  const second = new AuthBrowser();
  await second.signIn("s-ann");
  expect(await me(second)).toBe("ann_oster");
  expect((await api.call(second.cookie, "DELETE", "/api/me/sign-ins")).status).toBe(204);
  expect([await me(browser), await me(second)]).toEqual([null, "ann_oster"]);
  // No password is theirs, so none fits.
  expect(await api.made.users.verify("ann_oster", "")).toBeNull();
  const audit = await api.call(await api.signIn("admin"), "GET", "/api/projects/alpha/audit");
  expect(audit.text).toMatch(/"action":"member.add","user":"ann_oster","role":"member","by_group":true/);
  expect(audit.text).toMatch(/"by":"ann_oster","action":"sign_in".*"how":"single_sign_on"/);
  expect(String(log.mock.calls)).toContain("nowhere, which does not exist");
});

it("groups are given, changed and taken back at each sign-in; what was given by hand stays, and so does a last owner", async () => {
  const log = quiet();
  const { members } = api.made.projects;
  const as = async (...groups: string[]) => {
    provider.accounts.set("s-cat", { preferred_username: "cat", groups });
    const browser = new AuthBrowser();
    await browser.signIn("s-cat");
    return browser;
  };
  await as("eng", "root");
  expect([await role("alpha", "cat"), (await api.made.users.get("cat"))?.admin]).toEqual(["member", true]);
  await as("leads", "eng");
  expect([await role("alpha", "cat"), (await api.made.users.get("cat"))?.admin]).toEqual(["owner", false]);
  // An open window of a Project that is taken away is closed.
  const closed: string[] = [];
  const person = { id: "cat", name: "cat", admin: false, sid: "x" };
  api.made.streams.add({ person, project: "alpha", close: () => closed.push("alpha") });
  const browser = await as();
  expect(await role("alpha", "cat")).toBeNull();
  expect(closed).toEqual(["alpha"]);
  expect((await api.call(browser.cookie, "GET", "/api/projects/alpha")).status).toBe(404);

  await members.add("alpha", { user: "cat", role: "viewer" }, []);
  await as("eng");
  expect(await role("alpha", "cat")).toBe("member");
  const owner = await api.signIn("admin");
  const patch = (wanted: string) => api.call(owner, "PATCH", "/api/projects/alpha/members/cat", { role: wanted });
  expect((await patch("viewer")).body.error.code).toBe("role_by_group");
  const listed = (await api.call(owner, "GET", "/api/projects/alpha/members")).body.members;
  expect(listed).toContainEqual({ user: "cat", name: "cat", role: "member", by_group: "member" });
  await as();
  expect(await role("alpha", "cat")).toBe("viewer");
  expect((await patch("viewer")).status).toBe(200);

  // Nobody else owns it: it is kept, and said.
  await as("leads");
  await members.remove("alpha", "admin", []);
  await as();
  expect(await role("alpha", "cat")).toBe("owner");
  expect(String(log.mock.calls)).toContain("the last owner stays");
  await members.add("alpha", { user: "admin", role: "owner" }, []);
  await as();
  expect(await role("alpha", "cat")).toBe("viewer");
});

it("AT20 a name or an address that somebody here has leads nobody into their account", async () => {
  provider.accounts.set("s-mallory", { preferred_username: "bob", email: "bob@x.test", name: "Bob" });
  provider.accounts.set("s-root", { preferred_username: "admin", email: "admin@x.test" });
  const [mallory, root] = [new AuthBrowser(), new AuthBrowser()];
  await mallory.signIn("s-mallory");
  await root.signIn("s-root");
  expect([await me(mallory), await me(root)]).toEqual(["bob_2", "person"]);
  expect((await api.made.users.get("person"))?.admin).toBe(false);
  expect((await api.made.users.verify("bob", "bobs own password"))?.id).toBe("bob");
  expect(await api.made.users.signIns("bob")).toEqual([]);
  // Two windows at the very first sign-in: one person.
  provider.accounts.set("s-dan", { preferred_username: "dan" });
  const twice = [new AuthBrowser(), new AuthBrowser()];
  const backs = await Promise.all(twice.map(async (one) => one.through(await one.begin(), "s-dan")));
  await Promise.all(twice.map((one, i) => one.finish(backs[i] ?? "")));
  expect(await Promise.all(twice.map(me))).toEqual(["dan", "dan"]);
  expect(await api.made.users.get("dan_2")).toBeNull();
});

it("who is disabled or deleted here is refused, and told; five times a minute", async () => {
  provider.accounts.set("s-eve", { preferred_username: "eve" });
  const browser = new AuthBrowser();
  await browser.signIn("s-eve");
  await api.made.users.patch("eve", { disabled: true });
  expect(await me(browser)).toBeNull();
  expect(problem(await browser.signIn("s-eve"))).toBe("oidc_disabled");
  expect(await me(browser)).toBeNull();
  await api.made.users.patch("eve", { disabled: false });
  await api.made.users.remove("eve");
  for (let i = 0; i < 4; i++) expect(problem(await browser.signIn("s-eve"))).toBe("oidc_disabled");
  expect(problem(await browser.signIn("s-eve"))).toBe("too_many_attempts");
  expect(await api.made.users.get("eve_2")).toBeNull();
});

it("AT19 a state, nonce, code or verifier of another sign-in signs nobody in; each failure is named", async () => {
  quiet();
  provider.accounts.set("s-fay", { preferred_username: "fay" });
  const [victim, attacker] = [new AuthBrowser(), new AuthBrowser()];
  // The attacker's answer of the provider, opened in the victim's browser (CSRF of a sign-in).
  const theirs = await attacker.through(await attacker.begin("/p/alpha"), "s-fay");
  expect(await victim.finish(theirs)).toBe("/sign-in?error=oidc_stale");
  await victim.begin("/p/alpha");
  expect(await victim.finish(theirs)).toBe("/sign-in?error=oidc_stale&to=%2Fp%2Falpha");
  // Each of the three cookies swapped for one of another sign-in.
  for (const [name, told] of [
    ["penguin_oidc_state", "oidc_stale"],
    ["penguin_oidc_pkce", "oidc_stale"],
    ["penguin_oidc_nonce", "oidc_invalid"],
  ]) {
    const [one, other] = [new AuthBrowser(), new AuthBrowser()];
    const back = await one.through(await one.begin(), "s-fay");
    await other.begin();
    one.jar().set(name ?? "", other.jar().get(name ?? "") ?? "");
    expect(problem(await one.finish(back)), name).toBe(told);
    expect(await me(one)).toBeNull();
  }
  // A code is good once, also when its cookies are put back.
  const again = new AuthBrowser();
  const back = await again.through(await again.begin(), "s-fay");
  const cookies = new Map(again.jar());
  expect(problem(await again.finish(back))).toBeNull();
  again.jar().clear();
  for (const [name, value] of cookies) again.jar().set(name, value);
  expect(problem(await again.finish(back))).toBe("oidc_stale");
  expect(await me(again)).toBeNull();
  // A token that the provider's keys did not sign.
  provider.foreignKeys = true;
  const forged = new AuthBrowser();
  expect(problem(await forged.signIn("s-fay"))).toBe("oidc_invalid");
  expect(await me(forged)).toBeNull();
  provider.foreignKeys = false;
  // An answer of another issuer.
  const mixed = new AuthBrowser();
  const url = new URL(await mixed.through(await mixed.begin(), "s-fay"));
  url.searchParams.set("iss", "https://evil.test");
  expect(problem(await mixed.finish(url.href))).toBe("oidc_invalid");

  expect(problem(await new AuthBrowser().signIn(null))).toBe("oidc_denied");
  const broken = "/api/auth/callback/oidc?error=server_error&error_description=%3Cscript%3E";
  expect(await new AuthBrowser().finish(broken)).toBe("/sign-in?error=oidc_provider");
  expect(await new AuthBrowser().finish("/api/auth/callback/oidc")).toBe("/sign-in?error=oidc_stale");
});

it("AT19 a cookie planted before a sign-in is not the one after it (session fixation)", async () => {
  provider.accounts.set("s-gil", { preferred_username: "gil" });
  const planted = await api.signIn("bob");
  const browser = new AuthBrowser();
  browser.jar().set("penguin_session", planted.split("=")[1] ?? "");
  browser.jar().set("penguin_session.0", "of-the-attacker");
  await browser.signIn("s-gil");
  expect(await me(browser)).toBe("gil");
  expect(browser.jar().get("penguin_session")).not.toBe(planted.split("=")[1]);
  expect((await api.call(planted, "GET", "/api/me")).body.user.id).toBe("bob");
});

it.each([
  ["https://evil.test/p", "http://127.0.0.1:7364"],
  ["//evil.test", "http://127.0.0.1:7364"],
  ["/\\evil.test", "http://127.0.0.1:7364"],
  ["\\\\evil.test", "http://127.0.0.1:7364"],
  ["http://127.0.0.1:7364.evil.test/", "http://127.0.0.1:7364"],
  ["http://127.0.0.1:7364@evil.test/", "http://127.0.0.1:7364"],
  ["https://127.0.0.1:7364/p/alpha", "http://127.0.0.1:7364"],
  ["javascript:alert(1)", "http://127.0.0.1:7364"],
  ["data:text/html,x", "http://127.0.0.1:7364"],
  ["http://127.0.0.1:7364/p/alpha#x", "http://127.0.0.1:7364/p/alpha#x"],
])("AT21 no open redirect after a sign-in: %s -> %s", async (given, where) => {
  provider.accounts.set("s-hal", { preferred_username: "hal" });
  expect([where, `${where}/`]).toContain(await new AuthBrowser().signIn("s-hal", given));
});

it("AT19 what comes from another site, without the CSRF token or malformed is refused before anything happens", async () => {
  quiet();
  const browser = new AuthBrowser();
  const csrfToken = await browser.csrf();
  const right = { user: "bob", password: "bobs own password", json: "true" };
  const credentials = "/api/auth/callback/credentials";
  const status = async (url: string, init: Parameters<AuthBrowser["request"]>[1] = {}) =>
    (await browser.request(url, init)).status;
  const json = { "content-type": "application/json" };
  const foreign: [string, string][] = [
    ["origin", "https://evil.test"],
    ["origin", "null"],
    ["sec-fetch-site", "cross-site"],
  ];
  for (const header of foreign) {
    const headers = Object.fromEntries([header]);
    expect(await status(credentials, { form: { ...right, csrfToken }, headers })).toBe(403);
    expect(await status("/api/auth/signin/oidc", { form: { csrfToken, json: "true" }, headers })).toBe(403);
    expect(await status("/api/auth/signout", { form: { csrfToken, json: "true" }, headers })).toBe(403);
  }
  for (const form of [right, { ...right, csrfToken: "0".repeat(64) }]) {
    await browser.request(credentials, { form });
    const { url } = await (await browser.request("/api/auth/signin/oidc", { form })).json();
    expect(url).toBe("http://127.0.0.1:7364/api/auth/signin?csrf=true");
  }
  expect(browser.jar().has("penguin_session")).toBe(false);
  expect(await status(`${credentials}`)).toBe(400);
  expect(await status(credentials, { body: "{", headers: json })).toBe(400);
  expect(
    await status(credentials, {
      body: JSON.stringify({ user: 1, password: [], json: "true", csrfToken }),
      headers: json,
    }),
  ).toBe(401);
  expect(await status(credentials, { body: "x", headers: { "content-length": "1000000" } })).toBe(413);
  expect(
    await status("/api/auth/signin/oidc?prompt=none&redirect_uri=https://evil.test", { form: { csrfToken } }),
  ).toBe(400);
  expect(await status("/api/auth/_log", { form: { code: "forged", level: "error" } })).toBe(404);
  for (const bad of ["javascript:alert(1)", "data:text/html,x", "//"]) {
    expect(await status(`/api/auth/csrf?callbackUrl=${encodeURIComponent(bad)}`), bad).toBe(400);
  }
  browser.jar().set("penguin_callback", "javascript:alert(1)");
  expect(await status("/api/auth/csrf")).toBe(400);
  // The browser was rid of it.
  expect(await status("/api/auth/csrf")).toBe(200);
  await browser.request(credentials, { form: { ...right, csrfToken } });
  expect(await me(browser)).toBe("bob");
});

it("AC10 a sign-in that failed is in the log with whom it was meant for; a name that nobody has is not", async () => {
  const browser = new AuthBrowser();
  const csrfToken = await browser.csrf();
  for (const user of ["a_password_in_the_wrong_field", "bob"])
    await browser.request("/api/auth/callback/credentials", {
      form: { user, password: "guess", json: "true", csrfToken },
    });
  const log = () => readFile(api.made.layout.audit, "utf8");
  await vi.waitFor(async () => expect(await log()).toContain('"by":"bob","action":"sign_in.failed"'));
  expect(await log()).not.toMatch(/wrong_field|guess/);
});

it("MU10 behind a proxy with https every cookie is Secure, and the provider sends people back to the public address", async () => {
  vi.stubEnv("PENGUIN_PUBLIC_URL", "https://team.test");
  const env = { ...provider.env(GROUPS), PENGUIN_PUBLIC_URL: "https://team.test" };
  const behind = await TestApi.start({}, env);
  provider.accounts.set("s-ida", { preferred_username: "ida" });
  const browser = new AuthBrowser("https://team.test", { host: "127.0.0.1:7364" });
  expect(await browser.signIn("s-ida", "/p/x")).toBe("https://team.test/p/x");
  expect(await behind.made.users.get("ida")).not.toBeNull();
  expect(browser.set.length).toBeGreaterThan(5);
  expect(browser.set.filter((line) => !/; HttpOnly/.test(line) || !/; Secure/.test(line))).toEqual([]);
  const answer = await browser.request("/api/auth/csrf");
  expect(answer.headers.get("strict-transport-security")).toContain("max-age");
  await behind.stop();
  // A provider that does not answer is named as that.
  const alone = await TestApi.start({}, { ...env, PENGUIN_OIDC_ISSUER: "http://127.0.0.1:1" });
  quiet();
  expect(problem(await new AuthBrowser("https://team.test").begin("/p/x"))).toBe("oidc_unreachable");
  await alone.stop();
});
