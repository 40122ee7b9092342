import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { model, sessionMeta } from "../../lib/omni/build";
import { requestProblems } from "../../lib/omni/history";
import type { AddressedMessage, CompletePayload, OmniMessage } from "../../lib/omni/message";
import { closureOf } from "../../lib/trace/closure";
import { readPlainly } from "../../lib/trace/fixtures/plain-reader";
import { encodeRecord } from "../../lib/trace/jsonl";
import { nextRequestHistory, resume, summaryText } from "../../lib/trace/resume";
import { manualCompaction } from "./compaction-plan";
import { Inbox } from "./inbox";
import type { LlmOutcome } from "./ports";
import type { EngineState } from "./state";
import { compactByHand, runTask } from "./task";
import {
  type Answer,
  drive,
  freshState,
  prompt,
  ScriptedLlm,
  ScriptedTools,
  type Step,
  scriptedDeps,
  toolSchemas,
} from "./testing/script";

const outcome: fc.Arbitrary<LlmOutcome> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<LlmOutcome>({ status: "completed" }) },
  fc.constantFrom<LlmOutcome>(
    { status: "failed", error_message: "f" },
    { status: "timeout" },
    { status: "auth" },
    { status: "failed", refused: true },
    { status: "failed", refused: true, context_too_long: true },
  ),
);
const answers = fc
  .array(
    fc.record({
      steps: fc.array(fc.constantFrom("say", "summary", "empty", "think", "call", "call", "cut"), { maxLength: 3 }),
      usage: fc.constantFrom(null, 10, 2_000),
      outcome,
    }),
    { minLength: 1, maxLength: 9 },
  )
  .map((plain) =>
    plain.map(({ steps, usage, outcome: ending }, n): Answer => {
      const done = steps.map((kind, i): Step => {
        const id = `${n}.${i}`;
        if (kind === "call" || kind === "cut") return { call: "work", id, cut: kind === "cut" };
        if (kind === "think") return { think: `thought ${id}` };
        if (kind === "summary") return { say: `[summary]so far ${id}[/summary]` };
        return { say: kind === "empty" ? "[summary][/summary]" : `text ${id}` };
      });
      return { steps: usage === null ? done : [...done, { usage }], outcome: ending };
    }),
  );

const scenario = fc.record({
  answers,
  mode: fc.constantFrom("summarize" as const, "summarize" as const, "discard" as const),
  max_turns: fc.constantFrom(0, 0, 2),
  /** Per step: a Task or a compaction by hand, and the message at which it is stopped. */
  steps: fc.array(
    fc.record({
      byHand: fc.boolean(),
      stopAt: fc.option(fc.nat({ max: 30 }), { nil: null }),
      steerAt: fc.nat({ max: 9 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

/** The files of a Session, rotated as the Session does. */
class Files {
  files: OmniMessage[][] = [[sessionMeta({ session_id: "s", provider: "p", model_id: "m", tools: toolSchemas() })]];
  get newest(): OmniMessage[] {
    return this.files.at(-1) ?? [];
  }
  write(message: OmniMessage): void {
    if (message.type === "model_msg" && message.payload.type.startsWith("partial_")) return;
    const closure = closureOf(addressed(this.newest, 1));
    if (closure) {
      const told = closure.summary === null ? [] : [model(summaryText(closure.summary))];
      this.files.push([sessionMeta({ session_id: "s", provider: "p", model_id: "m", tools: toolSchemas() }), ...told]);
    }
    this.newest.push(message);
  }
}
const addressed = (records: OmniMessage[], file_index: number): AddressedMessage[] =>
  records.map((message, i) => ({ address: { file_index, line: i + 1 }, message }));

function resumed({ files }: Files) {
  const found = resume(
    files.map((records, i) => ({
      file_index: i + 1,
      records: addressed(records, i + 1),
      damaged: [],
      lines: records.length,
      ends_with_newline: true,
    })),
  );
  if (!found.ok) throw new Error(found.message);
  return found;
}

const next = (state: EngineState, input: CompletePayload[]) => [
  ...state.history,
  ...(state.pending_summary === null ? [] : [summaryText(state.pending_summary)]),
  ...state.carry_over,
  ...input,
];

describe("any script of answers, triggers, failures and stops", () => {
  it("RS7, TR3, TR7: one begin/end pair each, history legal, a restart would say the same, another reader finds the summary", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const state = freshState();
        const llm = new ScriptedLlm([...given.answers, { steps: [{ say: "end" }] }]);
        const compaction = {
          mode: given.mode,
          threshold: 1_000,
          max_turns: given.max_turns,
          prompt: "summarise",
          meta_tools: JSON.stringify(toolSchemas()),
        };
        const files = new Files();
        for (const [n, { byHand, stopAt, steerAt }] of given.steps.entries()) {
          const stop = new AbortController();
          const inbox = new Inbox();
          const deps = scriptedDeps(llm, { tools: new ScriptedTools(), inbox, compaction });
          const plan = manualCompaction(state, deps);
          const mayCompact = byHand && plan !== null && state.session_turns > 0;
          const work = mayCompact
            ? compactByHand(state, plan, deps, stop.signal)
            : runTask(state, [prompt(`p${n}`, `c${n}`)], deps, stop.signal);
          let count = 0;
          await drive(work, (message) => {
            files.write(message);
            if (count === stopAt) stop.abort({ reason: "aborted by user", by: "ann" });
            if (!mayCompact && count === steerAt) inbox.push({ id: `s${n}`, text: "mind", images: [] });
            count += 1;
          });
          checkPairs(files);
          checkResume(files, state, n);
        }
        for (const request of llm.requests) expect(requestProblems(request.history)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

function checkResume(files: Files, state: EngineState, n: number): void {
  const found = resumed(files);
  const probe = [prompt(`probe ${n}`, `x${n}`).payload];
  expect(nextRequestHistory(found, probe)).toEqual(next(state, probe));
  const { session_tokens, last_request_total, session_turns, refused_last, dangling_compaction } = found;
  expect({ session_tokens, last_request_total, session_turns, refused: refused_last }).toEqual({
    session_tokens: state.session_tokens,
    last_request_total: state.last_request_total,
    session_turns: state.session_turns,
    refused: state.refused,
  });
  expect(dangling_compaction).toBeNull();
  const plain = readPlainly(files.newest.map(encodeRecord).join(""));
  expect(plain.context_closed).toBe(found.context_closed);
  if (found.pending_summary !== null) expect(plain.pending_summary).toBe(summaryText(found.pending_summary).text);
  expect(plain.turns).toBe(state.session_turns);
}

function checkPairs({ files }: Files): void {
  for (const [index, records] of files.entries()) {
    let open = false;
    for (const [at, { payload }] of records.entries()) {
      if (payload.type === "compaction_begin") {
        expect(open).toBe(false);
        open = true;
      } else if (payload.type === "compaction_end") {
        expect(open).toBe(true);
        open = false;
        // TR7: whatever follows a completed one is in the next file.
        if (payload.status === "completed") expect(at).toBe(records.length - 1);
      }
    }
    expect(open).toBe(false);
    if (index < files.length - 1) expect(records.at(-1)?.payload.type).toBe("compaction_end");
  }
}
