import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AddressedMessage, OmniMessage } from "../omni/message";
import { segment } from "./segment";
import { timelineOf } from "./timeline";
import { layOut, MIN_WIDTH, packed, shifted, zoomed } from "./timeline-layout";

let clock = 0;
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
const rec = (type: "model_msg" | "event_msg", payload: object, seconds = clock++): OmniMessage =>
  JSON.parse(JSON.stringify({ timestamp: at(seconds), type, payload }));
const user = (text: string, s?: number) => rec("model_msg", { type: "text", role: "user", text }, s);
const say = (payload: object, s?: number) =>
  rec("model_msg", { role: "assistant", stop_reason: "completed", ...payload }, s);
const call = (id: string, name: string, s?: number) =>
  say({ type: "tool_call", name, arguments: "{}", tool_call_id: id }, s);
const out = (id: string, s?: number) =>
  rec("model_msg", { type: "tool_call_output", role: "user", output: "x", tool_call_id: id }, s);
const ev = (payload: object, s?: number) => rec("event_msg", payload, s);
const addressed = (messages: OmniMessage[]): AddressedMessage[] =>
  messages.map((message, i) => ({ address: { file_index: 1, line: i + 1 }, message }));
const seconds = ({ from, to }: { from: number; to: number }, zero: number) => [
  (from - zero) / 1000,
  (to - zero) / 1000,
];

describe("timelineOf: what happened when", () => {
  it("tells thinking, arguments, waiting and running apart, each from the record that ended the one before", () => {
    const [task] = segment(
      addressed([
        user("q", 0),
        ev({ type: "request_begin" }, 1),
        say({ type: "thinking", thinking: "hm" }, 3),
        call("a", "exec_command", 4),
        ev({ type: "approval_decision", decision: "allow", tool_call_id: "a", by: "ann", waited_ms: 3000 }, 8),
        ev({ type: "request_end", status: "completed" }, 9),
        out("a", 12),
      ]),
    );
    if (!task) throw new Error("no Task");
    const { spans, lanes, from, to } = timelineOf(task);
    expect(spans.map((s) => [s.lane, s.kind, ...seconds(s, from)])).toEqual([
      ["model", "thinking", 0, 2],
      ["model", "arguments", 2, 3],
      ["tool:exec_command", "waiting", 4, 7],
      ["tool:exec_command", "running", 7, 11],
    ]);
    expect(lanes.map((lane) => lane.id)).toEqual(["model", "tool:exec_command"]);
    expect((to - from) / 1000).toBe(11);
    expect(spans[2]).toMatchObject({ by: "ann", ended: "allow", records: [{ line: 4 }, { line: 5 }, { line: 7 }] });
  });

  it("a refused call does not run; one that has no output is open to the end", () => {
    const [task] = segment(
      addressed([
        user("q", 0),
        ev({ type: "request_begin" }, 0),
        call("a", "x", 1),
        ev({ type: "approval_decision", decision: "deny", tool_call_id: "a", waited_ms: 500 }, 2),
        call("b", "y", 3),
        ev({ type: "approval_decision", decision: "allow", tool_call_id: "b", waited_ms: 0 }, 3),
        ev({ type: "token_usage" }, 9),
      ]),
    );
    if (!task) throw new Error("no Task");
    const tools = timelineOf(task).spans.filter((s) => s.lane.startsWith("tool:"));
    expect(tools.map((s) => [s.name, s.kind, s.open])).toEqual([
      ["x", "waiting", false],
      ["y", "running", true],
    ]);
  });

  it("failed attempts tell reason, attempt and wait (ux 37); a child spans its call (ux 36)", () => {
    const [task] = segment(
      addressed([
        user("q", 0),
        ev({ type: "request_begin" }, 0),
        ev({ type: "request_end", status: "timeout", attempt: 1, retry_in_ms: 2000, error_message: "slow" }, 5),
        ev({ type: "request_begin" }, 7),
        call("a", "run_subagent", 8),
        ev({ type: "approval_decision", decision: "allow", tool_call_id: "a", waited_ms: 0 }, 8),
        ev({ type: "subagent", session_id: "child", agent: "b" }, 9),
        ev({ type: "request_end", status: "completed", attempt: 2 }, 9),
        out("a", 20),
      ]),
    );
    if (!task) throw new Error("no Task");
    const { spans, from } = timelineOf(task);
    const of = (kind: string) => spans.find((s) => s.kind === kind);
    expect(of("failed")).toMatchObject({ ended: "timeout", reason: "slow", attempt: 1 });
    expect(of("retry")).toMatchObject({ attempt: 2, reason: "slow", ended: "timeout" });
    expect(seconds(of("retry") ?? { from: 0, to: 0 }, from)).toEqual([5, 7]);
    expect(of("subagent")).toMatchObject({ name: "child", agent: "b" });
    expect(seconds(of("subagent") ?? { from: 0, to: 0 }, from)).toEqual([9, 20]);
  });

  it("records whose times run backwards or cannot be read draw nothing wrong", () => {
    const broken = addressed([user("q", 5), ev({ type: "request_begin" }, 4), say({ type: "text", text: "x" }, 1)]);
    const odd = broken.map((r, i) => (i === 1 ? { ...r, message: { ...r.message, timestamp: "yesterday" } } : r));
    for (const records of [broken, odd]) {
      const [task] = segment(records);
      if (!task) throw new Error("no Task");
      const { spans, from, to } = timelineOf(task);
      expect(spans.every((s) => s.to >= s.from && Number.isFinite(s.from) && s.from >= from && s.to <= to)).toBe(true);
    }
  });
});

