import { utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { type SearchLine, traceSearchQuery } from "../../lib/api/trace-search";
import { assistant, event, file, info, meta, REF, temporaryRoot, turn, user } from "./fixtures/traces";
import { TraceStore } from "./store";

const sid = (n: number) => `session-2026-07-18-11-10-22-000000${String(n).padStart(2, "0")}`;

async function asked(store: TraceStore, query: object, person = "ann", agents = [REF.agent]): Promise<SearchLine[]> {
  const lines: SearchLine[] = [];
  for await (const line of store.search(REF.project, agents, person, traceSearchQuery.parse(query))) lines.push(line);
  return lines;
}
const sessions = (lines: SearchLine[]) => lines.flatMap((line) => ("session" in line ? [line.session.session_id] : []));
const hits = (lines: SearchLine[]) =>
  lines.flatMap((line) => ("hit" in line ? [`${line.hit.index}:${line.hit.line}`] : []));

function library() {
  const root = temporaryRoot();
  const usage = (usd: number) =>
    event({
      type: "token_usage",
      session: { cache_read: 0, cache_write: 0, output: 0, total: 0 },
      request: { cache_read: 0, cache_write: 1_000_000, output: 0, total: 1_000_000 },
      price: { cache_read: 0, cache_write: usd, output: 0 },
      user: "ann",
    });
  const put = (n: number, content: string, index = 1) => {
    const path = root.put(content, { id: sid(n), index });
    utimesSync(path, 1_800_000_000 + n * 100 + index, 1_800_000_000 + n * 100 + index);
  };
  put(1, file(meta(sid(1)), ...turn("old needle", "x"), usage(3)));
  put(2, file(meta(sid(2), { model_id: "other", created_by: "mia" }), ...turn("q", "needle here"), usage(1)));
  put(3, file(meta(sid(3), { created_by: "mia" }), info({ visibility: "private" }), ...turn("private needle", "x")));
  put(4, file(meta(sid(4)), user("needle one", { author: "bob" }), assistant("y")));
  put(4, file(meta(sid(4)), user("needle two")), 2);
  return { ...root, store: new TraceStore(root.disk) };
}

test("search over all Traces: newest Session and newest file first, private ones of others stay hidden", async () => {
  const { store } = library();
  const lines = await asked(store, { q: "NEEDLE" });
  expect(sessions(lines)).toEqual([sid(4), sid(2), sid(1)]);
  expect(hits(lines)).toEqual(["2:2", "1:2", "1:4", "1:2"]);
  expect(lines.at(-1)).toEqual({ done: { hits: 4, sessions: 3, more: false } });
  expect(sessions(await asked(store, { q: "needle" }, "mia"))).toContain(sid(3));
  expect(sessions(await asked(store, { q: "secret prompt" }))).toEqual([]);
  expect(sessions(await asked(store, { q: "needle" }, "ann", []))).toEqual([]);
});

test("filters: model, person, cost, date, status; without a text whole Sessions are found", async () => {
  const { store, put } = library();
  expect(sessions(await asked(store, { q: "needle", model: "fake/other" }))).toEqual([sid(2)]);
  expect(sessions(await asked(store, { person: "bob" }))).toEqual([sid(4)]);
  expect(sessions(await asked(store, { person: "mia" }))).toEqual([sid(2)]);
  // As other programs write it.
  put(file(meta(sid(6)), user("q", { author: "zoe" })).replaceAll('":', '": '), { id: sid(6) });
  expect(sessions(await asked(store, { person: "zoe" }))).toEqual([sid(6)]);
  const dear = await asked(store, { min_cost: "2" });
  expect(sessions(dear)).toEqual([sid(1)]);
  expect(dear).toContainEqual({ session: expect.objectContaining({ cost: 3 }) });
  expect(sessions(await asked(store, { q: "needle", to: "2026-07-01" }))).toEqual([]);
  expect(sessions(await asked(store, { q: "needle", from: "2026-07-18", to: "2026-07-18" }))).toHaveLength(3);
  expect(sessions(await asked(store, { status: "failed" }))).toEqual([]);
});

test("a reader that leaves ends the search", async () => {
  const { store } = library();
  const search = store.search(REF.project, [REF.agent], "ann", traceSearchQuery.parse({ q: "needle" }));
  expect((await search.next()).done).toBe(false);
  await search.return(undefined);
  expect((await search.next()).done).toBe(true);
});
