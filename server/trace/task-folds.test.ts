import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { segment } from "../../lib/trace/segment";
import { assistant, event, file, meta, REF, SID, temporaryRoot, turn, user } from "./fixtures/traces";
import { TraceStore } from "./store";

/** What a fold over everything at once says. */
async function whole(store: TraceStore, files: number) {
  const records = [];
  for (let index = 1; index <= files; index++) records.push(...((await store.read(REF, SID, index))?.records ?? []));
  return segment(records);
}

test("a Trace that is being written: the kept Tasks equal those of a fold from the beginning after every step (P5)", async () => {
  const { disk, put } = temporaryRoot();
  const path = put(file(meta(), ...turn("first question", "a")));
  const store = new TraceStore(disk);
  const check = async (files = 1) => {
    const kept = await store.tasks(REF, SID);
    expect(JSON.parse(JSON.stringify(kept?.tasks))).toEqual(JSON.parse(JSON.stringify(await whole(store, files))));
    return kept;
  };
  expect((await check())?.titles.get(0)).toBe("first question");
  appendFileSync(path, `${user("second\nline")}\n${event({ type: "request_begin" })}\n`);
  expect((await check())?.titles.get(1)).toBe("second");
  appendFileSync(path, '{"torn');
  expect((await check())?.files).toEqual([{ index: 1, lines: 8, damaged: [8] }]);
  appendFileSync(path, `\n${assistant("b")}\n`);
  expect((await check())?.files).toEqual([{ index: 1, lines: 9, damaged: [8] }]);
  // A whole record whose line feed is still to come.
  appendFileSync(path, event({ type: "request_end", status: "completed" }));
  expect((await check())?.files).toEqual([{ index: 1, lines: 10, damaged: [8] }]);
  appendFileSync(path, `\n\n${user("third")}\n`);
  expect((await check())?.files).toEqual([{ index: 1, lines: 12, damaged: [8] }]);
  put(file(meta(), ...turn("in the next file", "c")), { index: 2 });
  expect((await check(2))?.tasks).toHaveLength(3);
  // Replaced by something else: nothing of the old is left.
  writeFileSync(path, file(meta(), ...turn("other", "d")));
  expect((await check(2))?.titles.get(0)).toBe("other");
  expect(readFileSync(path, "utf8")).toContain("other");
});