// ---- properties ---------------------------------------------------------------------------------------------------

const anySpans = fc.array(
  fc.record({
    lane: fc.constantFrom("model", "tool:a", "tool:b"),
    kind: fc.constantFrom("thinking" as const, "answer" as const, "running" as const),
    from: fc.integer({ min: 0, max: 100_000 }),
    length: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 20_000 })),
  }),
  { maxLength: 300 },
);
function made(given: { lane: string; kind: "thinking" | "answer" | "running"; from: number; length: number }[]) {
  const spans = given
    .map(({ lane, kind, from, length }, i) => ({
      ...{ key: String(i), lane, kind, from, to: from + length, open: false, name: "", request: null },
      ...{ at: { file_index: 1, line: i + 1 }, records: [] },
    }))
    .sort((a, b) => a.from - b.from);
  const lanes = ["model", "tool:a", "tool:b"].map((id) => ({ id, kind: "tool" as const, name: id }));
  return { from: 0, to: 120_000, lanes, spans };
}
const anyView = fc
  .tuple(fc.integer({ min: 0, max: 119_000 }), fc.integer({ min: 5, max: 120_000 }))
  .map(([from, span]) => ({ from, to: Math.min(120_000, from + span) }));
const anyWidth = fc.integer({ min: 40, max: 2000 });

describe("layOut: spans and a width become rectangles", () => {
  it("spans of one lane and row never overlap", () => {
    fc.assert(
      fc.property(anySpans, (given) => {
        const { spans } = made(given);
        const rows = packed(spans);
        const ends = new Map<string, number>();
        for (const [i, span] of spans.entries()) {
          const place = `${span.lane}/${rows[i]}`;
          expect(ends.get(place) ?? 0).toBeLessThanOrEqual(span.from);
          ends.set(place, span.to);
        }
      }),
    );
  });

  it("every span in sight is in exactly one rectangle of its lane, within the width, wide enough to be pointed at", () => {
    fc.assert(
      fc.property(anySpans, anyView, anyWidth, (given, view, width) => {
        const timeline = made(given);
        const { lanes } = layOut(timeline, view, width);
        const seen = lanes.flatMap((lane) => lane.rects.flatMap((rect) => rect.spans));
        const inSight = timeline.spans.flatMap((s, i) => (s.to >= view.from && s.from <= view.to ? [i] : []));
        expect(seen.sort((a, b) => a - b)).toEqual(inSight);
        for (const lane of lanes) {
          for (const rect of lane.rects) {
            expect(rect.x).toBeGreaterThanOrEqual(0);
            expect(rect.x + rect.width).toBeLessThanOrEqual(width + 1e-6);
            expect(rect.width).toBeGreaterThanOrEqual(MIN_WIDTH - 1e-6);
            expect(rect.row).toBeLessThan(lane.rows);
            for (const i of rect.spans) expect(timeline.spans[i]).toMatchObject({ lane: lane.id, kind: rect.kind });
          }
        }
      }),
    );
  });

  it("ten thousand short spans give no more rectangles than the width has room for", () => {
    const many = Array.from({ length: 10_000 }, (_, i) => ({
      lane: "model",
      kind: "answer" as const,
      from: i * 10,
      length: 9,
    }));
    const { lanes } = layOut(made(many), { from: 0, to: 100_000 }, 800);
    expect(lanes[0]?.rects.length).toBeLessThanOrEqual(800);
    expect(layOut(made(many), { from: 5000, to: 5100 }, 800).lanes[0]?.rects.length).toBeGreaterThanOrEqual(10);
  });

  it("ticks are round times since the Task began, whenever that was", () => {
    const [start, from] = [1_767_225_600_045, 1_767_225_600_045 + 120];
    const timeline = { ...made([]), from: start, to: start + 900 };
    expect(layOut(timeline, { from, to: start + 900 }, 900).ticks.map(({ ms }) => ms)).toEqual([
      200, 300, 400, 500, 600, 700, 800, 900,
    ]);
    expect(layOut(timeline, { from: start, to: start + 900 }, 900).ticks[1]).toEqual({ ms: 100, x: 100 });
  });

  it("zooming keeps the time under the pointer and stays inside; moving stops at the edges", () => {
    const whole = { from: 0, to: 100_000 };
    fc.assert(
      fc.property(
        anyView,
        fc.double({ min: 0.2, max: 8, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (given, factor, share) => {
          const view = shifted(given, whole, 0);
          const point = view.from + share * (view.to - view.from);
          const next = zoomed(view, whole, factor, point);
          expect(next.from).toBeGreaterThanOrEqual(whole.from - 1e-6);
          expect(next.to - next.from).toBeLessThanOrEqual(120_000 + 1e-6);
          if (next.from > 1e-6 && next.to < whole.to - 1e-6) {
            expect((point - next.from) / (next.to - next.from)).toBeCloseTo(share, 4);
          }
        },
      ),
    );
    expect(shifted({ from: 10, to: 20 }, whole, -50)).toEqual({ from: 0, to: 10 });
    expect(shifted({ from: 10, to: 20 }, whole, 1e9)).toEqual({ from: 99_990, to: 100_000 });
  });
});
