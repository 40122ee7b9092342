import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { LONG_BYTES, parseTrace } from "../../lib/trace/jsonl";
import { assistant, DATE, file, goodTrace, meta, REF, SID, temporaryRoot, turn, user } from "./fixtures/traces";
import { TraceStore } from "./store";

function setUp() {
  const { disk, put } = temporaryRoot();
  return { put, store: new TraceStore(disk) };
}
const whole = <T>(message: T) => message;

describe("files and read", () => {
  test("files by ascending index over all date folders; three digits or more; others are not seen", async () => {
    const { put, store } = setUp();
    put(goodTrace(), { index: 2, date: "2026-08-01" });
    put(goodTrace(), { index: 1000 });
    put(goodTrace());
    put(goodTrace(), { id: `${SID}x` });
    expect((await store.files(REF, SID)).map(({ date, index }) => [date, index])).toEqual([
      [DATE, 1],
      ["2026-08-01", 2],
      [DATE, 1000],
    ]);
    expect(await store.files(REF, "none")).toEqual([]);
    expect(await store.read(REF, SID, 3)).toBeNull();
  });

  test.each<[string, string | Buffer]>([
    ["a good Trace", goodTrace()],
    ["TR5: a torn tail", `${goodTrace()}${user("cut off").slice(0, 40)}`],
    ["TR5: a tail torn inside a character", Buffer.from(`${goodTrace()}${user("世界")}`).subarray(0, -6)],
    ["TR6: a malformed middle line", file(meta(), user("q").slice(0, 30), "null", "[]", "", assistant("a"))],
    ["CRLF, a byte order mark and blank lines", `\ufeff${goodTrace().replaceAll("\n", "\r\n")}\r\n\r\n`],
    ["an empty file", ""],
  ])("read agrees with parseTrace on %s", async (_, content) => {
    const { put, store } = setUp();
    put(content);
    const loaded = await store.read(REF, SID, 1);
    const parsed = parseTrace(Buffer.from(content).toString());
    expect(loaded?.records).toEqual(
      parsed.records.map(({ line, message }) => ({ address: { file_index: 1, line }, message })),
    );
    expect(loaded?.damaged.map(({ line, last }) => [line, last])).toEqual(
      parsed.damaged.map(({ line, last }) => [line, last]),
    );
    expect(loaded).toMatchObject({ lines: parsed.lines, ends_with_newline: parsed.ends_with_newline });
  });

  test("TR9: records above 2 MiB come whole, good ones and bad ones, in their place", async () => {
    const { put, store } = setUp();
    const long = "é".repeat(LONG_BYTES);
    put(file(meta(), assistant(long), `${assistant(long).slice(0, -2)}`, JSON.stringify([long]), assistant("after")));
    const loaded = await store.read(REF, SID, 1);
    expect(loaded?.records.map((r) => r.address.line)).toEqual([1, 2, 5]);
    expect(loaded?.records[1]?.message.payload).toMatchObject({ text: long });
    expect(loaded?.damaged.map((d) => [d.line, d.error.slice(0, 8), d.raw_head.length])).toEqual([
      [3, "not JSON", 1024],
      [4, "not a re", 1024],
    ]);
  });
});

describe("window", () => {
  test("any window of any file holds exactly its lines, also after the file grew", async () => {
    const line = fc.oneof(
      fc.string({ maxLength: 20 }).map((text) => assistant(text)),
      fc.constantFrom("", "{broken", "7"),
      fc.constant(assistant("x".repeat(200_000))),
    );
    const { put, store } = setUp();
    const path = put("");
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 12 }),
        fc.array(line, { maxLength: 4 }),
        fc.nat(14),
        fc.integer({ min: 1, max: 8 }),
        async (before, after, offset, limit) => {
          rmSync(path, { force: true });
          put(before.length ? file(...before) : "");
          const check = async () => {
            const parsed = parseTrace(readFileSync(path, "utf8"));
            const window = await store.window(REF, SID, 1, { offset, limit }, whole);
            const inside = ({ line }: { line: number }) => line > offset && line <= offset + limit;
            expect(window?.total).toBe(parsed.lines);
            const rows = window?.records ?? [];
            expect(rows.filter((row) => "message" in row)).toEqual(parsed.records.filter(inside));
            expect(rows.filter((row) => "error" in row).map((row) => row.line)).toEqual(
              parsed.damaged.filter(inside).map((row) => row.line),
            );
          };
          await check();
          appendFileSync(path, after.join("\n"));
          await check();
        },
      ),
      { numRuns: 40 },
    );
  });

  test("lines outside of the window are not parsed", async () => {
    const { put, store } = setUp();
    put(file(meta(), ...Array.from({ length: 5000 }, (_, i) => assistant(`answer ${i}`))));
    await store.window(REF, SID, 1, { offset: 0, limit: 1 }, whole);
    const parse = vi.spyOn(JSON, "parse");
    const window = await store.window(REF, SID, 1, { offset: 4000, limit: 3 }, whole);
    const calls = parse.mock.calls.length;
    parse.mockRestore();
    expect(calls).toBe(3);
    expect(window?.total).toBe(5001);
    expect(window?.records.map((r) => r.line)).toEqual([4001, 4002, 4003]);
  });

  test("a file that was replaced by another one is indexed anew", async () => {
    const { put, store } = setUp();
    const path = put(file(meta(), ...turn("q", "a")));
    expect((await store.window(REF, SID, 1, { offset: 0, limit: 9 }, whole))?.total).toBe(5);
    writeFileSync(path, file(meta(), user("q")));
    expect((await store.window(REF, SID, 1, { offset: 0, limit: 9 }, whole))?.total).toBe(2);
    rmSync(path);
    put(file("", meta(), "", "", ...turn("q", "a"), ...turn("q", "a")));
    expect((await store.window(REF, SID, 1, { offset: 0, limit: 2 }, whole))?.records).toMatchObject([{ line: 2 }]);
  });
});

test("record gives the bytes of one line, or why they are none", async () => {
  const { put, store } = setUp();
  const long = assistant("y".repeat(LONG_BYTES));
  put(file(meta(), user("q"), "", "{broken", long));
  const text = async (line: number) => {
    const record = await store.record(REF, SID, 1, line);
    return record && "json" in record ? Buffer.from(record.json).toString() : record;
  };
  expect(await text(1)).toBe(meta());
  expect(await text(5)).toBe(long);
  expect(await text(4)).toMatchObject({ line: 4, raw_head: "{broken" });
  for (const line of [0, 3, 6]) expect(await text(line)).toBeNull();
});

test("openRaw names the file (IM4)", async () => {
  const { put, store } = setUp();
  const path = put(goodTrace(), { index: 12 });
  expect(await store.openRaw(REF, SID, 12)).toEqual({ path, bytes: goodTrace().length, name: `${SID}_012.jsonl` });
  expect(await store.openRaw(REF, SID, 1)).toBeNull();
});
