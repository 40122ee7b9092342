/** People over the routes: invited, disabled, deleted; one's own sign-ins and tokens; what ends with them; the log. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { TestApi } from "./testing/server";

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await TestApi.start();
  admin = await api.signIn("admin");
});
afterAll(() => api.stop());

const invite = async (id: string) => (await api.call(admin, "POST", "/api/users", { id })).body.invitation.token;

/** Reads an event stream until it ends. */
async function ended(response: Response): Promise<true> {
  const reader = response.body?.getReader();
  while (reader && !(await reader.read()).done);
  return true;
}

describe("an invitation", () => {
  it("is answered once, chooses the password, and a reset makes the next one", async () => {
    const made = await api.call(admin, "POST", "/api/users", { id: "ann", name: "Ann" });
    expect(made.status).toBe(201);
    expect(made.body.user).toMatchObject({ id: "ann", has_password: false, invited_until: expect.any(String) });
    const { token } = made.body.invitation;
    expect((await api.call(admin, "GET", "/api/users")).text).not.toContain(token);
    const set = (given: string, password = "ann-has-one") =>
      api.call("", "POST", "/api/auth-link", { token: given, password });
    expect((await set(token, "short")).body.error.code).toBe("invalid_password");
    expect((await set(token)).body).toEqual({ user: "ann" });
    expect((await set(token)).body.error.code).toBe("link_expired");
    expect((await api.made.users.verify("ann", "ann-has-one"))?.password_is_initial).toBe(false);

    const cookie = await api.signIn("ann");
    const stream = (await api.call(cookie, "GET", "/api/stream")).response;
    const reset = await api.call(admin, "POST", "/api/users/ann/invitation");
    expect(await ended(stream)).toBe(true);
    expect((await api.call(cookie, "GET", "/api/me")).status).toBe(401);
    expect(await api.made.users.verify("ann", "ann-has-one")).toBeNull();
    expect((await set(reset.body.invitation.token, "ann-another")).status).toBe(200);
    expect((await api.call(admin, "POST", "/api/users/admin/invitation")).status).toBe(400);
    expect((await api.call(admin, "POST", "/api/users/nobody/invitation")).status).toBe(404);
  });
});

describe("disabled and deleted", () => {
  it("ends what is open, at once; the last admin and the last owner are kept", async () => {
    await invite("bob");
    const cookie = await api.signIn("bob");
    await api.call(cookie, "POST", "/api/projects", { id: "bobs" });
    const stream = (await api.call(cookie, "GET", "/api/stream")).response;
    await api.call(admin, "PATCH", "/api/users/bob", { disabled: true });
    expect(await ended(stream)).toBe(true);
    expect((await api.call(cookie, "GET", "/api/me")).status).toBe(401);
    for (const body of [{ disabled: true }, { admin: false }])
      expect((await api.call(admin, "PATCH", "/api/users/admin", body)).body.error.code).toBe("last_admin");
    expect((await api.call(admin, "DELETE", "/api/users/admin")).body.error.code).toBe("last_admin");

    expect((await api.call(admin, "GET", "/api/users/bob")).body).toEqual({
      last_owner_of: ["bobs"],
      projects: 1,
      sessions: { team: 0, private: 0 },
    });
    const refused = await api.call(admin, "DELETE", "/api/users/bob");
    expect(refused.body.error).toMatchObject({ code: "last_owner", details: { projects: ["bobs"] } });
    await api.call(admin, "POST", "/api/projects/bobs/members", { user: "admin", role: "owner" });
    expect((await api.call(admin, "DELETE", "/api/users/bob")).status).toBe(204);
    expect((await api.call(admin, "GET", "/api/projects/bobs/members")).body.members).toMatchObject([
      { user: "admin" },
    ]);
    expect((await api.call(admin, "POST", "/api/users", { id: "bob" })).body.error.code).toBe("exists");
    expect((await api.call(admin, "GET", "/api/users/bob")).status).toBe(404);
  });
});

it("AT23 AC8 two admins who demote each other, two owners who are deleted, all at once: one of each stays", async () => {
  for (const id of ["eva", "oda", "ole"]) await api.made.users.create({ id, password: `${id}-has-one` });
  await api.made.users.patch("eva", { admin: true });
  const eva = await api.signIn("eva");
  // A Project without a list of members is the admins'.
  const person = { id: "eva", name: "Eva", admin: true, sid: "s" };
  const closed: string[] = [];
  for (const project of ["legacy", undefined])
    api.made.streams.add({ person, project, close: () => closed.push(`${project}`) });
  const demoted = await Promise.all([
    api.call(admin, "PATCH", "/api/users/eva", { admin: false }),
    api.call(eva, "PATCH", "/api/users/admin", { admin: false }),
  ]);
  expect(demoted.map(({ status }) => status).sort()).toEqual([200, 409]);
  const [left] = await api.made.users.admins();
  expect(closed).toEqual(left === "eva" ? [] : ["legacy"]);
  await api.made.users.patch("admin", { admin: true });

  const oda = await api.signIn("oda");
  await api.call(oda, "POST", "/api/projects", { id: "odas" });
  await api.call(oda, "POST", "/api/projects/odas/members", { user: "ole", role: "owner" });
  const deleted = await Promise.all(["oda", "ole"].map((id) => api.call(admin, "DELETE", `/api/users/${id}`)));
  expect(deleted.map(({ status }) => status).sort()).toEqual([204, 409]);
  const [owner] = (await api.made.projects.members.list("odas")) ?? [];
  expect(await api.made.users.get(owner?.user ?? "")).not.toBeNull();
});

