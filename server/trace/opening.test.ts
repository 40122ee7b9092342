import { expect, test } from "vitest";
import type { TraceOpening } from "../../lib/api/trace-overview";
import { windowSize } from "../../lib/trace/rows-window";
import { assistant, event, file, meta, REF, SID, temporaryRoot, user } from "./fixtures/traces";
import { summaries, traceOpening } from "./opening";
import { TraceStore } from "./store";

function setUp() {
  const { disk, put } = temporaryRoot();
  const pairs = Array.from({ length: 120 }, (_, i) => [user(`question ${i}`), assistant(`answer ${i}`)]).flat();
  put(file(meta(), ...pairs));
  const traces = new TraceStore(disk);
  const ref = { ...REF, session: SID };
  const open = async (start: { index: number; line?: number; events: boolean }) => {
    const text = await traceOpening(traces, ref, "ana", {
      state: "idle",
      start: { line: undefined, ...start },
    });
    const opening: TraceOpening | null = text === null ? null : JSON.parse(text);
    return opening;
  };
  return { traces, ref, open };
}

test("a page of a Trace brings its overview, and the window of rows at which it opens", async () => {
  const { open } = setUp();
  const first = await open({ index: 1, events: true });
  expect(first?.overview).toMatchObject({ session_id: SID, state: "idle", files: [{ index: 1, lines: 241 }] });
  expect(first?.rows).toMatchObject({ index: 1, window: 0, page: { total: 241 } });
  const size = windowSize({ lines: 241, bytes: first?.overview.files[0]?.bytes ?? 0 });
  expect(first?.rows?.page.records.map(({ line }) => line)).toEqual(Array.from({ length: size }, (_, i) => i + 1));
  const later = await open({ index: 1, line: size + 1, events: false });
  expect(later?.rows?.window).toBe(1);
  expect(later?.rows?.page.records[0]).toMatchObject({ line: size + 1, kind: "answer", summary: "answer 49" });
  expect(first?.linked).toBeNull();
  expect(later?.linked).toMatchObject({
    index: 1,
    line: size + 1,
    page: { records: [{ line: size + 1, message: { payload: { text: "answer 49" } } }], total: 241 },
  });
});

test("a line about each record is short, however long the record is; a damaged line says why, not what", async () => {
  const { disk, put } = temporaryRoot();
  const long = "x".repeat(200_000);
  const foreign = event({ type: long, sky: long }, long);
  const abort = event({ type: "abort", by: long, status: long });
  put(file(meta(), user(long), foreign, abort, `{"${long}`));
  const page = await summaries(new TraceStore(disk), { ...REF, session: SID }, 1, { offset: 0, limit: 10 });
  expect(page?.records.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5]);
  expect(page?.records[1]).toMatchObject({
    kind: "prompt",
    label: { words: "trace.prompt" },
    summary: "x".repeat(240),
  });
  expect(page?.records[2]).toMatchObject({ kind: "other", label: "x".repeat(240) });
  expect(page?.records[3]).toMatchObject({ kind: "abort", mark: { text: "x".repeat(240) } });
  expect(page?.records[4]).toEqual({ line: 5, error: expect.stringContaining("JSON") });
  expect(JSON.stringify(page).length).toBeLessThan(3_000);
  expect(await summaries(new TraceStore(disk), { ...REF, session: SID }, 2, { offset: 0, limit: 10 })).toBeNull();
});

test("a short Trace that opens as a timeline brings no rows; one that may not be seen, or is none, nothing at all", async () => {
  const { traces, ref, open } = setUp();
  expect(await open({ index: 1, events: false })).toMatchObject({ overview: { session_id: SID }, rows: null });
  expect(await open({ index: 7, events: true })).toMatchObject({ rows: null });
  const none = { state: "idle", start: { index: 1, line: undefined, events: true } } as const;
  expect(await traceOpening(traces, { ...ref, session: `${SID}x` }, "ana", none)).toBeNull();
});
