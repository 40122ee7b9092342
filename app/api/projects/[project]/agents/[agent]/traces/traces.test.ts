import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SESSION_COOKIE } from "@/server/auth/person";
import { readConfig } from "@/server/config";
import { createRuntime, type Runtime, useRuntime } from "@/server/runtime";
import { assistant, event, file, goodTrace, info, meta, SID, turn, user } from "@/server/trace/fixtures/traces";
import { Hasher } from "@/server/users/hash";
import { GET as raw } from "./[session]/[index]/raw/route";
import { GET as record } from "./[session]/[index]/records/[line]/route";
import { GET as rows } from "./[session]/[index]/route";
import { GET as analysis } from "./[session]/analysis/route";
import { GET as list, POST as upload } from "./route";

let root: string;
let made: Runtime;
const cookies: Record<string, string> = {};

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "penguin-traces-"));
  const config = readConfig({ PENGUIN_HOME: root, NODE_ENV: "test", PENGUIN_IMPORT_MAX_MB: "1" });
  made = await createRuntime(config, { hasher: new Hasher({ memoryCost: 8, timeCost: 1, parallelism: 1 }) });
  useRuntime(made);
  await made.projects.create("alpha", "Alpha", "ann");
  for (const agent of ["one", "two"]) await made.agents.ensure({ project: "alpha", agent });
  for (const id of ["ann", "mia", "vic"]) {
    await made.users.create({ id, password: `${id}-password` });
    const token = { sub: id, sid: await made.users.addSignIn(id) };
    cookies[id] = `${SESSION_COOKIE}=${await encode({ token, secret: made.secret })}`;
  }
  await made.projects.members.add("alpha", { user: "mia", role: "member" }, []);
  await made.projects.members.add("alpha", { user: "vic", role: "viewer" }, []);
});
afterAll(() => {
  useRuntime(undefined);
  rmSync(root, { recursive: true, force: true });
});

interface Ask {
  as?: string;
  agent?: string;
  session?: string;
  index?: string;
  line?: string;
  query?: string;
  headers?: Record<string, string>;
  body?: string;
}
type Handler = (request: Request, next: { params: Promise<never> }) => Promise<Response>;

function ask(handler: unknown, { as = "ann", agent = "one", query = "", headers, body, ...rest }: Ask = {}) {
  const request = new Request(`http://127.0.0.1:7364/api/x${query}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      host: "127.0.0.1:7364",
      cookie: cookies[as] ?? "",
      ...(body === undefined ? {} : { "content-type": "application/x-ndjson" }),
      ...headers,
    },
    body,
  });
  const params = Promise.resolve({ project: "alpha", agent, session: SID, index: "1", line: "1", ...rest });
  return (handler as Handler)(request, { params: params as Promise<never> });
}

function put(content: string, { agent = "one", id = SID, index = 1 } = {}) {
  const path = made.layout.traceFile({ project: "alpha", agent }, "2026-07-18", id, index);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}
const sha = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");
const sid = (n: number) => `session-2026-07-18-11-10-22-000000${String(n).padStart(2, "0")}`;

describe("import and export", () => {
  test("IM4: what is imported is listed at once and exported equal, under both Agents; again is 409 naming the id", async () => {
    const content = `\ufeff${goodTrace(sid(1)).replaceAll("\n", "\r\n")}`;
    for (const agent of ["one", "two"]) {
      const created = await ask(upload, { agent, body: content });
      expect(created.status).toBe(201);
      expect(await created.json()).toEqual({ session_id: sid(1), index: 1, date: "2026-07-18", damaged: [] });
      const page = await (await ask(list, { agent })).json();
      expect(page.sessions).toMatchObject([
        { session_id: sid(1), title: "first question", imported: true, files: [{ index: 1 }] },
      ]);
      const exported = await ask(raw, { agent, session: sid(1) });
      expect(exported.headers.get("content-type")).toBe("application/x-ndjson");
      expect(exported.headers.get("content-disposition")).toBe(`attachment; filename="${sid(1)}_001.jsonl"`);
      expect(sha(new Uint8Array(await exported.arrayBuffer()))).toBe(sha(content));
    }
    const again = await ask(upload, { as: "mia", body: content });
    expect(again.status).toBe(409);
    expect((await again.json()).error).toMatchObject({ code: "session_exists", details: { session_id: sid(1) } });
  });

  test("damage is 422 with line numbers; accept_damage=1 imports; a viewer may not", async () => {
    const body = file(meta(sid(2)), '{"cut', user("q"));
    const refused = await ask(upload, { body });
    expect(refused.status).toBe(422);
    expect((await refused.json()).error).toMatchObject({ code: "damaged_trace", details: { damaged: [{ line: 2 }] } });
    expect((await ask(upload, { as: "vic", body, query: "?accept_damage=1" })).status).toBe(403);
    const accepted = await ask(upload, { as: "mia", body, query: "?accept_damage=1" });
    expect(accepted.status).toBe(201);
    expect((await accepted.json()).damaged).toMatchObject([{ line: 2 }]);
  });

  test("SR13 a Trace with damaged lines and a torn end is exported byte for byte; nothing is cleaned", async () => {
    const name = join(process.cwd(), "server/session/cases/fixtures/traces/bad-midline");
    const content = `${readFileSync(`${name}.jsonl`, "utf8")}{"timestamp":"2026-07-18T03:10:20.000Z","ty`;
    const path = put(content, { id: sid(9) });
    await ask(rows, { session: sid(9) });
    const exported = await ask(raw, { session: sid(9) });
    expect(sha(new Uint8Array(await exported.arrayBuffer()))).toBe(sha(content));
    expect(sha(readFileSync(path))).toBe(sha(content));
  });

  test("IE01: above the limit is 413 and names it; another content type is 415; no body is an empty file", async () => {
    const body = file(meta(sid(3)), assistant("x".repeat(1_100_000)));
    const declared = await ask(upload, { body, headers: { "content-length": String(body.length) } });
    const streamed = await ask(upload, { body });
    for (const response of [declared, streamed]) {
      expect(response.status).toBe(413);
      expect((await response.json()).error).toMatchObject({ code: "file_too_large", details: { limit_mb: 1 } });
    }
    expect((await ask(upload, { body: "x", headers: { "content-type": "application/json" } })).status).toBe(415);
    expect((await ask(upload, { body: "" })).status).toBe(422);
  });
});

