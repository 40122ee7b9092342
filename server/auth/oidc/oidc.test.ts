import { afterEach, describe, expect, it, vi } from "vitest";
import { readConfig } from "../../config";
import { readableId, readClaims } from "./claims";
import { Discovery } from "./discovery";
import { granted } from "./grants";
import { oidcSettings, parseGrants } from "./settings";
import { againAfter, problemAtProvider } from "./way-back";

afterEach(() => vi.restoreAllMocks());

describe("settings", () => {
  const given = {
    PENGUIN_OIDC_ISSUER: "https://id.test/realms/a/",
    PENGUIN_OIDC_CLIENT_ID: "penguin",
    PENGUIN_OIDC_GROUPS: "eng = alpha:member; cn=ops,ou=all=beta:owner;eng=beta:viewer;\nroot=admin;",
  };
  const settings = (env: Record<string, string>) => {
    const { oidc } = readConfig({ NODE_ENV: "test", ...env });
    return oidc && oidcSettings(oidc);
  };
  it("are off without an issuer, and have defaults", () => {
    expect(settings({ PENGUIN_OIDC_CLIENT_ID: "x" })).toBeUndefined();
    expect(settings(given)).toMatchObject({
      issuer: "https://id.test/realms/a",
      name: "SSO",
      scope: "openid profile email",
      groupsClaim: "groups",
      lifetime: 24 * 3_600_000,
      grants: new Map([
        [
          "eng",
          [
            { project: "alpha", role: "member" },
            { project: "beta", role: "viewer" },
          ],
        ],
        ["cn=ops,ou=all", [{ project: "beta", role: "owner" }]],
        ["root", [{ admin: true }]],
      ]),
    });
    expect(settings({ ...given, PENGUIN_OIDC_HOURS: "9999" })?.lifetime).toBe(30 * 24 * 3_600_000);
  });
  it.each([
    [{ PENGUIN_OIDC_ISSUER: "id.test" }, /PENGUIN_OIDC_ISSUER/],
    [{ PENGUIN_OIDC_ISSUER: "http://id.test" }, /https:\/\//],
    [{ PENGUIN_OIDC_ISSUER: "file:///etc" }, /PENGUIN_OIDC_ISSUER/],
    [{ PENGUIN_OIDC_CLIENT_ID: "" }, /PENGUIN_OIDC_CLIENT_ID/],
    [{ PENGUIN_OIDC_SCOPE: "profile" }, /openid/],
    [{ PENGUIN_OIDC_GROUPS: "eng=alpha" }, /"eng=alpha" is neither/],
    [{ PENGUIN_OIDC_GROUPS: "eng=alpha:boss" }, /neither/],
    [{ PENGUIN_OIDC_GROUPS: "=alpha:member" }, /neither/],
    [{ PENGUIN_OIDC_GROUPS: "eng=../x:member" }, /neither/],
    [{ PENGUIN_OIDC_GROUPS: "eng" }, /neither/],
  ])("%o keep the server from starting, with a sentence", (wrong, sentence) => {
    expect(() => settings({ ...given, ...wrong })).toThrow(sentence);
  });
  it("plain http is for a provider on this machine", () => {
    for (const issuer of ["http://localhost:9000", "http://127.0.0.1:9000/x", "http://[::1]:9000"]) {
      expect(settings({ ...given, PENGUIN_OIDC_ISSUER: issuer })?.issuer).toBe(issuer);
    }
  });
});

it("the highest role of all groups counts, and only groups that are named give anything", () => {
  const grants = parseGrants("a=x:viewer;b=x:owner;c=x:member;c=admin");
  expect(granted(grants, ["a", "c"])).toEqual({ admin: true, roles: new Map([["x", "member"]]) });
  expect(granted(grants, ["b", "a", "z"])).toEqual({ admin: false, roles: new Map([["x", "owner"]]) });
  expect(granted(grants, ["__proto__", "A"])).toEqual({ admin: false, roles: new Map() });
});

it.each([
  [["Änne.Öster@x.test"], "anne_oster"],
  [["CORP\\J.Doe"], "j_doe"],
  [["007bond"], "bond"],
  [["李雷", "li.lei@x.test"], "li_lei"],
  [["admin", "server@x.test"], "person"],
  [["../../etc/passwd"], "etc_passwd"],
  [["x"], "person"],
  [[undefined, ""], "person"],
  [["a".repeat(80)], "a".repeat(27)],
])("a readable id: %j -> %s", (names, id) => expect(readableId(names)).toBe(id));

it.each([
  [{ groups: ["a", 1, null, "b"] }, "groups", ["a", "b"]],
  [{ groups: "a" }, "groups", ["a"]],
  [{ realm_access: { roles: ["r"] } }, "realm_access.roles", ["r"]],
  [{ "https://x.test/groups": ["u"] }, "https://x.test/groups", ["u"]],
  [{ groups: { a: 1 } }, "groups", []],
  [{}, "groups", []],
  [{}, "constructor.name", []],
])("groups of %j by %s: %j", (claims, name, groups) => {
  expect(readClaims({ sub: "s", ...claims }, name)?.groups).toEqual(groups);
});

it("a name that the provider gives is shown without what hides or turns round a part of it", () => {
  expect(readClaims({ sub: "s", name: "An\u202en\nÖster\u200b" }, "groups")?.name).toBe("AnnÖster");
});

it("claims without a subject are nobody", () => {
  for (const claims of [null, {}, { sub: "" }, { sub: 5 }, { sub: "x".repeat(256) }]) {
    expect(readClaims(claims, "groups")).toBeNull();
  }
});

describe("discovery", () => {
  const issuer = "https://id.test";
  const document = {
    issuer: "https://id.test/",
    authorization_endpoint: "https://id.test/auth",
    token_endpoint: "https://id.test/token",
    jwks_uri: "https://id.test/keys",
    token_endpoint_auth_methods_supported: ["client_secret_post"],
    id_token_signing_alg_values_supported: ["none", "HS256", "ES256"],
  };
  const answers = (...list: unknown[]) => {
    const ask = vi.spyOn(globalThis, "fetch");
    for (const one of list) ask.mockResolvedValueOnce(Response.json(one));
    return ask;
  };
  it("is asked once for all who come at the same time, and remembered", async () => {
    const ask = answers(document);
    const discovery = new Discovery(issuer);
    const [first, second] = await Promise.all([discovery.endpoints(), discovery.endpoints()]);
    expect(first).toMatchObject({ issuer: "https://id.test/", authMethod: "client_secret_post", alg: "ES256" });
    expect([second, await discovery.endpoints()]).toEqual([first, first]);
    expect(ask).toHaveBeenCalledTimes(1);
  });
  it.each([
    { ...document, issuer: "https://evil.test" },
    { ...document, token_endpoint: "http://id.test/token" },
    { ...document, jwks_uri: "file:///etc/passwd" },
    { ...document, id_token_signing_alg_values_supported: ["none", "HS256"] },
    {},
  ])("refuses %j, and asks again the next time", async (wrong) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    answers(wrong, document);
    const discovery = new Discovery(issuer);
    expect(await discovery.endpoints()).toBeNull();
    expect(log).toHaveBeenCalledOnce();
    expect(await discovery.endpoints()).not.toBeNull();
  });
});

