import { appendFileSync, openSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { describe, expect, test, vi } from "vitest";
import { assistant, DATE, event, file, info, meta, REF, SID, temporaryRoot, turn, user } from "./fixtures/traces";
import { TraceStore } from "./store";

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  return { ...real, open: vi.fn(real.open) };
});
vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>();
  return { ...real, openSync: vi.fn(real.openSync) };
});
/** Trace files opened since the last question. */
function opened(): number {
  const calls = vi.mocked(open).mock.calls.length + vi.mocked(openSync).mock.calls.length;
  vi.mocked(open).mockClear();
  vi.mocked(openSync).mockClear();
  return calls;
}

function setUp() {
  const { disk, put } = temporaryRoot();
  const store = new TraceStore(disk);
  const facts = async () => (await store.sessions(REF))[0];
  return { disk, put, store, facts };
}
const at = (minute: number) => new Date(Date.UTC(2026, 6, 19, 9, minute)).toISOString();
const padding = (bytes: number) => assistant("p".repeat(bytes));

describe("what a list shows of a Session", () => {
  test("meta without the heavy fields, newest session_info, created and active times, sizes", async () => {
    const { put, facts } = setUp();
    const content = file(
      meta(),
      info({ title: "old" }),
      ...turn("q", "a"),
      info({ title: "new", visibility: "private" }),
    );
    put(content);
    const one = await facts();
    expect(one).toMatchObject({
      session_id: SID,
      files: [{ date: DATE, index: 1, bytes: content.length }],
      meta: { session_id: SID, provider: "fake" },
      info: { title: "new", visibility: "private" },
      title_fallback: "q",
      imported: false,
      bytes: content.length,
    });
    expect(one?.meta).not.toHaveProperty("system_prompt");
    expect(one?.created_at).toBe(new Date(2026, 6, 18, 11, 10, 22).toISOString());
  });

  test("session_meta, session_info, aux_usage and [context_summary] are not activity; a torn tail is not either", async () => {
    const { put, facts } = setUp();
    const counts = { cache_read: 0, cache_write: 1, output: 1, total: 2 };
    put(
      file(
        meta(),
        event({ type: "request_end", status: "completed" }, at(1)),
        info({}, at(2)),
        event({ type: "aux_usage", purpose: "title", provider: "p", model_id: "m", request: counts }, at(3)),
        JSON.stringify({
          timestamp: at(4),
          type: "model_msg",
          payload: { type: "text", role: "user", text: "[context_summary]\nold\n[/context_summary]" },
        }),
        event({ type: "no", broken: 1 }, at(5)).slice(0, -3),
        event({ type: "request_begin" }, at(6)).slice(0, -3),
      ),
    );
    expect((await facts())?.last_active_at).toBe(at(1));
  });

  test("the title falls back to the first prompt without its markers, never to a machine's text", async () => {
    const { put, facts } = setUp();
    put(
      file(
        meta(),
        user("[context_summary]\nsummary\n[/context_summary]"),
        user("notice", { sender: "harness" }),
        user("[use_skills]\nskills: a\n[/use_skills]\n\n  real question \nsecond line"),
      ),
    );
    expect((await facts())?.title_fallback).toBe("real question");
  });

  test("session_info far before the tail, and in an older file, is found; a large first line is read whole", async () => {
    const { put, facts } = setUp();
    put(file(meta(SID, { note: "n".repeat(400_000) }), info({ title: "far" }), padding(3_000_000), padding(900_000)));
    expect(await facts()).toMatchObject({ info: { title: "far" }, meta: { provider: "fake" } });
    put(file(meta(), user("next"), padding(100_000)), { index: 2 });
    expect(await facts()).toMatchObject({ info: { title: "far" }, files: [{ index: 1 }, { index: 2 }] });
  });

  test("session_info is found wherever the pieces in which a file is read from its end cut it", async () => {
    const mark = '"session_info"';
    const newest = info({ title: "cut" });
    // Pieces of 64, 128, 256 KiB from the end: their seams go through the name, and through the rest of the line.
    for (const seam of [64, 64 + 128, 64 + 128 + 256].map((size) => size * 1024))
      for (const into of [-1, 0, 1, 7, mark.length - 1, mark.length, mark.length + 1, 60]) {
        const before = newest.length - newest.indexOf(mark) - into;
        const fill = (bytes: number) => padding(bytes - padding(0).length - 1);
        const head = [meta(), info({ title: "older" }), padding(300_000), newest];
        const { put, facts } = setUp();
        put(file(...head, fill(seam - before - 1 - 30_000), fill(30_000)));
        expect((await facts())?.info?.title, `${seam} ${into}`).toBe("cut");
      }
  });

  test("those who ask at the same time wait for one reading of a long file", async () => {
    const { put, store } = setUp();
    put(file(meta(), padding(3_000_000), padding(900_000)));
    await store.session(REF, SID);
    const once = opened();
    const { put: putAgain, store: other } = setUp();
    putAgain(file(meta(), padding(3_000_000), padding(900_000)));
    await Promise.all([other.session(REF, SID), other.session(REF, SID)]);
    expect(opened()).toBeLessThan(2 * once);
  });

  test("text that only mentions session_info is none; one with wrong values is skipped", async () => {
    const { put, facts } = setUp();
    put(file(meta(), info({ title: "right" }), info({ title: 7 }), user('say "session_info"')));
    expect((await facts())?.info?.title).toBe("right");
  });

  test("a file without a readable meta is listed all the same", async () => {
    const { put, facts } = setUp();
    put('{"timestamp":"2026-07-18T03:10:00.000Z","type":"session_m', { id: "odd_1" });
    expect(await facts()).toMatchObject({ session_id: "odd_1", meta: null, info: null, title_fallback: null });
  });

  test("RS6: a meta that stands only in a later file counts", async () => {
    const { put, facts } = setUp();
    put('{"torn');
    put(file(meta(), user("q")), { index: 2 });
    expect(await facts()).toMatchObject({ meta: { provider: "fake" }, title_fallback: "q" });
  });
});

