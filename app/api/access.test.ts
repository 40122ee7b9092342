/**
 * AC1, AC2: every exported method of every route file under app has a case here; a new one without a case fails.
 * Handlers run in process on a temporary data root with one Project of `ann`; `bob` belongs to nothing.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ERRORS } from "@/lib/api/errors";
import type { CreateTokenBody } from "@/lib/api/team";
import { SESSION_COOKIE } from "@/server/auth/person";
import { readConfig } from "@/server/config";
import { createRuntime, type Runtime, useRuntime } from "@/server/runtime";
import { Hasher } from "@/server/users/hash";
import { type FoundRoute, findRoutes, namesIn, pathWith } from "./testing/routes";

type Access = "signed_in" | "admin" | "read" | "work" | "own" | "join";

/** Routes that answer without a sign-in. Nothing else may. */
const EXEMPT = [
  "GET /health",
  "GET /auth/[...nextauth]",
  "POST /auth/[...nextauth]",
  "POST /auth-link", // carries a token of its own
  "GET /share/[token]", // likewise; who is not signed in is sent to the sign-in, unless the Project allows public links
  ...["GET", "POST", "PUT", "PATCH", "DELETE"].map((method) => `${method} /[...unknown]`), // 404 and nothing else
];

const P = "/projects/[project]";
const A = `${P}/agents/[agent]`;
const S = `${A}/sessions/[session]`;
const T = `${A}/traces`;
const CASES: Record<string, Access> = {
  "GET /me": "signed_in",
  "GET /me/usage": "signed_in",
  "PATCH /me": "signed_in",
  "POST /me/password": "signed_in",
  "GET /me/sign-ins": "signed_in",
  "DELETE /me/sign-ins": "signed_in",
  "DELETE /me/sign-ins/[id]": "signed_in",
  "GET /me/tokens": "signed_in",
  "POST /me/tokens": "signed_in",
  "DELETE /me/tokens/[id]": "signed_in",
  "GET /stream": "signed_in",
  "POST /stream/[id]": "signed_in",
  "GET /users": "admin",
  "POST /users": "admin",
  "PATCH /users/[user]": "admin",
  "GET /users/[user]": "admin",
  "DELETE /users/[user]": "admin",
  "POST /users/[user]/invitation": "admin",
  "POST /users/[user]/password": "admin",
  "GET /projects": "signed_in",
  "POST /projects": "signed_in",
  [`GET ${P}`]: "read",
  [`PATCH ${P}`]: "own",
  [`DELETE ${P}`]: "own",
  [`GET ${P}/contents`]: "own",
  [`GET ${P}/audit`]: "own",
  [`PUT ${P}/allowances`]: "admin",
  [`GET ${P}/command-policy`]: "read",
  [`PUT ${P}/command-policy`]: "own",
  [`GET ${P}/isolation`]: "read",
  [`PUT ${P}/isolation`]: "own",
  [`GET ${P}/members`]: "read",
  [`POST ${P}/members`]: "join",
  [`PATCH ${P}/members/[user]`]: "own",
  [`DELETE ${P}/members/[user]`]: "own",
  [`GET ${P}/models`]: "read",
  [`PUT ${P}/models`]: "own",
  [`POST ${P}/models/test`]: "own",
  [`POST ${P}/models/detect`]: "own",
  [`GET ${P}/models/catalog`]: "read",
  [`GET ${P}/models/local`]: "own",
  [`GET ${P}/models/uses`]: "own",
  [`GET ${P}/status`]: "read",
  [`GET ${P}/approvals`]: "read",
  [`GET ${P}/marks`]: "read",
  [`PATCH ${P}/marks`]: "read",
  [`GET ${P}/agents`]: "read",
  [`POST ${P}/agents`]: "work",
  [`GET ${A}`]: "read",
  [`PATCH ${A}`]: "work",
  [`DELETE ${A}`]: "own",
  [`GET ${A}/folders`]: "work",
  [`GET ${A}/skills`]: "read",
  [`GET ${A}/sessions`]: "read",
  [`POST ${A}/sessions`]: "work",
  [`GET ${S}`]: "read",
  [`PATCH ${S}`]: "work",
  [`DELETE ${S}`]: "work",
  [`GET ${S}/messages`]: "read",
  [`GET ${S}/events`]: "read",
  [`POST ${S}/tasks`]: "work",
  [`POST ${S}/steer`]: "work",
  [`DELETE ${S}/queue/[id]`]: "work",
  [`POST ${S}/approvals/[id]`]: "work",
  [`POST ${S}/abort`]: "work",
  [`POST ${S}/compact`]: "work",
  [`POST ${S}/retry`]: "work",
  [`POST ${S}/fork`]: "work",
  [`GET ${S}/shares`]: "work",
  [`POST ${S}/shares`]: "work",
  [`POST ${S}/shares/preview`]: "work",
  [`GET ${P}/shares`]: "work",
  [`DELETE ${P}/shares/[id]`]: "work",
  [`GET ${P}/shares/[id]/reads`]: "work",
  [`GET ${S}/processes`]: "read",
  [`DELETE ${S}/processes/[id]`]: "work",
  [`POST ${S}/processes/[id]/stop`]: "work",
  [`GET ${S}/scratchpad/[file]`]: "read",
  [`GET ${S}/files`]: "read",
  [`GET ${S}/files/content`]: "read",
  [`POST ${S}/files/content`]: "work",
  [`POST ${S}/files/known`]: "read",
  [`GET ${T}`]: "read",
  [`POST ${T}`]: "work",
  [`GET ${T}/[session]`]: "read",
  [`GET ${T}/[session]/search`]: "read",
  [`GET ${T}/[session]/bundle`]: "read",
  [`GET ${T}/[session]/otlp`]: "read",
  [`POST ${A}/trace-bundles`]: "work",
  [`GET ${S}/usage`]: "read",
  [`GET ${P}/usage`]: "read",
  [`GET ${P}/usage/requests`]: "read",
  [`GET ${P}/usage.csv`]: "read",
  [`GET ${P}/budgets`]: "read",
  [`PUT ${P}/budgets`]: "own",
  [`GET ${P}/trace-search`]: "read",
  [`GET ${P}/trace-compare`]: "read",
  [`GET ${T}/[session]/[index]`]: "read",
  [`GET ${T}/[session]/[index]/records/[line]`]: "read",
  [`GET ${T}/[session]/[index]/raw`]: "read",
  [`GET ${T}/[session]/analysis`]: "read",
};
/** Readable, but a person's own affairs, or about keys and members. */
const NOT_FOR_TOKENS = [`GET ${P}/members`, `GET ${P}/models`, `GET ${P}/marks`, `PATCH ${P}/marks`];
/** Answered with an upload instead of JSON. */
const UPLOADS: Record<string, string> = {
  [`POST ${T}`]: "application/x-ndjson",
  [`POST ${A}/trace-bundles`]: "application/gzip",
};

