/** Issue 8, "must show" 6: share links over the routes: who makes them, what readers get, and how they end. */
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CreateShareBody, SharePreview, ShareView } from "@/lib/api/share";
import { DATE, file, info, meta, SID, stream, turn, user } from "@/server/trace/fixtures/traces";
import { HEAD as ask, GET as read } from "../share/[token]/route";
import { TestApi } from "./testing/server";

const PRIVATE = "session-2026-07-18-11-10-22-00000002";
const VAULT = "vault-value_12345";
const KEY = "model-key_12345";
const WORKSPACE = "/srv/work/place";
const P = "/api/projects/alpha";
const S = `${P}/agents/default_agent/sessions/${SID}`;

let api: TestApi;
const as: Record<string, string> = {};
beforeAll(async () => {
  api = await TestApi.start();
  const { made } = api;
  for (const id of ["ann", "mia", "vic", "out"]) {
    await made.users.create({ id, name: `${id[0]?.toUpperCase()}${id.slice(1)} Quux`, password: `${id}-password` });
    as[id] = await api.signIn(id);
  }
  await made.projects.create("alpha", "Alpha", "ann");
  const ref = { project: "alpha", agent: "default_agent" };
  await made.agents.ensure(ref);
  await made.projects.members.add("alpha", { user: "mia", role: "member" }, []);
  await made.projects.members.add("alpha", { user: "vic", role: "viewer" }, []);
  await writeFile(made.layout.vault(ref), `TOKEN_OF_SOMETHING = "${VAULT}"\n`);
  await made.files.update(made.layout.projectConfig("alpha"), (table) => ({
    table: { ...table, models: [{ provider: "x", model_id: "m", base_url: "https://x.test/v1", api_key: KEY }] },
    result: undefined,
  }));
  const put = async (id: string, ...lines: string[]) => {
    const path = made.layout.traceFile(ref, DATE, id, 1);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, file(meta(id, { created_by: "mia", workspace: WORKSPACE }), ...lines));
  };
  const authored = (text: string, author: string) => user(text, { author });
  const [, ...answer] = turn(
    "",
    `Second **answer** of Mia Quux: ${VAULT}, ${KEY} in ${WORKSPACE}/x.ts and /home/mia/y`,
  );
  await put(
    SID,
    info(),
    ...turn("earlier question", "earlier answer"),
    authored("Second question by mia", "mia"),
    ...answer,
  );
  await put(PRIVATE, info({ visibility: "private" }), ...turn("mine alone", "yes"));
});
afterAll(() => api.stop());

const call = (who: string, ...rest: Parameters<TestApi["call"]> extends [string, ...infer R] ? R : never) =>
  api.call(as[who] ?? "", ...rest);