describe("one's own account", () => {
  it("ends sign-ins one by one or all others, with their open streams; a sid is told to nobody", async () => {
    await invite("mia");
    const here = await api.signIn("mia");
    const there = await api.signIn("mia");
    await api.signIn("mia");
    const stream = (await api.call(there, "GET", "/api/stream")).response;
    const list = async () => (await api.call(here, "GET", "/api/me/sign-ins")).body.sign_ins;
    const before = await list();
    expect(before).toHaveLength(3);
    const sids = (await api.made.users.signIns("mia")).map(({ sid }) => sid);
    for (const sid of sids) expect(JSON.stringify(before)).not.toContain(sid);
    const [, second] = before;
    expect((await api.call(here, "DELETE", `/api/me/sign-ins/${second.id}`)).status).toBe(204);
    expect(await ended(stream)).toBe(true);
    expect((await api.call(there, "GET", "/api/me")).status).toBe(401);
    expect((await api.call(here, "DELETE", `/api/me/sign-ins/${second.id}`)).status).toBe(404);
    expect((await api.call(here, "DELETE", "/api/me/sign-ins")).status).toBe(204);
    expect(await list()).toMatchObject([{ current: true }]);
  });

  it("keeps name and preferences for every browser, and refuses what is neither", async () => {
    const cookie = await api.signIn("mia");
    const changed = await api.call(cookie, "PATCH", "/api/me", { name: "Mia M", language: "zh", theme: "dark" });
    expect(changed.body).toMatchObject({ user: { name: "Mia M" }, preferences: { language: "zh", theme: "dark" } });
    expect((await api.call(cookie, "PATCH", "/api/me", { admin: true })).status).toBe(400);
    expect((await api.call(cookie, "PATCH", "/api/me", { theme: "x" })).status).toBe(400);
    // Who allowed what is told by names: none that cannot be seen, or that reads as another.
    for (const name of ["\u200b", "\ud800", "a\nb", "Ann\u202enn", "\u3000"])
      expect((await api.call(cookie, "PATCH", "/api/me", { name })).status, JSON.stringify(name)).toBe(400);
    expect((await api.call(cookie, "PATCH", "/api/me", { name: "娜 O’Brien 🐧" })).status).toBe(200);
  });

  it("makes tokens that are shown once, work as far as they reach, and lose their streams when revoked", async () => {
    const cookie = await api.signIn("mia");
    await api.call(cookie, "POST", "/api/projects", { id: "mias" });
    await api.call(cookie, "POST", "/api/projects", { id: "others" });
    const made = await api.call(cookie, "POST", "/api/me/tokens", { name: "ci", scopes: ["work"], projects: ["mias"] });
    const { token, view } = made.body;
    expect((await api.call(cookie, "GET", "/api/me/tokens")).text).not.toContain(token);
    expect((await api.call(token, "GET", "/api/projects")).body.projects).toMatchObject([{ id: "mias" }]);
    const sessions = "/api/projects/mias/agents/default_agent/sessions";
    const session = await api.call(token, "POST", sessions, {});
    expect(session.status).toBe(201);
    expect(session.body.session.created_by).toBe("mia");
    // It may not decide approvals, so it may not turn them off.
    const path = `${sessions}/${session.body.session.id}`;
    expect((await api.call(token, "POST", sessions, { approval_mode: "allow-all" })).status).toBe(403);
    expect((await api.call(token, "PATCH", path, { approval_mode: "allow-all" })).status).toBe(403);
    expect((await api.call(token, "POST", "/api/me/password", { current: "a", next: "b" })).status).toBe(403);
    const stream = (await api.call(token, "GET", `${path}/events`)).response;
    expect((await api.call(cookie, "DELETE", `/api/me/tokens/${view.id}`)).status).toBe(204);
    expect(await ended(stream)).toBe(true);
    expect((await api.call(token, "GET", "/api/projects")).status).toBe(401);
  });
});

it("MU16 MU05 a member who is removed loses the open stream of a Session at once, and its address says not found", async () => {
  const [mia, ann] = [await api.signIn("mia"), await api.signIn("ann")];
  const path = "/api/projects/others/agents/default_agent/sessions";
  await api.call(mia, "POST", "/api/projects/others/members", { user: "ann", role: "viewer" });
  const { id } = (await api.call(mia, "POST", path, {})).body.session;
  const [hers, own] = [
    await api.call(ann, "GET", `${path}/${id}/events`),
    await api.call(mia, "GET", `${path}/${id}/events`),
  ];
  expect(hers.response.headers.get("cache-control")).toContain("private");
  // Another role: the stream begins anew, so that the page learns of it.
  expect((await api.call(mia, "PATCH", "/api/projects/others/members/ann", { role: "member" })).status).toBe(200);
  expect(await ended(hers.response)).toBe(true);
  const again = await api.call(ann, "GET", `${path}/${id}/events`);
  await api.call(mia, "DELETE", "/api/projects/others/members/ann");
  expect(await ended(again.response)).toBe(true);
  expect((await api.call(ann, "GET", `${path}/${id}`)).status).toBe(404);
  expect((await api.call("", "GET", `${path}/${id}`)).status).toBe(401);
  // Whoever stays reads on.
  expect((await own.response.body?.getReader().read())?.done).toBe(false);
});

