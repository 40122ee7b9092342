import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { AppError } from "../lib/api/errors";
import { SESSION_COOKIE } from "./auth/person";
import { readConfig } from "./config";
import { handle, json } from "./http";
import { createRuntime, type Runtime, useRuntime } from "./runtime";
import { Hasher } from "./users/hash";

let root: string;
let made: Runtime;
let cookie: string;

async function signIn(id: string): Promise<string> {
  const sid = await made.users.addSignIn(id);
  return `${SESSION_COOKIE}=${await encode({ token: { sub: id, sid }, secret: made.secret })}`;
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "penguin-http-"));
  const config = readConfig({ PENGUIN_HOME: root, NODE_ENV: "test" });
  made = await createRuntime(config, { hasher: new Hasher({ memoryCost: 8, timeCost: 1, parallelism: 1 }) });
  useRuntime(made);
  await made.users.create({ id: "ann", password: "12345678" });
  cookie = await signIn("ann");
});
afterAll(async () => {
  useRuntime(undefined);
  await rm(root, { recursive: true, force: true });
});

const echo = handle(
  { right: "signed_in", body: z.strictObject({ n: z.number() }), maxBytes: 100 },
  ({ body, person }) => json({ n: body.n, by: person.id }),
);
const noParams = { params: Promise.resolve({}) };

async function post(headers: Record<string, string>, body: BodyInit = '{"n":1}') {
  const request = new Request("http://127.0.0.1:7364/api/x", {
    method: "POST",
    ...{ duplex: "half" },
    headers: { cookie, host: "127.0.0.1:7364", "content-type": "application/json", ...headers },
    body,
  });
  const response = await echo(request, noParams);
  return { status: response.status, body: await response.json(), headers: response.headers };
}

describe("handle", () => {
  it("runs for a signed-in person; the answer is private", async () => {
    const { status, body, headers } = await post({ origin: "http://127.0.0.1:7364", "sec-fetch-site": "same-origin" });
    expect({ status, body }).toEqual({ status: 200, body: { n: 1, by: "ann" } });
    expect(headers.get("cache-control")).toBe("private, no-store");
  });

  it.each([
    ["no cookie", { cookie: "" }],
    ["another cookie", { cookie: "other=1" }],
    ["a forged token", { cookie: `${SESSION_COOKIE}=abc` }],
  ])("answers 401 with %s", async (_, headers) => {
    expect(await post(headers)).toMatchObject({ status: 401, body: { error: { code: "unauthorized" } } });
  });

  it("answers 401 for a token of another secret, and for an ended sign-in", async () => {
    const forged = await encode({ token: { sub: "ann", sid: "x" }, secret: "other" });
    expect((await post({ cookie: `${SESSION_COOKIE}=${forged}` })).status).toBe(401);
    const sid = await made.users.addSignIn("ann");
    const token = await encode({ token: { sub: "ann", sid }, secret: made.secret });
    const ended = `${SESSION_COOKIE}=${token}`;
    expect((await post({ cookie: ended })).status).toBe(200);
    await made.users.endSignIn("ann", sid);
    expect((await post({ cookie: ended })).status).toBe(401);
  });

  it.each([
    [{ origin: "http://evil.test" }],
    [{ origin: "http://127.0.0.1:7365" }],
    [{ origin: "null" }],
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site" }],
    [{ origin: "http://evil.test", "x-forwarded-host": "evil.test" }],
  ])("refuses a mutation from elsewhere: %o", async (headers) => {
    expect(await post(headers)).toMatchObject({ status: 403, body: { error: { code: "cross_origin" } } });
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])("refuses %s", async (type) => {
    expect((await post({ "content-type": type })).status).toBe(415);
  });

  it("bounds the body and names what is wrong with it", async () => {
    expect((await post({}, `{"n":1}${" ".repeat(200)}`)).status).toBe(413);
    expect((await post({}, "{")).body.error.code).toBe("invalid_json");
    // Without a length: what is too much is read to its end all the same, or the connection would carry nothing more.
    let pieces = 0;
    const [cancel, close] = [vi.fn(), vi.fn()];
    const pull = (to: ReadableStreamDefaultController<Uint8Array>) => {
      pieces += 1;
      if (pieces <= 30) return to.enqueue(new Uint8Array(50));
      close();
      to.close();
    };
    expect((await post({}, new ReadableStream({ pull, cancel }))).status).toBe(413);
    await vi.waitFor(() => expect(close).toHaveBeenCalled());
    expect(cancel).not.toHaveBeenCalled();
    expect((await post({}, '{"n":"x"}')).body.error).toMatchObject({ code: "bad_request" });
    expect((await post({}, '{"n":1,"more":1}')).status).toBe(400);
  });

  it("answers an outsider exactly like somebody who made the id up, a member without the right 403", async () => {
    await made.projects.create("alpha", "Alpha", "somebody");
    const route = handle({ right: "own", params: ["project"] }, () => json({}));
    const ask = async (project: string) => {
      const request = new Request(`http://h/api/projects/${project}`, { headers: { cookie } });
      const response = await route(request, { params: Promise.resolve({ project }) });
      return { status: response.status, text: await response.text() };
    };
    const outside = await ask("alpha");
    expect(outside.status).toBe(404);
    expect(await ask("never_made")).toEqual(outside);
    expect(await ask("..")).toEqual(outside);
    await made.projects.members.add("alpha", { user: "ann", role: "member" }, []);
    expect((await ask("alpha")).status).toBe(403);
    await made.projects.members.setRole("alpha", { user: "ann", role: "owner" }, []);
    expect((await ask("alpha")).status).toBe(200);
  });

  it.each(["HEAD", "GET"])(
    "AT24 %s of whom nobody reads the body closes what it would have been read from",
    async (method) => {
      const [cancel, gone] = [vi.fn(), new AbortController()];
      const file = handle({ right: "signed_in" }, () => {
        if (method === "GET") gone.abort();
        return new Response(new ReadableStream({ cancel }), { headers: { "content-length": "7" } });
      });
      const init = { method, headers: { cookie }, signal: gone.signal };
      const response = await file(new Request("http://127.0.0.1:7364/api/x", init), noParams);
      expect([response.status, response.body, response.headers.get("content-length")]).toEqual([200, null, "7"]);
      expect(cancel).toHaveBeenCalled();
    },
  );

  it("what fails because its Project was deleted meanwhile is not found", async () => {
    await made.projects.create("short", "Short", "ann");
    const request = () => new Request("http://127.0.0.1:7364/api/projects/short", { headers: { cookie } });
    const route = handle({ right: "own", params: ["project"] }, async () => {
      await made.projects.remove("short", async () => {});
      throw new Error("ENOENT");
    });
    expect((await route(request(), { params: Promise.resolve({ project: "short" }) })).status).toBe(404);
  });

  it("maps refusals and hides everything unexpected", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const refusing = handle({ right: "signed_in" }, () => {
      throw new AppError("locked", undefined, { field: "model" });
    });
    const failing = handle({ right: "signed_in" }, () => {
      throw new Error("boom sk-secret-key-1");
    });
    const request = () => new Request("http://h/api/x?key=sk-secret", { headers: { cookie } });
    expect(await (await refusing(request(), noParams)).json()).toMatchObject({ error: { code: "locked" } });
    const response = await failing(request(), noParams);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("boom");
    const line = String(log.mock.calls[0]);
    expect(line).toContain("boom");
    expect(line).not.toContain("sk-secret");
    log.mockRestore();
  });
});