describe("ranges of the export", () => {
  const content = goodTrace(sid(4));
  const get = (range: string, more: Record<string, string> = {}) =>
    ask(raw, { session: sid(4), headers: { range, ...more } });

  test.each([
    ["bytes=0-9", 0, 10],
    ["bytes=5-", 5, content.length],
    ["bytes=-7", content.length - 7, content.length],
    [`bytes=10-${content.length + 500}`, 10, content.length],
    ["bytes=-999999", 0, content.length],
  ])("%s", async (range, from, to) => {
    put(content, { id: sid(4) });
    const response = await get(range);
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(`bytes ${from}-${to - 1}/${content.length}`);
    expect(await response.text()).toBe(content.slice(from, to));
  });

  test("AC10 each is in the audit log, also one that leaves the first byte out", async () => {
    put(content, { id: sid(4) });
    const log = () => readFileSync(made.layout.projectAudit("alpha"), "utf8").trimEnd().split("\n");
    const before = log().length;
    await (await get("bytes=1-")).text();
    expect(
      log()
        .slice(before)
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ by: "ann", action: "trace.export", session: sid(4), from_byte: 1 }]);
  });

  test("outside of the file is 416; other units, several ranges and If-Range get the whole file", async () => {
    put(content, { id: sid(4) });
    for (const range of [`bytes=${content.length}-`, "bytes=-0"]) {
      const response = await get(range);
      expect(response.status).toBe(416);
      expect(response.headers.get("content-range")).toBe(`bytes */${content.length}`);
    }
    for (const range of ["lines=1-2", "bytes=0-1,3-4", "bytes=-", "bytes=9-2"]) {
      expect((await get(range)).status).toBe(200);
    }
    const guarded = await get("bytes=0-1", { "if-range": '"x"' });
    expect([guarded.status, await guarded.text()]).toEqual([200, content]);
  });

  test("an empty file is an empty answer", async () => {
    put("", { id: sid(5) });
    const response = await ask(raw, { session: sid(5) });
    expect([response.status, response.headers.get("content-length"), await response.text()]).toEqual([200, "0", ""]);
  });
});

describe("rows and records", () => {
  test("rows by physical line; blank lines give none, damaged ones their head; long strings are shortened (P2)", async () => {
    const long = "é".repeat(40_000);
    put(file(meta(sid(6)), "", "{broken", assistant(long), user("q")), { id: sid(6) });
    const page = await (await ask(rows, { session: sid(6), query: "?offset=1&limit=3" })).json();
    expect(page.total).toBe(5);
    expect(page.records).toMatchObject([
      { line: 3, raw_head: "{broken" },
      { line: 4, message: { payload: { text: { $elided: { bytes: 80_000, head: "é".repeat(1024) } } } } },
    ]);
    const whole = await (await ask(record, { session: sid(6), line: "4" })).json();
    expect(whole).toMatchObject({ line: 4, message: { payload: { text: long } } });
    expect(await (await ask(record, { session: sid(6), line: "3" })).json()).toMatchObject({
      line: 3,
      raw_head: "{broken",
    });
  });

  test("a line about each instead, when a list asks for it", async () => {
    put(file(meta(sid(6)), "", "{broken", assistant("all done\nand more")), { id: sid(6) });
    const page = await (await ask(rows, { session: sid(6), query: "?offset=1&limit=3&summaries=1" })).json();
    expect(page).toEqual({
      total: 4,
      records: [
        { line: 3, error: expect.stringContaining("JSON") },
        {
          line: 4,
          timestamp: expect.any(String),
          kind: "answer",
          label: { words: "trace.answer" },
          summary: "all done",
        },
      ],
    });
    expect((await ask(rows, { session: "nobody", query: "?summaries=1" })).status).toBe(404);
    expect((await ask(rows, { session: sid(6), query: "?summaries=yes" })).status).toBe(400);
  });

  test("what is not there is 404, a senseless window 400", async () => {
    put(goodTrace(sid(6)), { id: sid(6) });
    for (const index of ["2", "0", "x", "1e3", "001"])
      expect((await ask(rows, { session: sid(6), index })).status).toBe(404);
    for (const line of ["0", "99", "-1"]) expect((await ask(record, { session: sid(6), line })).status).toBe(404);
    for (const handler of [rows, raw, record]) expect((await ask(handler, { session: "nobody" })).status).toBe(404);
    for (const query of ["?offset=-1", "?limit=0", "?limit=501", "?offset=x"])
      expect((await ask(rows, { session: sid(6), query })).status).toBe(400);
  });
});