const VALUES: Record<string, string> = {
  project: "alpha",
  agent: "default_agent",
  session: "session-2026-01-02-03-04-05-0a1b2c3d",
  index: "1",
  line: "1",
  id: "some-id",
  user: "ann",
};

const routes = await findRoutes();
const guarded = routes.filter(({ name }) => CASES[name]);
const of = (...rights: Access[]) => guarded.filter(({ name }) => rights.some((right) => CASES[name] === right));
const inProject = of("read", "work", "own", "join");

let root: string;
let made: Runtime;
const cookies: Record<string, string> = {};

async function signIn(id: string): Promise<string> {
  const sid = await made.users.addSignIn(id);
  return `${SESSION_COOKIE}=${await encode({ token: { sub: id, sid }, secret: made.secret })}`;
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "penguin-access-"));
  const hasher = new Hasher({ memoryCost: 8, timeCost: 1, parallelism: 1 });
  made = await createRuntime(readConfig({ PENGUIN_HOME: root, NODE_ENV: "test", PENGUIN_SANDBOX: "off" }), {
    hasher,
    env: { NODE_ENV: "test" },
  });
  useRuntime(made);
  await made.projects.create("alpha", "Alpha", "ann");
  await made.agents.ensure({ project: "alpha", agent: "default_agent" });
  for (const id of ["ann", "bob", "vic", "mia"]) {
    await made.users.create({ id, password: `${id}-password` });
    cookies[id] = await signIn(id);
  }
  cookies.admin = await signIn("admin");
  await made.projects.members.add("alpha", { user: "vic", role: "viewer" }, []);
  await made.projects.members.add("alpha", { user: "mia", role: "member" }, []);
  await made.files.update(made.layout.projectConfig("alpha"), (table) => ({
    table: {
      ...table,
      models: [{ provider: "fake", model_id: "m", base_url: "https://x.test/v1", api_key: "sk-top-secret-1234" }],
    },
    result: undefined,
  }));
});
afterAll(async () => {
  useRuntime(undefined);
  await rm(root, { recursive: true, force: true });
});