it("AC9 what runs in a private Session of somebody who leaves ends: nobody else could stop it; the team's goes on", async () => {
  const [mia, ann] = [await api.signIn("mia"), await api.signIn("ann")];
  await api.call(mia, "POST", "/api/projects/others/members", { user: "ann", role: "member" });
  const path = "/api/projects/others/agents/default_agent/sessions";
  const begin = async (visibility: string) => {
    const { id: session } = (await api.call(ann, "POST", path, {})).body.session;
    await api.call(ann, "PATCH", `${path}/${session}`, { visibility });
    await api.call(ann, "POST", `${path}/${session}/tasks`, {
      input: [{ type: "text", text: "write 90 lines slowly" }],
    });
    return api.made.sessions.peek({ project: "others", agent: "default_agent", session });
  };
  const [hers, teams] = [await begin("private"), await begin("team")];
  await vi.waitFor(() => expect([hers?.status, teams?.status]).toEqual(["running", "running"]));
  expect((await api.call(mia, "DELETE", "/api/projects/others/members/ann")).status).toBe(204);
  expect([hers?.status, teams?.status]).toEqual(["idle", "running"]);
  expect(hers?.records.map(({ message }) => message.payload)).toContainEqual(
    expect.objectContaining({ type: "abort", by: "mia" }),
  );
});

describe("the audit log of a Project", () => {
  it("tells owners who did what, newest first, by kind and person; nobody else", async () => {
    const [mia, ann] = [await api.signIn("mia"), await api.signIn("ann")];
    const log = "/api/projects/mias/audit";
    await api.call(mia, "POST", "/api/projects/mias/members", { user: "ann", role: "member" });
    const session = await api.call(ann, "POST", "/api/projects/mias/agents/default_agent/sessions", {});
    await api.call(ann, "DELETE", `/api/projects/mias/agents/default_agent/sessions/${session.body.session.id}`);
    const stream = (await api.call(ann, "GET", "/api/projects/mias/agents/default_agent/sessions")).status;
    expect(stream).toBe(200);
    await api.call(mia, "DELETE", "/api/projects/mias/members/ann");
    expect((await api.call(ann, "GET", log)).status).toBe(404);
    const all = (await api.call(mia, "GET", log)).body.entries;
    expect(all.map(({ action }: { action: string }) => action)).toEqual([
      "member.remove",
      "session.delete",
      "member.add",
      "project.create",
    ]);
    expect(all[0]).toMatchObject({ by: "mia", user: "ann" });
    const filtered = (await api.call(mia, "GET", `${log}?kind=deletions&by=ann`)).body.entries;
    expect(filtered).toMatchObject([{ action: "session.delete", by: "ann", session: session.body.session.id }]);
    const page = (await api.call(mia, "GET", `${log}?limit=1`)).body;
    expect((await api.call(mia, "GET", `${log}?limit=1&before=${page.before}`)).body.entries).toMatchObject([
      { action: "session.delete" },
    ]);
  });

  it("AC9 AC10 tells owners that something was done with a private Session, not with which; its creator reads it all", async () => {
    const [mia, ann] = [await api.signIn("mia"), await api.signIn("ann")];
    await api.call(mia, "POST", "/api/projects/mias/members", { user: "ann", role: "owner" });
    const [path, log] = ["/api/projects/mias/agents/default_agent", "/api/projects/mias/audit?limit=3"];
    const { id } = (await api.call(ann, "POST", `${path}/sessions`, {})).body.session;
    await api.call(ann, "PATCH", `${path}/sessions/${id}`, { visibility: "private" });
    await api.call(ann, "POST", `${path}/sessions/${id}/tasks`, { input: [{ type: "text", text: "say hi" }] });
    const ref = { project: "mias", agent: "default_agent", session: id };
    await vi.waitFor(() => expect(api.made.sessions.peek(ref)?.status).toBe("idle"));
    await api.call(ann, "GET", `${path}/traces/${id}/1/raw`);
    for (const action of ["trace.export", "session.delete"]) {
      const hers = (await api.call(ann, "GET", log)).body.entries;
      expect(hers).toContainEqual(expect.objectContaining({ action, session: id }));
      const others = await api.call(mia, "GET", log);
      expect(others.body.entries).toContainEqual(expect.objectContaining({ by: "ann", action, private: true }));
      expect(others.text).not.toContain(id);
      if (action === "trace.export") await api.call(ann, "DELETE", `${path}/sessions/${id}`);
    }
  });
});