/** Opens a link in a browser: with a cookie, or without. */
async function open(path: string, cookie = "", run = read) {
  const token = decodeURIComponent(path.replace("/share/", ""));
  const headers = { host: "127.0.0.1:7364", "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0", cookie };
  const request = new Request(`http://127.0.0.1:7364${path}`, { headers });
  const response = await run(request, { params: Promise.resolve({ token }) });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

const CHOICE = { title: "About Mia Quux", turns: [{ file_index: 1, line: 7 }] };
async function preview(who: string, more: object = {}, session = S): Promise<SharePreview> {
  const answer = await call(who, "POST", `${session}/shares/preview`, { ...CHOICE, ...more });
  expect(answer.status).toBe(200);
  return answer.body;
}
const inDays = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString();
async function make(who: string, more: Partial<CreateShareBody> = {}, session = S) {
  const { public: _public, expires: _expires, ...choice } = more;
  const { at, digest, html } = await preview(who, choice, session);
  const body = { ...CHOICE, expires: inDays(1), ...more, at, digest };
  const answer = await call(who, "POST", `${session}/shares`, body);
  return {
    status: answer.status,
    error: answer.body.error,
    link: answer.body.link as ShareView,
    path: String(answer.body.path),
    html,
  };
}

describe("what readers get", () => {
  it("is the preview, byte for byte: without secrets, paths and names, and nothing of other turns", async () => {
    const start = await call("mia", "GET", `${S}/shares`);
    expect(start.body).toMatchObject({
      turns: [
        { file_index: 1, line: 3, text: "earlier question" },
        { file_index: 1, line: 7, text: "Second question by mia" },
      ],
      links: [],
      may: { public: false, never: false },
    });
    const { masked, html, turns } = await preview("mia");
    expect(turns).toBe(1);
    expect(Object.fromEntries(masked.map(({ kind, count }) => [kind, count]))).toEqual({
      vault_value: 1,
      model_key: 1,
      path: 2,
      name: 3,
    });
    const { path, link } = await make("mia");
    const page = await open(path, as.out);
    expect(page.status).toBe(200);
    expect(page.text).toBe(html);
    expect(page.text).toContain("Second question by ‹name›");
    expect(page.text).toContain("<p>Second <strong>answer</strong> of ‹name›: ‹secret›, ‹secret› in ‹workspace›/x.ts");
    const sent = page.text + JSON.stringify([...page.headers]);
    for (const word of [
      VAULT,
      KEY,
      WORKSPACE,
      "/home/",
      "Mia",
      "mia",
      "Quux",
      "earlier",
      "secret prompt",
      SID,
      "alpha",
      link.id,
    ])
      expect(sent).not.toContain(word);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "x-robots-tag": "noindex, nofollow, noarchive",
    });
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'.*frame-ancestors 'none'$/);
  });

  it("has names and paths when they are chosen, and says so in the reader's language", async () => {
    const { path } = await make("mia", { names: true, paths: true });
    const page = await open(path, `${as.out}; penguin_language=zh`);
    for (const word of ["shared by Mia Quux", "由 Mia Quux 分享", `${WORKSPACE}/x.ts`, "/home/mia/y", 'lang="zh"'])
      expect(page.text.includes(word)).toBe(!word.startsWith("shared"));
    expect(page.text).not.toContain(VAULT);
  });

  it("calls nobody here by what an imported file says", async () => {
    const id = "session-2026-07-18-11-10-22-00000003";
    const text = file(meta(id), user("who said this", { author: "ann" }), ...turn("", "x").slice(1));
    const given = { acceptDamage: false, by: "mia", maxBytes: 1_000_000 };
    const ref = { project: "alpha", agent: "default_agent" };
    expect(await api.made.traces.import(ref, stream(text), given)).toMatchObject({ ok: true });
    const choice = { turns: [{ file_index: 1, line: 2 }], names: true };
    const { html } = await preview("mia", choice, S.replace(SID, id));
    expect(html).toContain('<p class="author">ann, from an imported file</p>');
    expect(html).not.toContain("Ann Quux");
  });

  it("stays as it was when the Session or the vault goes on; a preview that is old news makes no link", async () => {
    const { at, digest } = await preview("mia");
    const body = { ...CHOICE, at, digest, expires: inDays(1) };
    expect((await call("mia", "POST", `${S}/shares`, { ...body, title: "Other" })).body.error.code).toBe(
      "share_changed",
    );
    expect((await call("mia", "POST", `${S}/shares`, { ...body, tools: true, at: inDays(-1) })).status).toBe(409);
    expect((await call("mia", "POST", `${S}/shares`, { ...body, expires: inDays(-1) })).status).toBe(400);
    expect(
      (await call("mia", "POST", `${S}/shares/preview`, { ...CHOICE, turns: [{ file_index: 9, line: 9 }] })).status,
    ).toBe(400);
  });
});