describe("the way back", () => {
  const asked = (method: string, callback?: string) => ({
    method,
    cookies: { get: () => (callback ? { value: callback } : undefined) },
  });
  it("what the provider says becomes one of our words; its own text is never repeated", () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const told = (begun: boolean, query: Record<string, string>) =>
      problemAtProvider({
        nextUrl: { searchParams: new URLSearchParams(query) },
        cookies: { get: () => (begun ? { value: "x" } : undefined) },
      });
    expect([told(true, { error: "access_denied" }), told(false, { error: "<b>" }), told(true, {})]).toEqual([
      "oidc_denied",
      "oidc_provider",
      undefined,
    ]);
    // The log is for whoever runs the server, and nobody writes into it who did not begin a sign-in.
    expect(log).not.toHaveBeenCalled();
    expect(told(true, { error: "server_error", error_description: "no disk\n[http] forged" })).toBe("oidc_provider");
    expect(log.mock.calls).toEqual([["[oidc] the provider reported: server_error no disk [http] forged"]]);
  });
  it("leads to the sign-in page with the reason and the place, for a form as JSON; what worked stays", async () => {
    const failed = (error: string) =>
      new Response(null, { status: 302, headers: { location: `http://h/api/auth/error?${error}` } });
    const location = (response: Response) => response.headers.get("location");
    expect(location(againAfter(asked("GET"), undefined, failed("error=OAuthCallback")))).toBe(
      "/sign-in?error=oidc_stale",
    );
    expect(location(againAfter(asked("GET"), "oidc_invalid", failed("error=OAuthCallback")))).toBe(
      "/sign-in?error=oidc_invalid",
    );
    expect(location(againAfter(asked("GET"), undefined, failed("error=%3Cscript%3E")))).toBe("/sign-in?error=internal");
    expect(location(againAfter(asked("GET"), "oidc_denied", undefined))).toBe("/sign-in?error=oidc_denied");
    const json = againAfter(asked("POST", "https://team.test/p/a?b#c"), "oidc_unreachable");
    expect(await json.json()).toEqual({ url: "/sign-in?error=oidc_unreachable&to=%2Fp%2Fa%3Fb%23c" });
    const fine = new Response(null, { status: 302, headers: { location: "https://id.test/auth?error=x" } });
    expect(againAfter(asked("GET"), undefined, fine)).toBe(fine);
  });
});
