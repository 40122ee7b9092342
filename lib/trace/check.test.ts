import { expect, test } from "vitest";
import { checkTrace } from "./check";
import { parseTrace } from "./jsonl";

const at = "2026-01-01T00:00:00.000Z";
const line = (type: string, payload: object, more: object = {}) =>
  JSON.stringify({ timestamp: at, type, payload, ...more });
const meta = (session_id = "s1") => line("session_meta", { session_id, provider: "p", model_id: "m", workspace: "/w" });
const ev = (type: string, more: object = {}) => line("event_msg", { type, ...more });
const user = (text: string) => line("model_msg", { type: "text", role: "user", text });
const say = (text: string) => line("model_msg", { type: "text", role: "assistant", text });
const call = (id: string) =>
  line("model_msg", { type: "tool_call", role: "assistant", name: "x", arguments: "{}", tool_call_id: id });
const out = (id: string) =>
  line("model_msg", { type: "tool_call_output", role: "user", output: "o", tool_call_id: id });
const done = ev("request_end", { status: "completed" });
const begin = ev("request_begin");

function check(...files: string[][]) {
  const parsed = files.map((lines, i) => {
    const { records, ...rest } = parseTrace(`${lines.join("\n")}\n`);
    const addressed = records.map((r) => ({ address: { file_index: i + 1, line: r.line }, message: r.message }));
    return { file_index: i + 1, records: addressed, ...rest };
  });
  const { findings, resume } = checkTrace(parsed);
  return { found: findings.map((f) => `${f.file_index}:${f.line} ${f.kind} ${f.message}`), resume };
}

test("a sound Trace has no findings and resumes behind its last line", () => {
  const { found, resume } = check([meta(), user("q"), begin, call("a"), done, out("a"), begin, say("b"), done]);
  expect(found).toEqual([]);
  expect(resume).toEqual({ ok: true, file_index: 1, next_line: 10, history: 4, carry_over: 0, notes: [] });
});

test("damaged lines, broken pairs and unknown kinds are named with their lines", () => {
  const { found } = check([
    meta(),
    user("q"),
    '{"cut',
    begin,
    call("a"),
    begin,
    ev("weather"),
    out("zz"),
    done,
    done,
    ev("approval_decision", { decision: "allow", tool_call_id: "nobody" }),
    line("model_msg", { type: "text", role: "user", text: "x" }, { origin: ["child"] }),
  ]);
  expect(found).toEqual([
    expect.stringMatching(/^1:3 damaged not JSON/),
    "1:4 pair request_begin without a request_end before line 6",
    "1:5 pair the call of x has no output",
    expect.stringMatching(/^1:7 unknown event_msg weather/),
    "1:8 pair output for an unknown call (zz)",
    "1:10 pair request_end without a request_begin",
    "1:11 pair decision on an unknown call (nobody)",
    "1:12 order a message of a child is recorded here (origin)",
  ]);
});

test("resume: a closed context goes on in a new file; no meta says why not", () => {
  const span = { reason: "manual", mode: "discard" };
  const closed = [
    meta(),
    user("q"),
    begin,
    say("a"),
    done,
    ev("compaction_begin", span),
    ev("compaction_end", { ...span, status: "completed" }),
  ];
  expect(check(closed).resume).toMatchObject({ ok: true, file_index: 2, next_line: 1, history: 0 });
  expect(check([...closed, user("late")]).found).toEqual([
    "1:8 order follows the completed compaction of line 7 in the same file",
  ]);
  expect(check([user("q")])).toEqual({
    found: ["1:1 order the file does not begin with a session_meta"],
    resume: { ok: false, reason: expect.stringContaining("no session_meta") },
  });
  expect(check([meta(), user("q"), begin]).resume).toMatchObject({
    ok: true,
    notes: ["its last Task was interrupted"],
  });
});