interface Ask {
  as?: string;
  cookie?: string;
  /** A personal access token instead of a cookie. */
  token?: string;
  project?: string;
  query?: string;
  headers?: Record<string, string>;
}

async function ask(route: FoundRoute, { as, cookie, token, project, query = "", headers = {} }: Ask) {
  const values: Record<string, string> = { ...VALUES, ...(project ? { project } : {}) };
  const params = Object.fromEntries(namesIn(route.path).map((name) => [name, values[name] ?? "x"]));
  const path = pathWith(route.path, values);
  const body = route.method === "GET" || route.method === "DELETE" ? undefined : "{}";
  const type = UPLOADS[route.name] ?? "application/json";
  const sent = cookie ?? (as ? (cookies[as] ?? "") : "");
  const request = new Request(`http://127.0.0.1:7364/api${path}${query}`, {
    method: route.method,
    headers: {
      host: "127.0.0.1:7364",
      ...(body ? { "content-type": type } : {}),
      ...(sent ? { cookie: sent } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    body,
  });
  const response = await route.handler(request, { params: Promise.resolve(params) });
  const text = response.headers.get("content-type")?.startsWith("text/event-stream") ? "" : await response.text();
  await response.body?.cancel().catch(() => {});
  return { status: response.status, text, cache: response.headers.get("cache-control") };
}

const table = (routes: FoundRoute[]): [string, FoundRoute][] => routes.map((route) => [route.name, route]);

it("every route has a case, and no exempt route has a guarded one", () => {
  const missing = routes.map(({ name }) => name).filter((name) => !CASES[name] && !EXEMPT.includes(name));
  expect(missing, "add these to CASES (or, with a reason, to EXEMPT)").toEqual([]);
  expect(EXEMPT.filter((name) => CASES[name])).toEqual([]);
  expect(guarded.length).toBeGreaterThan(20);
});

describe("signed out", () => {
  it.each(table(guarded))("MU01 AT08 401 %s", async (_, route) => {
    const answer = await ask(route, {});
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.text).error.code).toBe("unauthorized");
    expect(answer.cache).toBe("private, no-store");
  });

  it.each(table(guarded))("401 with an edited cookie: %s", async (_, route) => {
    const cookie = cookies.ann ?? "";
    const edited = `${cookie.slice(0, -3)}${cookie.endsWith("AAA") ? "BBB" : "AAA"}`;
    expect((await ask(route, { cookie: edited })).status).toBe(401);
    expect((await ask(route, { cookie: `${SESSION_COOKIE}=ann` })).status).toBe(401);
  });
});

