/** Projects, members, and who sees what in them, over the routes. */
import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestApi } from "./testing/server";

let api: TestApi;
const as: Record<string, string> = {};
beforeAll(async () => {
  api = await TestApi.start();
  for (const id of ["ann", "bob", "mia", "vic"]) {
    await api.made.users.create({ id, password: `${id}-password` });
    as[id] = await api.signIn(id);
  }
  as.admin = await api.signIn("admin");
});
afterAll(() => api.stop());

const call = (who: string, ...rest: Parameters<TestApi["call"]> extends [string, ...infer R] ? R : never) =>
  api.call(as[who] ?? "", ...rest);

describe("a Project from its beginning to its end", () => {
  it("is made by anybody, seen by its members only, renamed and deleted by owners", async () => {
    const made = await call("ann", "POST", "/api/projects", { id: "alpha", name: "Alpha" });
    expect(made.status).toBe(201);
    expect((await call("bob", "POST", "/api/projects", { id: "alpha", name: "Mine" })).status).toBe(409);
    expect((await call("bob", "POST", "/api/projects", { id: "../x" })).body.error.code).toBe("invalid_id");
    expect((await call("ann", "GET", "/api/me")).body.projects).toEqual([
      { id: "alpha", name: "Alpha", role: "owner" },
    ]);
    expect((await call("bob", "GET", "/api/projects")).body).toEqual({ projects: [] });

    expect(
      (await call("ann", "POST", "/api/projects/alpha/members", { user: "nobody", role: "member" })).body.error,
    ).toMatchObject({ code: "no_such_user" });
    expect((await call("ann", "POST", "/api/projects/alpha/members", { user: "mia", role: "member" })).status).toBe(
      201,
    );
    expect((await call("ann", "POST", "/api/projects/alpha/members", { user: "vic", role: "viewer" })).status).toBe(
      201,
    );
    expect((await call("mia", "PATCH", "/api/projects/alpha", { name: "Hers" })).status).toBe(403);
    const renamed = await call("ann", "PATCH", "/api/projects/alpha", {
      name: "Alpha Two",
      approval_mode: "always-ask",
    });
    expect(renamed.body.project).toMatchObject({ name: "Alpha Two", role: "owner", deletable: true });
    const read = (await call("vic", "GET", "/api/projects/alpha")).body.project;
    expect(read).toMatchObject({ role: "viewer", defaults: { visibility: "team", approval_mode: "always-ask" } });
    expect(read.allowance).toBeUndefined();
    const session = await call("mia", "POST", "/api/projects/alpha/agents/default_agent/sessions", {});
    expect(session.body.session.approval_mode).toBe("always-ask");

    expect((await call("ann", "GET", "/api/projects/alpha/contents")).body).toEqual({
      agents: 1,
      sessions: 0,
      running: 0,
      members: 3,
    });
    expect((await call("mia", "DELETE", "/api/projects/alpha")).status).toBe(403);
    expect((await call("ann", "DELETE", "/api/projects/alpha")).status).toBe(204);
    expect((await call("ann", "GET", "/api/projects/alpha")).status).toBe(404);
    expect((await call("mia", "GET", "/api/me")).body.projects).toEqual([]);
    expect((await call("admin", "DELETE", "/api/projects/default_project")).status).toBe(403);
  });

  it("what it may use of the server is an admin's to say", async () => {
    await call("ann", "POST", "/api/projects", { id: "beta" });
    const wanted = { env_keys: true, private_addresses: false, workspace_roots: ["/srv/work"] };
    expect((await call("ann", "PUT", "/api/projects/beta/allowances", wanted)).status).toBe(403);
    expect((await call("admin", "PUT", "/api/projects/never_made/allowances", wanted)).status).toBe(404);
    expect(
      (await call("admin", "PUT", "/api/projects/beta/allowances", { ...wanted, workspace_roots: ["srv"] })).status,
    ).toBe(400);
    expect((await call("admin", "PUT", "/api/projects/beta/allowances", wanted)).status).toBe(200);
    expect((await call("ann", "GET", "/api/projects/beta")).body.project.allowance).toEqual(wanted);
    // An admin is no member by being admin, and may become one.
    expect((await call("admin", "GET", "/api/projects/beta")).status).toBe(404);
    expect((await call("admin", "GET", "/api/projects")).body.others).toContain("beta");
    expect((await call("admin", "POST", "/api/projects/beta/members", { user: "bob", role: "member" })).status).toBe(
      403,
    );
    expect((await call("admin", "POST", "/api/projects/beta/members", { user: "admin", role: "owner" })).status).toBe(
      201,
    );
    expect((await call("admin", "GET", "/api/projects/beta")).status).toBe(200);
  });
});

it("a file of a person that cannot be read keeps nobody from the list of members, nor admins from people", async () => {
  await call("ann", "POST", "/api/projects", { id: "gamma" });
  await call("ann", "POST", "/api/projects/gamma/members", { user: "vic", role: "viewer" });
  const path = api.made.layout.user("vic");
  const before = await readFile(path);
  await writeFile(path, "id = \n[");
  expect((await call("ann", "GET", "/api/projects/gamma/members")).body.members).toMatchObject([
    { user: "ann", name: "ann" },
    { user: "vic", name: "vic" },
  ]);
  expect((await call("admin", "GET", "/api/users")).status).toBe(200);
  expect((await call("ann", "POST", "/api/projects/gamma/members", { user: "bob", role: "viewer" })).status).toBe(201);
  await writeFile(path, before);
});

describe("private until shared", () => {
  const sessions = "/api/projects/gamma/agents/default_agent/sessions";
  it("is what conversations begin with when the Project says so; only who started one shares it", async () => {
    await call("ann", "POST", "/api/projects", { id: "gamma" });
    await call("ann", "POST", "/api/projects/gamma/members", { user: "mia", role: "member" });
    await call("ann", "PATCH", "/api/projects/gamma", { visibility: "private" });
    const { session } = (await call("mia", "POST", sessions, {})).body;
    expect(session.visibility).toBe("private");
    expect((await call("ann", "GET", `${sessions}/${session.id}`)).status).toBe(404);
    expect((await call("mia", "GET", `${sessions}/${session.id}`)).body.mine).toBe(true);
    expect((await call("mia", "PATCH", `${sessions}/${session.id}`, { visibility: "team" })).status).toBe(200);
    expect((await call("ann", "GET", `${sessions}/${session.id}`)).body).toMatchObject({ mine: false });
    const taken = await call("ann", "PATCH", `${sessions}/${session.id}`, { visibility: "private" });
    expect(taken.body.error.code).toBe("forbidden");
    expect((await call("mia", "GET", `${sessions}/${session.id}`)).body.visibility).toBe("team");
  });
});