describe("who makes, reads and ends them", () => {
  it("signed out: the sign-in; without one only while link and Project both say so", async () => {
    const closed = await make("mia");
    const signedOut = await open(closed.path);
    expect([signedOut.status, signedOut.headers.get("location"), signedOut.text]).toEqual([
      303,
      `/sign-in?to=${encodeURIComponent(closed.path)}`,
      "",
    ]);
    expect((await make("mia", { public: true })).error.code).toBe("forbidden");
    expect((await call("mia", "PATCH", P, { public_links: true })).status).toBe(403);
    expect((await call("ann", "PATCH", P, { public_links: true })).body.project.public_links).toBe(true);
    const { path, html, link } = await make("mia", { public: true });
    expect((await open(path)).text).toBe(html);
    expect((await open(closed.path)).status).toBe(303);
    expect((await call("mia", "GET", `${P}/shares/${link.id}/reads`)).body.reads).toEqual([
      { at: expect.any(String), device: "Firefox, Linux" },
    ]);
    await call("ann", "PATCH", P, { public_links: false });
    expect((await open(path)).status).toBe(303);
    expect((await open(path, "", ask)).status).toBe(401);
    expect((await open(path, as.out)).status).toBe(200);
  });

  it("viewers, outsiders and tokens make none; links without an end are for owners, a private Session for its creator", async () => {
    expect((await call("vic", "GET", `${S}/shares`)).status).toBe(403);
    expect((await call("out", "GET", `${S}/shares`)).status).toBe(404);
    const { token } = await api.made.tokens.create("mia", { name: "t", scopes: ["read", "work"] });
    expect((await api.call(token, "GET", `${S}/shares`)).status).toBe(403);
    expect((await make("mia", { expires: null })).error.code).toBe("forbidden");
    expect((await make("mia", { expires: inDays(400) })).error.code).toBe("bad_request");
    const { link } = await make("ann", { expires: null });
    expect(link.expires_at).toBeUndefined();

    const own = S.replace(SID, PRIVATE);
    const first = [{ file_index: 1, line: 3 }];
    expect((await call("ann", "POST", `${own}/shares/preview`, { ...CHOICE, turns: first })).status).toBe(404);
    const made = await make("mia", { turns: first, title: "Hers" }, own);
    expect((await open(made.path, as.out)).text).toContain("mine alone");
    // Owners learn that there is one, and can end it.
    const [seen] = (await call("ann", "GET", `${P}/shares`)).body.links.filter(
      ({ id }: ShareView) => id === made.link.id,
    );
    expect(seen).toMatchObject({ created_by: "mia", mine: true, reads: 1 });
    expect(JSON.stringify(seen)).not.toMatch(/Hers|session-/);
  });

  it("withdrawn by its maker or an owner it is the 404 of a link that never was, on the disk too; others may not", async () => {
    const { path, link, html } = await make("ann");
    expect((await open(path, as.mia)).text).toBe(html);
    expect((await call("mia", "DELETE", `${P}/shares/${link.id}`)).status).toBe(403);
    expect((await call("mia", "GET", `${P}/shares/${link.id}/reads`)).status).toBe(403);
    expect((await call("ann", "GET", `${P}/shares/${link.id}/reads`)).body.reads).toMatchObject([{ by: "mia" }]);
    const folder = api.made.layout.shares("alpha");
    const name = (await readdir(folder)).find((one) => one.startsWith(link.id) && one.endsWith(".copy.json")) ?? "";
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    for (const one of await readdir(folder))
      expect(await readFile(join(folder, one), "utf8")).not.toContain(path.slice(7));

    expect((await call("ann", "DELETE", `${P}/shares/${link.id}`)).status).toBe(204);
    const [gone, never] = [await open(path, as.mia), await open(`/share/${"x".repeat(43)}`, as.mia)];
    expect([gone.status, gone.text]).toEqual([404, never.text]);
    expect([...gone.headers]).toEqual([...never.headers]);
    expect((await open(path, as.mia, ask)).status).toBe(404);
    for (const odd of ["", "x", "../../x", "%2e%2e", "x".repeat(5_000)])
      expect((await open(`/share/${odd}`, as.mia)).status).toBe(404);
    expect(await readdir(folder)).not.toContain(name);
    const [ended] = (await call("ann", "GET", `${P}/shares`)).body.links.filter(({ id }: ShareView) => id === link.id);
    expect(ended).toMatchObject({ ended: "revoked", reads: 1 });
    const log = (await call("ann", "GET", `${P}/audit?kind=shares&limit=1`)).body.entries;
    expect(log).toMatchObject([{ by: "ann", action: "share.revoke", share: link.id }]);
  });

  it("expires", async () => {
    const { path, link } = await make("mia", { expires: new Date(Date.now() + 60_000).toISOString() });
    expect((await open(path, as.out)).status).toBe(200);
    const folder = api.made.layout.shares("alpha");
    const name = (await readdir(folder)).find((one) => one.startsWith(link.id) && /^\w+\.json$/.test(one)) ?? "";
    const stored = JSON.parse(await readFile(join(folder, name), "utf8"));
    await writeFile(join(folder, name), JSON.stringify({ ...stored, expires_at: inDays(-1) }));
    expect((await open(path, as.out)).status).toBe(404);
    const [ended] = (await call("mia", "GET", `${S}/shares`)).body.links.filter(({ id }: ShareView) => id === link.id);
    expect(ended).toMatchObject({ ended: "expired" });
    expect((await readdir(folder)).filter((one) => one.startsWith(link.id) && one.includes("copy"))).toEqual([]);
  });

  it("ends for good when its maker becomes a viewer, is disabled or leaves, and with its Session", async () => {
    const status = async (path: string) => (await open(path, as.out)).status;
    const viewer = await make("mia");
    await call("ann", "PATCH", `${P}/members/mia`, { role: "viewer" });
    expect(await status(viewer.path)).toBe(404);
    await call("ann", "PATCH", `${P}/members/mia`, { role: "member" });
    expect(await status(viewer.path)).toBe(404);

    const disabled = await make("mia");
    // Changed on the disk: it is seen with the next reading.
    await api.made.users.patch("mia", { disabled: true });
    expect(await status(disabled.path)).toBe(404);
    await api.made.users.patch("mia", { disabled: false });
    expect(await status(disabled.path)).toBe(200);
    as.admin = await api.signIn("admin");
    await call("admin", "PATCH", "/api/users/mia", { disabled: true });
    await call("admin", "PATCH", "/api/users/mia", { disabled: false });
    expect(await status(disabled.path)).toBe(404);
    as.mia = await api.signIn("mia");

    const left = await make("mia");
    const others = await make("ann");
    await call("ann", "DELETE", `${P}/members/mia`);
    expect([await status(left.path), await status(others.path)]).toEqual([404, 200]);

    // Gone behind the server's back, then by the route, which leaves nothing on the disk.
    const path = api.made.layout.traceFile({ project: "alpha", agent: "default_agent" }, DATE, SID, 1);
    const bytes = await readFile(path);
    await rm(path);
    expect(await status(others.path)).toBe(404);
    await writeFile(path, bytes);
    expect(await status(others.path)).toBe(200);
    expect((await call("ann", "DELETE", S)).status).toBe(204);
    expect(await status(others.path)).toBe(404);
    expect((await readdir(api.made.layout.shares("alpha"))).filter((one) => one.startsWith(others.link.id))).toEqual(
      [],
    );
  });
});
