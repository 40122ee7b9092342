import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LONG_BYTES } from "../../lib/trace/jsonl";
import { assistant, file, goodTrace, info, meta, REF, SID, stream, temporaryRoot, turn, user } from "./fixtures/traces";
import type { ImportOptions } from "./import";
import { TraceStore } from "./store";

const OPTIONS: ImportOptions = { acceptDamage: false, by: "ann", maxBytes: 50_000_000 };

function setUp() {
  const { disk, put, root } = temporaryRoot();
  const store = new TraceStore(disk);
  const send = (content: string | Uint8Array, more: Partial<ImportOptions> = {}, size?: number) =>
    store.import(REF, stream(content, size), { ...OPTIONS, ...more });
  /** Every file below the Agent's Traces, relative. */
  const tree = () => {
    const dir = disk.traces(REF);
    if (!existsSync(dir)) return [];
    const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
    return entries.filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name).slice(dir.length + 1));
  };
  return { disk, put, root, store, send, tree };
}
const torn = (text: string) => text.slice(0, -20);

describe("accepted, stored byte for byte (IM3, IM4)", () => {
  test.each([
    ["a good Trace", goodTrace()],
    ["no last newline", goodTrace().trimEnd()],
    ["CRLF", goodTrace().replaceAll("\n", "\r\n")],
    ["a byte order mark", `\ufeff${goodTrace()}`],
    ["blank lines, also in front", `\n\n${goodTrace()}\n\n`],
    [
      "unknown kinds and fields of other versions",
      file(meta(), '{"type":"event_msg","payload":{"type":"zzz","a":[1]},"x":2}'),
    ],
    ["the meta again with the same id", file(meta(), user("q"), meta())],
    ["hostile text", file(meta(SID, { model_id: "<img src=x onerror=alert(1)>" }), user("<script>alert(2)</script>"))],
    ["a record above 2 MiB", file(meta(), assistant("é".repeat(LONG_BYTES)), user("q"))],
  ])("%s, in pieces of any size", async (_, content) => {
    for (const size of content.length > 10_000 ? [65_536] : [1, 7, 65_536]) {
      const { disk, send, tree, store } = setUp();
      const outcome = await send(content, {}, size);
      expect(outcome).toEqual({ ok: true, session_id: SID, index: 1, date: "2026-07-18", damaged: [] });
      const path = disk.traceFile(REF, "2026-07-18", SID, 1);
      expect(readFileSync(path, "utf8") === content).toBe(true);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(tree().sort()).toEqual([".imports.jsonl", `2026-07-18/${SID}_001.jsonl`]);
      const mark = JSON.parse(readFileSync(disk.imports(REF), "utf8"));
      const sha256 = createHash("sha256").update(content).digest("hex");
      expect(mark).toMatchObject({ session_id: SID, index: 1, sha256, bytes: Buffer.byteLength(content), by: "ann" });
      // People named in these lines are strangers.
      const lines = content.split("\n").length - (content.endsWith("\n") ? 1 : 0);
      expect(await store.sessions(REF)).toMatchObject([
        { session_id: SID, imported: true, imported_lines: [{ file_index: 1, lines }] },
      ]);
    }
  });

  test("the date folder is the local date of the first record; an invalid one means today", async () => {
    const { send } = setUp();
    const night = new Date(2026, 0, 5, 23, 59).toISOString();
    const withTime = (id: string, timestamp: string) =>
      `${JSON.stringify({ timestamp, type: "session_meta", payload: { session_id: id } })}\n`;
    expect(await send(withTime("a", night))).toMatchObject({ date: "2026-01-05" });
    const today = await send(withTime("b", "yesterday"));
    expect(today).toMatchObject({ ok: true, date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
    expect(await send(withTime("c", "+275000-01-01T00:00:00Z"))).toMatchObject({ ok: true });
  });
});

describe("refused, named, and nothing left on disk (IM1)", () => {
  const bytes = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding);
  test.each<[string, string | Buffer, string]>([
    ["an empty file", "", "empty"],
    ["only blank lines", "\n\n \n", "no records"],
    ["UTF-16 with a mark", Buffer.concat([Buffer.from([0xff, 0xfe]), bytes(goodTrace(), "utf16le")]), "UTF-16"],
    ["UTF-16 without a mark", bytes(goodTrace(), "utf16le"), "UTF-16"],
    ["Latin-1", bytes(file(meta(), user("café au lait")), "latin1"), "Line 2 is not UTF-8"],
    ["no session_meta first", file(user("q"), meta()), "Line 1"],
    ["another kind of file", '[{"title":"My chat","mapping":{}}]', "Line 1"],
    ["text", "hello\nworld\n", "Line 1"],
    ["a traversal id", file(meta("../../../tmp/pwned")), "Line 1"],
    ["an id that is too long", file(meta("x".repeat(129))), "Line 1"],
    ["no id", '{"timestamp":"2026-07-18T03:10:00Z","type":"session_meta","payload":{}}\n', "session_id"],
    [
      "no timestamp in the first record",
      file(meta()).replace(/"timestamp":"[^"]*"/, '"timestamp":1784344200000'),
      "Line 1",
    ],
    ["a second session_meta with another id", file(meta(), ...turn("q", "a"), meta("other")), "Line 6"],
  ])("%s", async (_, content, named) => {
    for (const size of [3, 65_536]) {
      const { send, tree } = setUp();
      const outcome = await send(content, { acceptDamage: true }, size);
      expect(outcome).toMatchObject({ ok: false, code: "invalid_trace", message: expect.stringContaining(named) });
      expect(tree()).toEqual([]);
    }
  });

  test("FF 2.1: a timestamp that is a number is damage like any other; 'import anyway' stores it", async () => {
    const content = file(meta(), ...turn("q", "a")).replace(
      /("timestamp":)"[^"]*"(,"type":"event)/,
      (_, before, after) => `${before}17843442${after}`,
    );
    const { send, tree } = setUp();
    expect(content).toMatch(/"timestamp":\d/);
    expect(await send(content)).toMatchObject({ ok: false, code: "damaged_trace", details: { total: 1 } });
    expect(tree()).toEqual([]);
    expect(await send(content, { acceptDamage: true })).toMatchObject({ ok: true });
  });

  test("damaged lines are named; 'import anyway' stores them as they are", async () => {
    const content = `${file(meta(), torn(user("x")), ...turn("q", "a"), "null")}${torn(user("世".repeat(9)))}`;
    const { send, tree, disk } = setUp();
    expect(await send(content)).toMatchObject({
      ok: false,
      code: "damaged_trace",
      message: "Lines 2, 7, 8 of this Trace cannot be read. Nothing was stored.",
      details: { total: 3, damaged: [{ line: 2 }, { line: 7 }, { line: 8 }] },
    });
    expect(tree()).toEqual([]);
    expect(await send(content, { acceptDamage: true })).toMatchObject({
      ok: true,
      damaged: [{ line: 2 }, { line: 7 }, { line: 8 }],
    });
    expect(readFileSync(disk.traceFile(REF, "2026-07-18", SID, 1), "utf8")).toBe(content);
  });

  test("a line torn inside a character is damage, as a crash makes it, not another encoding", async () => {
    const { send } = setUp();
    const content = Buffer.from(goodTrace() + user("世界")).subarray(0, -5);
    expect(await send(content)).toMatchObject({ code: "damaged_trace" });
    expect(await send(content, { acceptDamage: true })).toMatchObject({ ok: true });
  });

  test("the same for a record above 2 MiB, which is checked off the event loop", async () => {
    const { send } = setUp();
    const long = assistant("世".repeat(LONG_BYTES / 2));
    const torn = Buffer.from(`${goodTrace()}${long}`).subarray(0, -5);
    expect(await send(torn)).toMatchObject({ code: "damaged_trace", details: { total: 1 } });
    const other = Buffer.from(`${goodTrace()}${long}\n`);
    other[other.length - 1000] = 0xff;
    expect(await send(other)).toMatchObject({ code: "invalid_trace", message: expect.stringContaining("not UTF-8") });
    const twoMetas = `${goodTrace()}${long}\r\n${meta("another")}\n`;
    expect(await send(twoMetas)).toMatchObject({ message: expect.stringContaining("another Session (another)") });
    expect(await send(`${goodTrace()}${long}\r\n`)).toMatchObject({ ok: true });
  });

  test("IE01: too large is refused by the declared length unread, and else before the body's end", async () => {
    const { send, store, tree } = setUp();
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++;
        controller.enqueue(Buffer.from(pulled === 1 ? goodTrace() : `${assistant("x".repeat(100_000))}\n`));
      },
    });
    const refused = { ok: false, code: "file_too_large", details: { limit_bytes: 20_000 } };
    expect(await send(goodTrace(), { maxBytes: 20_000, contentLength: 20_001 })).toMatchObject(refused);
    expect(await store.import(REF, endless, { ...OPTIONS, maxBytes: 20_000 })).toMatchObject(refused);
    // What comes behind is discarded, for a while.
    expect(pulled).toBeLessThan(1_000);
    expect(tree()).toEqual([]);
  });
});