test("analysis runs over all files of a Session and names damaged lines", async () => {
  const counts = { cache_read: 1, cache_write: 2, output: 3, total: 6 };
  const usage = event({ type: "token_usage", session: counts, request: counts });
  const [prompt = "", begin = "", answer = "", end = ""] = turn("q", "a");
  put(file(meta(sid(10)), prompt, begin, answer, usage, end, "{broken"), { id: sid(10) });
  put(file(meta(sid(10)), ...turn("q2", "a2")), { id: sid(10), index: 2 });
  const found = await (await ask(analysis, { session: sid(10) })).json();
  expect(found).toMatchObject({
    files: [
      { index: 1, lines: 7, damaged: [7] },
      { index: 2, lines: 5, damaged: [] },
    ],
    tasks: [
      { kind: "task", start: { address: { file_index: 1, line: 2 } }, tokens: counts, context: counts },
      { kind: "task", start: { address: { file_index: 2, line: 2 } }, tokens: { total: 0 }, context: null },
    ],
    reconnects: 0,
    compactions: 0,
    usage_trend: [{ address: { file_index: 1, line: 5 }, request_total: 6, session_total: 6 }],
  });
  expect(found.elapsed_ms).toBe(found.tasks[0].span_ms + found.tasks[1].span_ms);
  expect(found.tasks[0].requests[0]).toMatchObject({ duration_ms: 2000, approval_wait_ms: 0, active_ms: 2000 });
  expect((await ask(analysis, { session: "nobody" })).status).toBe(404);
});

describe("private Sessions", () => {
  test("they, their children and their forks are 404 for everybody but their creator", async () => {
    const mine = { created_by: "ann" };
    put(file(meta(sid(7), mine), info({ visibility: "private" }), ...turn("secret", "a")), { id: sid(7) });
    const child = { agent: "one", session_id: sid(7) };
    put(file(meta(sid(8), { parent: { ...child, tool_call_id: "c" } }), user("q")), { id: sid(8), agent: "two" });
    const fork = { forked_from: { agent: "two", session_id: sid(8), file_index: 1, line: 1 }, created_by: "mia" };
    put(file(meta(sid(9), fork), user("q")), { id: sid(9) });
    for (const [agent, session] of [
      ["one", sid(7)],
      ["two", sid(8)],
      ["one", sid(9)],
    ] as const) {
      for (const handler of [rows, raw, record, analysis]) {
        expect((await ask(handler, { as: "mia", agent, session })).status).toBe(404);
        expect((await ask(handler, { as: "ann", agent, session })).status).toBe(200);
      }
      const ids = async (as: string) =>
        (await (await ask(list, { as, agent })).json()).sessions.map((s: { session_id: string }) => s.session_id);
      expect(await ids("mia")).not.toContain(session);
      expect(await ids("ann")).toContain(session);
    }
  });
});

test("the list is ordered by activity and paged without gap or overlap", async () => {
  const at = (n: number) => new Date(Date.UTC(2026, 7, 1, 0, n % 3)).toISOString();
  const all = Array.from({ length: 7 }, (_, n) => `page-${n}`);
  const agent = "three";
  await made.agents.ensure({ project: "alpha", agent });
  for (const [n, id] of all.entries())
    put(file(meta(id), info({}, at(9)), user("q").replace(/"2026[^"]*"/, `"${at(n)}"`)), { id, agent });
  const seen: { session_id: string; last_active_at: string }[] = [];
  let cursor = "";
  for (let pages = 0; pages < 4; pages++) {
    const query = `?limit=3${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const page = await (await ask(list, { agent, query })).json();
    seen.push(...page.sessions);
    cursor = page.next_cursor ?? "";
    if (!cursor) break;
  }
  expect(seen.map((s) => s.session_id).sort()).toEqual(all);
  const times = seen.map((s) => s.last_active_at);
  expect(times).toEqual(times.toSorted().reverse());
});