describe("MU02 personal access tokens: never more than their scopes, their Projects and their person", () => {
  const make = async (user: string, given: Partial<CreateTokenBody> = {}) =>
    (await made.tokens.create(user, { name: "script", scopes: ["read"], ...given })).token;
  const refusedFor = (route: FoundRoute) => NOT_FOR_TOKENS.includes(route.name);
  let read: string;
  let work: string;
  let elsewhere: string;
  let outsiders: string;
  let every: string;
  beforeAll(async () => {
    read = await make("ann");
    work = await make("ann", { scopes: ["work"] });
    outsiders = await make("bob", { scopes: ["work"] });
    every = await make("ann", { scopes: ["read", "work", "approve"] });
    elsewhere = await make("ann", { scopes: ["read", "work", "approve"], projects: ["beta"] });
  });
  const managed = of("own", "join", "admin", "signed_in").filter(({ name }) => name !== "GET /projects");
  it.each(table(managed))("403 whatever its scopes: %s", async (_, route) => {
    expect((await ask(route, { token: every })).status).toBe(403);
  });
  it.each(table(of("work")))("403 without the scope: %s", async (_, route) => {
    expect((await ask(route, { token: read })).status).toBe(403);
  });
  it.each(table(of("read")))("as far as its person reads: %s", async (_, route) => {
    const answer = await ask(route, { token: read });
    expect([401, 403].includes(answer.status)).toBe(refusedFor(route));
  });
  it.each(table(inProject))(
    "404 in a Project that it does not cover, the same as for a made-up one: %s",
    async (_, route) => {
      const outside = await ask(route, { token: elsewhere });
      expect(outside.status).toBe(404);
      expect(outside).toEqual(await ask(route, { token: elsewhere, project: "never_made" }));
    },
  );
  it.each(table(inProject))("404 for an outsider's token: %s", async (_, route) => {
    expect((await ask(route, { token: outsiders })).status).toBe(404);
  });
  it("a viewer's token with every scope is a viewer's still; it approves nothing without that scope", async () => {
    const viewers = await make("vic", { scopes: ["read", "work", "approve"] });
    for (const route of of("work")) expect((await ask(route, { token: viewers })).status, route.name).toBe(403);
    const approve = routes.find(({ name }) => name === `POST ${S}/approvals/[id]`);
    expect(approve && (await ask(approve, { token: work })).status).toBe(403);
  });
  it("401 when it is revoked, expired, changed by a letter, or its person is disabled; a cookie beside it does not help", async () => {
    const route = routes.find(({ name }) => name === `GET ${P}/status`);
    if (!route) throw new Error("no such route");
    const { token, view } = await made.tokens.create("mia", { name: "short", scopes: ["read"] });
    expect((await ask(route, { token })).status).toBe(200);
    expect((await ask(route, { token: `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}` })).status).toBe(401);
    await made.users.patch("mia", { disabled: true });
    expect((await ask(route, { token })).status).toBe(401);
    await made.users.patch("mia", { disabled: false });
    cookies.mia = await signIn("mia");
    await made.tokens.revoke("mia", view.id);
    expect((await ask(route, { token, as: "ann" })).status).toBe(401);
    await expect(make("mia", { expires: "2020-01-01T00:00:00Z" })).rejects.toMatchObject({ code: "bad_request" });
  });
});

describe("AC2 signed in without membership", () => {
  it.each(table(inProject))("MU01 MU02 MU08 404 %s, the same as for a made-up Project", async (_, route) => {
    const outside = await ask(route, { as: "bob" });
    expect(outside.status).toBe(404);
    expect(outside).toEqual(await ask(route, { as: "bob", project: "never_made" }));
    for (const secret of ["sk-top", "Alpha", "ann"]) expect(outside.text).not.toContain(secret);
  });

  it.each(table(inProject))("MU04 404 %s, whatever query and headers claim", async (_, route) => {
    const headers = { "x-user": "ann", "x-user-id": "ann", "x-forwarded-user": "ann", authorization: "Bearer ann" };
    expect((await ask(route, { as: "bob", query: "?userId=ann&user_id=ann&user=ann", headers })).status).toBe(404);
  });

  it.each(table(of("read", "work", "own")))("404 for an admin who is no member: %s", async (_, route) => {
    expect((await ask(route, { as: "admin" })).status).toBe(404);
  });
});