describe("one Session id, one Trace (IM2)", () => {
  test("an upload that is cut off leaves nothing, and is no fault of the server", async () => {
    const { store, tree } = setUp();
    const cut = () =>
      new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Buffer.from(goodTrace())),
        pull: (controller) => controller.error(new Error("aborted")),
      });
    for (const outcome of [await store.import(REF, cut(), OPTIONS), await store.importBundle(REF, cut(), OPTIONS)])
      expect(outcome).toMatchObject({ ok: false, code: "bad_request", message: expect.stringContaining("cut off") });
    expect(tree()).toEqual([]);
  });

  test("IE02: the second import is refused with the id named, the first is unchanged; another Agent may have it", async () => {
    const { send, store, disk, tree } = setUp();
    await send(goodTrace());
    const before = readFileSync(disk.traceFile(REF, "2026-07-18", SID, 1), "utf8");
    expect(await send(`${goodTrace()}\n`)).toMatchObject({
      code: "session_exists",
      message: expect.stringContaining(SID),
    });
    expect(readFileSync(disk.traceFile(REF, "2026-07-18", SID, 1), "utf8")).toBe(before);
    expect(tree()).toHaveLength(2);
    const other = { project: "p", agent: "b" };
    expect(await store.import(other, stream(goodTrace()), OPTIONS)).toMatchObject({ ok: true });
  });

  test("IE11: of many at once, over two date folders, exactly one wins and no half file is left", async () => {
    const { send, store, tree } = setUp();
    const later = goodTrace().replace("2026-07-18T12", "2026-09-01T12");
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, i) => send(i % 2 ? later : goodTrace(), {}, 50 + i)),
    );
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
    expect(outcomes.filter((outcome) => !outcome.ok && outcome.code === "session_exists")).toHaveLength(7);
    expect(tree()).toHaveLength(2);
    expect(await store.files(REF, SID)).toHaveLength(1);
  });

  test("an id that has only a later file exists too", async () => {
    const { put, send } = setUp();
    put(goodTrace(), { index: 3 });
    expect(await send(goodTrace())).toMatchObject({ code: "session_exists" });
  });
});

