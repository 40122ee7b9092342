import { describe, expect, it } from "vitest";
import { event, model } from "../../lib/omni/build";
import type { AddressedMessage, OmniMessage, RecordAddress } from "../../lib/omni/message";
import { windowStart } from "./log";
import { pageBefore } from "./pages";
import { NOTHING_EARLIER, priorOf } from "./prior";

const NONE = { cache_read: 0, cache_write: 0, output: 0, total: 0 };
const usage = (session: number, request: number) =>
  event({
    type: "token_usage" as const,
    session: { ...NONE, output: session, total: session },
    request: { ...NONE, output: request, total: request },
  });
const taskRecords = (n: number): OmniMessage[] => [
  model({ type: "text", role: "user", text: `prompt ${n}`, client_id: `c${n}` }),
  event({ type: "request_begin" }),
  model({ type: "text", role: "assistant", text: `answer ${n}` }),
  usage(n * 10, 10),
  event({ type: "request_end", status: "completed" }),
];
const file = (file_index: number, tasks: number[]): AddressedMessage[] =>
  tasks.flatMap(taskRecords).map((message, i) => ({ address: { file_index, line: i + 1 }, message }));

describe("windows of older records", () => {
  const files = new Map([
    [1, file(1, [1, 2, 3])],
    [2, file(2, [4, 5])],
  ]);
  const source = { indexes: [1, 2], read: async (index: number) => files.get(index) ?? null };

  it("are cut on Task boundaries, cross files, and together give everything once", async () => {
    const pages: AddressedMessage[][] = [];
    for (let before: RecordAddress | null = null, n = 0; n < 10; n += 1) {
      const page = await pageBefore(source, before, 7);
      pages.unshift(page.records);
      const first = page.records[0]?.message.payload;
      expect(first).toMatchObject({ role: "user" });
      before = page.before;
      if (!before) break;
    }
    expect(pages.flat()).toEqual([...(files.get(1) ?? []), ...(files.get(2) ?? [])]);
    expect(pages.length).toBeGreaterThan(1);
  });

  it("a window in the middle of a file ends right before its cursor", async () => {
    const page = await pageBefore(source, { file_index: 2, line: 6 }, 3);
    expect(page.records.map(({ address }) => `${address.file_index}:${address.line}`)).toEqual([
      "2:1",
      "2:2",
      "2:3",
      "2:4",
      "2:5",
    ]);
    expect(page.before).toEqual({ file_index: 2, line: 1 });
  });
});

describe("a snapshot's window", () => {
  it("holds at most the limit and begins before a Request's input", () => {
    const records = file(1, [1, 2, 3, 4]);
    const start = windowStart(records, 12);
    expect(records.length - start).toBeLessThanOrEqual(12);
    expect(records[start]?.message.payload).toMatchObject({ role: "user", text: "prompt 3" });
    expect(windowStart(records, 100)).toBe(0);
  });

  it("never begins inside of a compaction, neither one that failed nor one that runs", () => {
    const mode = { reason: "context", mode: "summarize" } as const;
    const compaction = [event({ type: "compaction_begin", ...mode, context: 9, turns: 2 }), ...taskRecords(8)];
    const failed = [...compaction, event({ type: "compaction_end", ...mode, status: "failed" })];
    const addressed = (messages: OmniMessage[]) =>
      messages.map((message, i) => ({ address: { file_index: 1, line: i + 1 }, message }));
    const kindAt = (messages: OmniMessage[], limit: number) => {
      const { payload } = messages[windowStart(addressed(messages), limit)] ?? { payload: {} };
      return "text" in payload ? payload.text : "type" in payload ? payload.type : "";
    };
    const before = [1, 2, 3].flatMap(taskRecords);
    const [ended, runs] = [
      [...before, ...failed, ...taskRecords(4)],
      [...before, ...compaction],
    ];
    // Cut so that the earliest record lies in the compaction: 2 to 6 records of it.
    for (const inside of [2, 4, 6]) expect(kindAt(ended, inside + 5)).toBe("prompt 4");
    for (const inside of [2, 4]) expect(kindAt(runs, inside)).toBe("compaction_begin");
    expect(kindAt(runs, 7)).toBe("compaction_begin");
    expect(kindAt([...before, ...failed], 3)).toBe("compaction_begin");
  });

  it("comes with the sums of what lies before", () => {
    const log = (records: AddressedMessage[]) => ({ records, earlier: NOTHING_EARLIER });
    const records = file(1, [1, 2, 3, 4]);
    expect(priorOf(log(records), 10, NONE)).toMatchObject({ more: true, tokens: { total: 20 }, context: 10, tasks: 2 });
    expect(priorOf(log(records), 0, NONE)).toMatchObject({ more: false, tokens: { total: 0 }, context: 0, tasks: 0 });
    expect(priorOf(log(file(2, [4])), 0, NONE)).toMatchObject({ more: true, tokens: { total: 30 } });
  });
});
