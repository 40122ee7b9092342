/** Files from elsewhere: an import checks the envelope only, so any payload may stand under any known type. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requestProblems } from "../omni/history";
import type { CompletePayload, OmniMessage } from "../omni/message";
import { readable } from "../omni/readable";
import { analyse } from "./analysis";
import { addressed, sequence } from "./fixtures/sequence";
import { ForkPointFinder } from "./fork-point";
import { encodeRecord, parseTrace } from "./jsonl";
import { nextRequestHistory, resume } from "./resume";
import { segment } from "./segment";
import { start } from "./transcript";

const PROBE: CompletePayload = { type: "text", role: "user", text: "next" };
const META = encodeRecord(sequence("M")[0] ?? ({} as OmniMessage));

/** Every reader of a whole file. What they throw fails the test. */
function readAll(text: string) {
  const { records: parsed, ...file } = parseTrace(text);
  const records = parsed.map(({ line, message }) => ({ address: { file_index: 1, line }, message }));
  const tasks = segment(records);
  analyse(tasks);
  const finder = new ForkPointFinder(records.at(-1)?.address.line ?? 1);
  for (const record of records) finder.push(record);
  finder.result();
  return { tasks, transcript: start({ records }), resumed: resume([{ ...file, file_index: 1, records }]) };
}

function problemsOf(text: string): string[] {
  const { resumed } = readAll(text);
  return resumed.ok ? requestProblems(nextRequestHistory(resumed, [PROBE])) : [resumed.message];
}

const CONTENT = ["text", "image_url", "inline_data", "thinking", "inline_thinking", "tool_call", "tool_call_output"];
const EVENTS = [
  ...[
    "request_begin",
    "request_end",
    "approval_decision",
    "token_usage",
    "compaction_begin",
    "compaction_end",
    "abort",
  ],
  ...["subagent", "goal_finished", "tool_list_ready", "mcp_connect_begin", "mcp_connect_end", "session_info"],
  ...["aux_usage", "brand_new"],
];
const PARTIALS = ["partial_text", "partial_thinking", "partial_tool_call", "partial_tool_call_output"];

const odd = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>(null, 0, -1, true, "", [], {}, [null], { $elided: 1 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
const sound = {
  role: fc.constantFrom("user", "assistant"),
  text: fc.constantFrom("a", "[user_steering]\nx\n[/user_steering]", "[context_summary]\ns\n[/context_summary]"),
  thinking: fc.constant("t"),
  image_url: fc.constant("data:image/png;base64,AA=="),
  data: fc.constant("AA=="),
  mime_type: fc.constant("image/png"),
  name: fc.constantFrom("exec_command", "run_subagent"),
  arguments: fc.constantFrom("{}", "", "{"),
  output: fc.constant("o"),
  tool_call_id: fc.constantFrom("1", "2"),
  status: fc.constantFrom("completed", "failed", "aborted", "auth"),
  decision: fc.constantFrom("allow", "deny"),
  reason: fc.constant("context"),
  mode: fc.constantFrom("summarize", "discard"),
  session_id: fc.constant("kid"),
  event_type: fc.constantFrom("start", "delta"),
  request: fc.constant({ cache_read: 1, cache_write: 1, output: 1, total: 3 }),
  session: fc.constant({ cache_read: 1, cache_write: 1, output: 1, total: 3 }),
};
const optional = {
  stop_reason: odd,
  retry_in_ms: fc.oneof(fc.constant(5), odd),
  refused: fc.oneof(fc.constant(true), odd),
  client_id: fc.oneof(fc.constant("c"), odd),
  ...{ attempt: odd, error_message: odd, images: odd, fidelity: odd, sender: odd, author: odd, by: odd, agent: odd },
  ...{ waited_ms: odd, price: odd, estimated: odd, context: odd, title: odd, tools: odd, rounds: odd },
};
const payload = fc
  .tuple(
    fc.record(sound),
    fc.record(optional, { requiredKeys: [] }),
    fc.dictionary(fc.constantFrom(...Object.keys(sound)), odd),
  )
  .map(([fields, more, broken]) => ({ ...fields, ...more, ...broken }));
const line = fc
  .record({
    kind: fc.oneof(
      fc.constantFrom(...CONTENT, ...PARTIALS).map((type) => ({ type: "model_msg", payload: { type } })),
      fc.constantFrom(...EVENTS).map((type) => ({ type: "event_msg", payload: { type } })),
      fc.constant({ type: "session_meta", payload: {} }),
    ),
    fields: payload,
    timestamp: fc.oneof(
      { weight: 5, arbitrary: fc.constant("2026-01-01T00:00:00.000Z") },
      { weight: 1, arbitrary: odd },
    ),
    origin: fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: odd }),
  })
  .map(
    ({ kind, fields, timestamp, origin }) =>
      `${JSON.stringify({ timestamp, ...kind, origin, payload: { ...fields, ...kind.payload } })}\n`,
  );

describe("records that only their envelope vouches for", () => {
  it("P6 RS5 any payload under any type: nothing throws, and the next Request is legal", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        expect(problemsOf(META + lines.join(""))).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it.each<[string, object, object]>([
    ["token_usage without request", { type: "event_msg" }, { type: "token_usage", session: {} }],
    [
      "tool_call without arguments",
      { type: "model_msg" },
      { type: "tool_call", role: "assistant", name: "x", tool_call_id: "1" },
    ],
    [
      "tool_call without id",
      { type: "model_msg" },
      { type: "tool_call", role: "assistant", name: "x", arguments: "{}" },
    ],
    ["text without text", { type: "model_msg" }, { type: "text", role: "user" }],
    ["request_end without status", { type: "event_msg" }, { type: "request_end" }],
    ["session_info of a wrong type", { type: "event_msg" }, { type: "session_info", title: 5, archived: "no" }],
  ])("%s: ignored by every fold, and shown raw", (_name, envelope, broken) => {
    const before = sequence("M U B");
    const after = sequence('A"reply" K E');
    const all = (extra: object[]) =>
      [...before, ...extra, ...after].map((record) => `${JSON.stringify(record)}\n`).join("");
    const whole = readAll(all([{ timestamp: "2026-01-01T00:00:02.000Z", ...envelope, payload: broken }]));
    const without = readAll(all([]));
    expect(whole.resumed).toEqual(without.resumed);
    expect(whole.tasks.map(({ requests }) => requests.length)).toEqual([1]);
    expect(whole.transcript.tasks[0]?.items.map(({ kind }) => kind)).toEqual(["prompt", "raw", "text"]);
  });

  it("a meta without session_id is none", () => {
    const { resumed } = readAll(
      encodeRecord({ timestamp: "", type: "session_meta", payload: {} } as unknown as OmniMessage),
    );
    expect(resumed).toMatchObject({ ok: false, code: "no_meta" });
  });

  it("leaves a sound record as it is, and takes only odd optional fields out of another", () => {
    for (const { message } of addressed(sequence("M V U I B T C1 D1 O1 K E X CB CE S Z P"))) {
      expect(readable(message)).toBe(message);
    }
    const text = { type: "text", role: "user", text: "x", author: 5, client_id: "c", extra: [1] };
    const record = { timestamp: "t", type: "model_msg", payload: text } as unknown as OmniMessage;
    expect(readable(record)?.payload).toEqual({ type: "text", role: "user", text: "x", client_id: "c", extra: [1] });
  });
});