describe("members without the right", () => {
  it.each(table(of("work", "own", "join")))("403 for a viewer: %s", async (_, route) => {
    expect((await ask(route, { as: "vic" })).status).toBe(403);
  });
  it.each(table(of("own", "join")))("403 for a member: %s", async (_, route) => {
    expect((await ask(route, { as: "mia" })).status).toBe(403);
  });
  it.each(table(of("admin")))("403 for somebody who is no admin, owner or not: %s", async (_, route) => {
    for (const as of ["ann", "mia", "vic", "bob"]) expect((await ask(route, { as })).status, as).toBe(403);
  });
});

describe("mutations from another site", () => {
  const mutations = guarded.filter(({ method }) => method !== "GET");
  const who = (route: FoundRoute) => (CASES[route.name] === "admin" ? "admin" : "ann");
  it.each(table(mutations))("AT17 403 with a foreign Origin: %s", async (_, route) => {
    const answer = await ask(route, { as: who(route), headers: { origin: "http://evil.test" } });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text).error.code).toBe("cross_origin");
  });
  it.each(table(mutations))("403 with Sec-Fetch-Site cross-site: %s", async (_, route) => {
    expect((await ask(route, { as: who(route), headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403);
  });
  it.each(table(mutations))("415 for a form: %s", async (_, route) => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect((await ask(route, { as: who(route), headers })).status).toBe(415);
  });
});

it("AC3 members see the Models and that there is a key; only owners see its masked form, and nobody the key", async () => {
  const route = routes.find(({ name }) => name === `GET ${P}/models`);
  for (const [as, masked] of [
    ["vic", false],
    ["mia", false],
    ["ann", true],
  ] as const) {
    const answer = route && (await ask(route, { as }));
    expect(answer?.status).toBe(200);
    expect(answer?.text).toContain('"has_key":true');
    expect(answer?.text.includes("sk-t…1234")).toBe(masked);
    expect(answer?.text).not.toContain("top-secret");
  }
});

describe("those who may, with the least that is enough", () => {
  const LEAST: Record<Access, string> = {
    signed_in: "bob",
    admin: "admin",
    read: "vic",
    work: "mia",
    own: "ann",
    join: "ann",
  };
  /** Last, the outermost last of all: what they remove is needed by the others. */
  const rank = ({ method, path }: FoundRoute) => (method === "DELETE" ? 1_000 - path.length : 0);
  beforeAll(async () => {
    const ref = { project: "alpha", agent: "default_agent" };
    const path = made.layout.traceFile(ref, "2026-01-02", VALUES.session ?? "", 1);
    await mkdir(dirname(path), { recursive: true });
    const meta = { session_id: VALUES.session, provider: "fake", model_id: "m", created_by: "ann" };
    const info = {
      type: "session_info",
      title: "x",
      archived: false,
      approval_mode: "read-only",
      thinking_level: null,
    };
    const at = new Date().toISOString();
    const lines = [
      { timestamp: at, type: "session_meta", payload: meta },
      { timestamp: at, type: "event_msg", payload: { ...info, visibility: "team" } },
    ];
    await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  });
  it.each(table(guarded.toSorted((a, b) => rank(a) - rank(b))))("%s", async (name, route) => {
    // Anew: some routes end somebody's sign-ins.
    const cookie = await signIn(LEAST[CASES[name] ?? "signed_in"]);
    const answer = await ask(route, { cookie });
    const made_up = /\[(id|file|user)\]/.test(route.path);
    // What is refused for another reason than the right says which: the default Agent stays, for instance.
    const right = answer.status !== 403 || !answer.text.includes(ERRORS.forbidden[1]);
    expect(right && ![401, ...(made_up ? [] : [404])].includes(answer.status), answer.text).toBe(true);
    expect(answer.status, answer.text).toBeLessThan(500);
  });
});