describe("refresh", () => {
  test("an unchanged tree opens no file; a grown one is looked at from where it ended", async () => {
    const { put, facts } = setUp();
    const path = put(file(meta(), info({ title: "one" }), ...turn("q", "a")));
    await facts();
    opened();
    expect((await facts())?.info?.title).toBe("one");
    expect(opened()).toBe(0);
    appendFileSync(path, `${user("more")}\n${event({ type: "request_begin" }, at(30))}`);
    expect(await facts()).toMatchObject({ info: { title: "one" }, last_active_at: at(30) });
    expect(opened()).toBe(1);
    appendFileSync(path, `\n${info({ title: "two" }, at(40))}\n`);
    expect(await facts()).toMatchObject({ info: { title: "two" }, last_active_at: at(30) });
  });

  test("a line that was torn when it was first seen counts when it is complete", async () => {
    const { put, facts } = setUp();
    const line = info({ title: "late" });
    const path = put(`${file(meta(), user("q"))}${line.slice(0, 50)}`);
    expect((await facts())?.info).toBeNull();
    appendFileSync(path, `${line.slice(50)}\n`);
    expect((await facts())?.info?.title).toBe("late");
  });

  test("whoever asks after a change sees it, also while an older question is being answered", async () => {
    const { put, store } = setUp();
    put(file(meta(), user("q")));
    const early = store.sessions(REF);
    const other = "session-2026-07-18-11-10-22-00000002";
    put(file(meta(other), user("q")), { id: other });
    await new Promise((resolve) => setImmediate(resolve));
    const late = await store.sessions(REF);
    expect((await early).length).toBeGreaterThan(0);
    expect(late.map((one) => one.session_id).sort()).toEqual([SID, other]);
  });

  test("removed files are forgotten; an Agent without Traces has no Sessions", async () => {
    const { put, store } = setUp();
    expect(await store.sessions(REF)).toEqual([]);
    const path = put(file(meta(), user("q")));
    expect(await store.sessions(REF)).toHaveLength(1);
    expect(await store.session(REF, SID)).toMatchObject({ session_id: SID });
    rmSync(path);
    expect(await store.sessions(REF)).toEqual([]);
    expect(await store.session(REF, SID)).toBeNull();
  });
});

test("lists: what another program adds or removes is seen at once, what grew with the look after the next", async () => {
  const { disk, put, store } = setUp();
  const ids = async () => (await store.newest(REF)).map(({ session_id }) => session_id.slice(-1));
  const id = (n: number) => SID.replace(/1$/, String(n));
  put(file(meta(id(1)), user("a", {})), { id: id(1) });
  const second = put(file(meta(id(2)), event({ type: "request_begin" }, at(5))), { id: id(2) });
  put(file(meta(id(3)), event({ type: "request_begin" }, at(9))), { id: id(3), date: "2026-07-19" });
  expect(await ids()).toEqual(["3", "2", "1"]);
  rmSync(disk.traceFile(REF, "2026-07-19", id(3), 1));
  expect(await ids()).toEqual(["2", "1"]);
  put(file(meta(id(4)), event({ type: "request_begin" }, at(1))), { id: id(4) });
  expect(await ids()).toEqual(["2", "4", "1"]);
  // Folders that changed a moment ago are looked at again; after that the list is kept for a while.
  await new Promise((resolve) => setTimeout(resolve, 120));
  await ids();
  opened();
  expect(await ids()).toEqual(["2", "4", "1"]);
  expect(opened()).toBe(0);
  appendFileSync(disk.traceFile(REF, DATE, id(1), 1), `${event({ type: "request_begin" }, at(30))}\n`);
  await vi.waitFor(async () => expect((await ids())[0]).toBe("1"), { timeout: 30_000, interval: 400 });
  expect(second).toBeTruthy();
});
