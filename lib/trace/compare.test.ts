import fc from "fast-check";
import { expect, test } from "vitest";
import type { AddressedMessage } from "../omni/message";
import { alignSteps, stepOf, type TraceStep } from "./compare";

const step = (kind: string, hash: string, line: number): TraceStep => ({
  ...{ at: { file_index: 1, line }, timestamp: "", kind, name: "", text: hash, hash },
});
const anySteps = fc
  .array(fc.tuple(fc.constantFrom("prompt", "text", "tool_call"), fc.constantFrom("a", "b", "c")), { maxLength: 40 })
  .map((all) => all.map(([kind, hash], i) => step(kind, hash, i + 1)));

test("every step of both Traces is there once, in order; a Trace equals itself", () => {
  fc.assert(
    fc.property(anySteps, anySteps, (left, right) => {
      const rows = alignSteps(left, right);
      expect(rows.flatMap((row) => row.left ?? [])).toEqual(left);
      expect(rows.flatMap((row) => row.right ?? [])).toEqual(right);
      for (const { left: a, right: b, same } of rows) {
        if (a && b) expect(a.kind).toBe(b.kind);
        expect(same).toBe(a !== null && b !== null && a.hash === b.hash);
      }
      expect(alignSteps(left, left).every((row) => row.same)).toBe(true);
    }),
  );
});

test("the first difference is where two runs part ways; times and usage do not count", () => {
  const record = (type: string, payload: object, line: number, second: number): AddressedMessage => ({
    address: { file_index: 1, line },
    message: JSON.parse(JSON.stringify({ timestamp: `2026-01-01T00:00:0${second}.000Z`, type, payload })),
  });
  const run = (args: string, second: number) =>
    [
      record("model_msg", { type: "text", role: "user", text: "q" }, 1, second),
      record("event_msg", { type: "request_begin" }, 2, second),
      record(
        "model_msg",
        { type: "tool_call", role: "assistant", name: "x", arguments: args, tool_call_id: `id${second}` },
        3,
        second,
      ),
      record("event_msg", { type: "request_end", status: "completed" }, 4, second),
      record("model_msg", { type: "text", role: "assistant", text: "done" }, 5, second),
    ].flatMap((one) => stepOf(one) ?? []);
  expect(alignSteps(run("{}", 1), run("{}", 2)).map((row) => row.same)).toEqual([true, true, true]);
  const rows = alignSteps(run("{}", 1), run('{"a":1}', 2));
  expect(rows.map((row) => [row.left?.kind, row.right?.kind, row.same])).toEqual([
    ["prompt", "prompt", true],
    ["tool_call", "tool_call", false],
    ["text", "text", true],
  ]);
});