describe("imported bytes are not trusted", () => {
  test("their approval mode, archived and visibility do not count, a title does; what is appended counts", async () => {
    const { disk, send, store } = setUp();
    await send(file(meta(), user("q"), info({ title: "brought", approval_mode: "allow-all", archived: true })));
    expect(await store.sessions(REF)).toMatchObject([{ imported: true, info: null, title_fallback: "brought" }]);
    appendFileSync(disk.traceFile(REF, "2026-07-18", SID, 1), `${info({ title: "ours" })}\n`);
    expect(await store.sessions(REF)).toMatchObject([{ info: { title: "ours", archived: false } }]);
  });
});

test("what a crash left among the incoming files is removed by the next import", async () => {
  const { disk, send, tree } = setUp();
  mkdirSync(disk.incoming(REF), { recursive: true });
  writeFileSync(join(disk.incoming(REF), "left-over"), "half");
  await send(goodTrace());
  expect(tree().filter((path) => path.includes("left-over"))).toEqual([]);
  expect(existsSync(disk.incoming(REF))).toBe(false);
});

test("IM2: an id that is in use before its first file is refused", async () => {
  const { send } = setUp();
  expect(await send(goodTrace(), { isTaken: () => true })).toMatchObject({ code: "session_exists" });
});

test("IM1: a damaged first line is named, not the sound one behind it", async () => {
  const { send } = setUp();
  const refused = await send(`{"half\n${goodTrace().split("\n").slice(1).join("\n")}`);
  expect(refused).toMatchObject({ code: "invalid_trace", message: expect.stringContaining("Line 1 ") });
});
