import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sessionMeta } from "../../lib/omni/build";
import type { OmniMessage } from "../../lib/omni/message";
import { resume } from "../../lib/trace/resume";
import { Inbox } from "./inbox";
import type { Approve, LlmOutcome } from "./ports";
import type { EngineState } from "./state";
import { runTask } from "./task";
import {
  type Answer,
  drive,
  freshState,
  historyProblem,
  prompt,
  ScriptedLlm,
  ScriptedTools,
  type Step,
  scriptedDeps,
} from "./testing/script";

const outcome: fc.Arbitrary<LlmOutcome> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<LlmOutcome>({ status: "completed" }) },
  fc.constantFrom<LlmOutcome>(
    { status: "failed", error_message: "f" },
    { status: "timeout" },
    { status: "malformed" },
    { status: "auth" },
    { status: "failed", refused: true },
  ),
);

/** Call ids are made unique over the whole script, as an adapter does; one in ten repeats inside its Request. */
const scripts = fc
  .array(
    fc.record({
      steps: fc.array(
        fc.record({
          kind: fc.constantFrom("say", "think", "call", "bad", "cut", "unknown", "again"),
          tool: fc.constantFrom("work", "look"),
        }),
        { maxLength: 4 },
      ),
      usage: fc.boolean(),
      outcome,
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((answers) =>
    answers.map((plain, n): Answer => {
      const steps = plain.steps.map((step, i): Step => {
        const id = `${n}.${step.kind === "again" ? Math.max(0, i - 1) : i}`;
        if (step.kind === "say") return { say: `text ${id}` };
        if (step.kind === "think") return { think: `thought ${id}` };
        if (step.kind === "bad") return { call: step.tool, id, args: '{"x": ' };
        if (step.kind === "cut") return { call: step.tool, id, cut: true };
        return { call: step.kind === "unknown" ? "nope" : step.tool, id };
      });
      return { steps: plain.usage ? [...steps, { usage: n + 1 }] : steps, outcome: plain.outcome };
    }),
  );

const scenario = fc.record({
  answers: scripts,
  decisions: fc.array(fc.constantFrom("allow", "deny", "forbidden"), { minLength: 1, maxLength: 5 }),
  stopAt: fc.option(fc.nat({ max: 40 }), { nil: undefined }),
  steerAt: fc.array(fc.nat({ max: 40 }), { maxLength: 2 }),
  slow: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 4 }),
});

describe("any script of answers, decisions, tool speeds, steering and a stop at any message", () => {
  it("TR3, EN3, RS2, RS7: records alternate, every call has one output, the history is legal, resume tells the same", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const state = freshState();
        const inbox = new Inbox();
        let asked = 0;
        const approve: Approve = async () => ({
          decision: given.decisions[asked++ % given.decisions.length] ?? "allow",
          by: "ann",
        });
        let ran = 0;
        const tools = new ScriptedTools(async () => {
          for (let ticks = given.slow[ran++ % given.slow.length] ?? 0; ticks > 0; ticks -= 1)
            await new Promise(setImmediate);
        });
        // Two Tasks in a row: what the first leaves behind must be legal input for the second.
        const llm = new ScriptedLlm([...given.answers, { steps: [{ say: "end" }] }]);
        const records: OmniMessage[] = [];
        for (const [n, stopAt] of [given.stopAt, undefined].entries()) {
          const stop = new AbortController();
          let count = 0;
          const deps = scriptedDeps(llm, { approve, tools, inbox: n === 0 ? inbox : new Inbox() });
          const run = await drive(runTask(state, [prompt(`p${n}`, `c${n}`)], deps, stop.signal), () => {
            if (count === stopAt) stop.abort({ reason: "aborted by user", by: "ann" });
            if (n === 0 && given.steerAt.includes(count)) inbox.push({ id: `s${count}`, text: "mind", images: [] });
            count += 1;
          });
          records.push(...run.records);
        }
        check(records);
        for (const request of llm.requests) expect(historyProblem(request.history)).toBe("");
        expect(historyProblem([...state.history, ...state.carry_over])).toBe("");
        expect(resumed(records)).toEqual(lasting(state));
      }),
      { numRuns: 150 },
    );
  });
});

/** What a restart would know. */
function resumed(records: OmniMessage[]) {
  const meta = sessionMeta({ session_id: "s", provider: "p", model_id: "m" });
  const addressed = [meta, ...records].map((message, i) => ({ address: { file_index: 1, line: i + 1 }, message }));
  const found = resume([
    { file_index: 1, records: addressed, damaged: [], lines: addressed.length, ends_with_newline: true },
  ]);
  if (!found.ok) throw new Error(found.message);
  const { history, carry_over, session_tokens, last_request_total, session_turns } = found;
  return { history, carry_over, refused: found.refused_last, session_tokens, last_request_total, session_turns };
}

function lasting(state: EngineState) {
  const { history, carry_over, refused, session_tokens, last_request_total, session_turns } = state;
  return { history, carry_over, refused, session_tokens, last_request_total, session_turns };
}

function check(records: OmniMessage[]): void {
  let open = false;
  let calls = new Set<string>();
  const answered = new Set<string>();
  for (const { payload } of records) {
    if (payload.type === "request_begin") {
      expect(open).toBe(false);
      expect([...calls].filter((id) => !answered.has(id))).toEqual([]);
      open = true;
      calls = new Set();
    } else if (payload.type === "request_end") {
      expect(open).toBe(true);
      open = false;
    } else if (payload.type === "tool_call" && payload.stop_reason === "completed")
      calls.add(String(payload.tool_call_id));
    else if (payload.type === "tool_call_output") {
      const id = String(payload.tool_call_id);
      expect(calls.has(id)).toBe(true);
      expect(answered.has(id)).toBe(false);
      answered.add(id);
    }
  }
  expect(open).toBe(false);
}
