import { describe, expect, it } from "vitest";
import type { CompletePayload, OmniMessage } from "../../lib/omni/message";
import { CALL_REFUSED } from "./compact";
import { manualCompaction } from "./compaction-plan";
import { Inbox } from "./inbox";
import type { Llm } from "./ports";
import type { CompactionSettings, EngineState, TaskDeps } from "./state";
import { compactByHand, runTask } from "./task";
import {
  type Answer,
  answer,
  denyAll,
  drive,
  failing,
  freshState,
  historyProblem,
  NoWait,
  prompt,
  ScriptedLlm,
  ScriptedTools,
  scriptedDeps,
  sequence,
  toolSchemas,
} from "./testing/script";

const never = new AbortController().signal;
const settings = (more: Partial<CompactionSettings> = {}): CompactionSettings => ({
  mode: "summarize",
  threshold: 1_000,
  max_turns: 0,
  prompt: "summarise",
  meta_tools: JSON.stringify(toolSchemas()),
  ...more,
});
const deps = (llm: Llm, compaction: CompactionSettings | null = settings(), more: Partial<TaskDeps> = {}) =>
  scriptedDeps(llm, { compaction, ...more });
const summary = (text = "all of it") => answer({ say: `[summary]${text}[/summary]` }, { usage: 1_100 });
const said = (history: CompletePayload[] | undefined) =>
  (history ?? []).map((p) =>
    p.type === "text" ? p.text : p.type === "tool_call_output" ? `O${p.tool_call_id}` : p.type,
  );
const full = (text = "hello") => answer({ say: text }, { usage: 1_000 });
const calling = (id: string, usage = 1_000) => answer({ call: "work", id }, { usage });
const task = (state: EngineState, llm: Llm, more: Partial<TaskDeps> = {}, text = "go") =>
  drive(runTask(state, [prompt(text)], deps(llm, settings(), more), never));
const of = (records: OmniMessage[], type: string) => records.filter(({ payload }) => payload.type === type);

/** A state with one committed turn, its context below the threshold. */
async function talked(llm: ScriptedLlm): Promise<EngineState> {
  const state = freshState();
  await drive(runTask(state, [prompt("first")], deps(llm), never));
  return state;
}
async function byHand(state: EngineState, llm: Llm, given = settings(), signal = never, more: Partial<TaskDeps> = {}) {
  const all = deps(llm, given, more);
  const plan = manualCompaction(state, all);
  if (!plan) throw new Error("not configured");
  return drive(compactByHand(state, plan, all, signal));
}

describe("FF 5.5: when", () => {
  it("CP07: context == threshold: a pair at the Task's end, no Request after it; the next prompt follows the summary alone", async () => {
    const state = freshState();
    const llm = new ScriptedLlm([full(), summary(), answer({ say: "on" }, { usage: 50 })]);
    const { records } = await task(state, llm);
    expect(sequence(records)).toBe("U B A K E(completed) CB U B A K E(completed) CE(completed)");
    const [begin, end] = [of(records, "compaction_begin")[0], of(records, "compaction_end")[0]];
    expect(begin?.payload).toMatchObject({ reason: "context", mode: "summarize", context: 1_000, turns: 1 });
    expect(end?.payload).toEqual({
      type: "compaction_end",
      reason: "context",
      mode: "summarize",
      status: "completed",
      attempt: 1,
    });
    expect(state).toMatchObject({ history: [], pending_summary: "all of it", session_turns: 0, last_request_total: 0 });
    expect([llm.requests.length, state.carry_over]).toEqual([2, []]);
    const next = await task(state, llm, {}, "and now");
    expect(said(llm.requests[2]?.history)).toEqual(["[context_summary]\nall of it\n[/context_summary]", "and now"]);
    expect(sequence(next.records)).toBe("U B A K E(completed)");
    expect(state.session_tokens.total).toBe(2_150);
  });

  it("CP05 CP04: one compaction, and the prompt after it starts none", async () => {
    const state = freshState();
    const llm = new ScriptedLlm([answer({ say: "x" }, { usage: 10 }), summary(), answer({ say: "y" }, { usage: 20 })]);
    await task(state, llm);
    await byHand(state, llm);
    const { records } = await task(state, llm, {}, "hi");
    expect(of(records, "compaction_begin")).toEqual([]);
    expect(state).toMatchObject({ session_turns: 1, last_request_total: 20 });
  });

  it("turns == limit", async () => {
    const state = freshState();
    const llm = new ScriptedLlm([answer({ say: "x" }, { usage: 1 }), summary()]);
    const run = runTask(state, [prompt("go")], deps(llm, settings({ max_turns: 1 })), never);
    const { records } = await drive(run);
    expect(of(records, "compaction_begin")[0]?.payload).toMatchObject({ reason: "turns", context: 1, turns: 1 });
  });

  it("CP13: without usage the size is estimated, and no usage is invented", async () => {
    const big = "x".repeat(5_000);
    const llm = new ScriptedLlm([answer({ say: big }), answer({ say: "[summary]s[/summary]" })]);
    const { records } = await task(freshState(), llm);
    expect(of(records, "token_usage")).toEqual([]);
    expect(Number(of(records, "compaction_begin")[0]?.payload.context)).toBeGreaterThan(1_250);
  });

  it("CP13: an answer without usage leaves the last figure standing", async () => {
    const state = freshState();
    const llm = new ScriptedLlm([answer({ say: "x" }, { usage: 900 }), answer({ say: "y" })]);
    await task(state, llm);
    const { records } = await task(state, llm);
    expect(state.last_request_total).toBe(900);
    expect(of(records, "compaction_begin")).toEqual([]);
  });

  it("a new context says again which tools are sent, when the meta does not", async () => {
    const state = freshState();
    const given = settings({ meta_tools: "[]" });
    const llm = new ScriptedLlm([full(), summary(), answer({ say: "on" })]);
    await drive(runTask(state, [prompt("go")], deps(llm, given), never));
    const { records } = await drive(runTask(state, [prompt("now")], deps(llm, given), never));
    expect(sequence(records)).toBe("U tool_list_ready B A E(completed)");
  });

  it("no compaction configured: nothing is ever compacted", async () => {
    const llm = new ScriptedLlm([full()]);
    const { records } = await drive(runTask(freshState(), [prompt("go")], deps(llm, null), never));
    expect(sequence(records)).toBe("U B A K E(completed)");
    expect(manualCompaction(freshState(), deps(llm, null))).toBeNull();
  });
});

describe("FF 4.9: in the middle of a Task", () => {
  it("TP11: outputs go into the compaction, the new context starts from the summary, steering follows it", async () => {
    const inbox = new Inbox();
    const llm = new ScriptedLlm([calling("1"), summary("done 1"), answer({ say: "fin" }, { usage: 30 })]);
    const state = freshState();
    const run = runTask(state, [prompt("go")], deps(llm, settings(), { inbox }), never);
    const { records, outcome } = await drive(run, (message) => {
      if (message.payload.type === "compaction_begin") inbox.push({ id: "s", text: "quick", images: [] });
    });
    expect(sequence(records)).toMatch(
      /^U B C1 D1 .*O1.* CB U B A K E\(completed\) CE\(completed\) Z B A K E\(completed\)$/,
    );
    expect(said(llm.requests[1]?.history)).toEqual(["go", "tool_call", "O1", "summarise"]);
    expect(said(llm.requests[2]?.history)).toEqual([
      "[context_summary]\ndone 1\n[/context_summary]",
      "[user_steering]\nquick\n[/user_steering]",
    ]);
    expect(llm.requests[1]?.tools).toEqual(llm.requests[0]?.tools);
    expect(outcome).toEqual({ kind: "completed" });
    expect(state.pending_summary).toBeNull();
  });

  it("TP04: it waits for a slow tool and a denied one, and their outputs ride along", async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const llm = new ScriptedLlm([
      answer({ call: "work", id: "1" }, { call: "look", id: "2" }, { usage: 1_000 }),
      summary(),
      answer({ say: "fin" }),
    ]);
    const approve: TaskDeps["approve"] = (call, signal) =>
      call.tool_call_id === "1" ? denyAll(call, signal) : Promise.resolve({ decision: "allow", by: "ann" });
    const tools = new ScriptedTools(() => gate);
    const run = runTask(freshState(), [prompt("go")], deps(llm, settings(), { approve, tools }), never);
    const { records } = await drive(run, (message) => {
      if (message.payload.type === "request_end") setImmediate(open);
    });
    const order = sequence(records);
    expect(order.indexOf("O2")).toBeLessThan(order.indexOf("CB"));
    expect(said(llm.requests[1]?.history)).toEqual(["go", "tool_call", "tool_call", "O1", "O2", "summarise"]);
  });

  it("only transport failures: the Task ends as an interruption, the outputs are carried", async () => {
    const wait = new NoWait();
    const state = freshState();
    const llm = new ScriptedLlm([calling("1"), failing("timeout", { error_message: "slow" })]);
    const { records, outcome } = await task(state, llm, { retry: wait });
    expect(wait.waits).toEqual([2_000, 4_000, 8_000, 16_000, 30_000]);
    expect(of(records, "compaction_end")[0]?.payload).toMatchObject({ status: "failed", attempt: 6 });
    expect(records.at(-1)?.payload).toMatchObject({
      type: "abort",
      reason: expect.stringMatching(/^compaction failed/),
    });
    expect(outcome.kind).toBe("failed");
    expect(said(state.history)).toEqual(["go", "tool_call"]);
    expect(said(state.carry_over)).toEqual(["O1"]);
    expect(state.session_turns).toBe(1);
  });

  it("a committed answer that was no summary, then abandoned: outputs are not sent again, only repairs are carried", async () => {
    const state = freshState();
    const llm = new ScriptedLlm([calling("1"), calling("2"), failing("auth", { error_message: "no key" })]);
    const { records, outcome } = await task(state, llm);
    expect(outcome.kind).toBe("auth");
    expect(of(records, "compaction_end")[0]?.payload).toMatchObject({ status: "failed", attempt: 2 });
    expect(said(state.carry_over)).toEqual(["O2"]);
    expect(state.carry_over[0]).toMatchObject({ output: CALL_REFUSED, stop_reason: "failed" });
    expect(said(state.history)).toEqual(["go", "tool_call", "O1", "summarise", "tool_call"]);
    expect(historyProblem([...state.history, ...state.carry_over])).toBe("");
  });

  it("a discard waits for the Task's end, asks no model, and drops outputs only", async () => {
    const state = freshState();
    const llm = new ScriptedLlm([calling("1"), full("fin")]);
    const { records } = await drive(runTask(state, [prompt("go")], deps(llm, settings({ mode: "discard" })), never));
    expect(sequence(records)).toMatch(/E\(completed\) CB\(discard\) CE\(completed\)$/);
    expect(of(records, "compaction_end")[0]?.payload).not.toHaveProperty("attempt");
    expect(llm.requests).toHaveLength(2);
    expect(state).toMatchObject({ history: [], pending_summary: null, carry_over: [] });
  });
});

describe("FF 4.9: answers that are no summary", () => {
  const attempts = async (...answers: Answer[]) => {
    const llm = new ScriptedLlm([answer({ say: "r" }, { usage: 10 }), ...answers]);
    const state = await talked(llm);
    return { llm, state, ...(await byHand(state, llm)) };
  };

  it("thinking only, then a call, then a summary: repaired, noted, adopted on the third attempt", async () => {
    const { llm, state, records } = await attempts(answer({ think: "hm" }), calling("7"), summary("good"));
    expect(sequence(records)).toBe("CB U B T E(completed) U B C7 O7 K E(completed) U B A K E(completed) CE(completed)");
    expect(of(records, "compaction_end")[0]?.payload).toMatchObject({ attempt: 3, reason: "manual" });
    expect(said(llm.requests[3]?.history).slice(-3, -2)).toEqual(["O7"]);
    expect(said(llm.requests[3]?.history).at(-1)).toBe("summarise");
    expect(records.some(({ payload }) => payload.type === "request_end" && "retry_in_ms" in payload)).toBe(false);
    expect(state).toMatchObject({ history: [], carry_over: [], pending_summary: "good" });
  });

  it("a call beside a summary is never adopted; the budget is shared and ends it failed", async () => {
    const both = (id: string) => answer({ say: "[summary]s[/summary]" }, { call: "work", id });
    const { llm, state, records } = await attempts(
      ...["1", "2", "3"].map(both),
      failing("failed"),
      both("4"),
      both("5"),
      summary("late"),
    );
    expect(llm.requests).toHaveLength(7);
    expect(of(records, "compaction_end")[0]?.payload).toMatchObject({
      status: "failed",
      attempt: 6,
      error_message: "the response called tools instead of writing a summary",
    });
    expect(state.pending_summary).toBeNull();
    expect(said(state.carry_over)).toEqual(["O5"]);
    expect(historyProblem([...state.history, ...state.carry_over])).toBe("");
  });

  it("a summary on the last allowed attempt completes", async () => {
    const { state, records } = await attempts(...Array.from({ length: 5 }, () => answer({ think: "…" })), summary());
    expect(of(records, "compaction_end")[0]?.payload).toMatchObject({ status: "completed", attempt: 6 });
    expect(state.pending_summary).toBe("all of it");
  });

  it("a call that was not finished does not spoil a summary; text without marks is the summary; an empty pair is not", async () => {
    const cut = await attempts(answer({ say: "[summary]s[/summary]" }, { call: "work", id: "1", cut: true }));
    expect(cut.state.pending_summary).toBe("s");
    expect((await attempts(answer({ say: "plain words" }))).state.pending_summary).toBe("plain words");
    expect((await attempts(answer({ say: "[summary][/summary]\nthe body" }))).state.pending_summary).toBe("the body");
  });
});

describe("what keeps the context", () => {
  it("stopped while it streams: CE aborted, an abort record, and nothing of it remains", async () => {
    const llm = new ScriptedLlm([answer({ say: "r" }, { usage: 10 }), answer({ hang: "half a summ" })]);
    const state = await talked(llm);
    const before = structuredClone(state);
    const stop = new AbortController();
    const all = deps(llm);
    const plan = manualCompaction(state, all);
    if (!plan) throw new Error("not configured");
    const { records, outcome } = await drive(compactByHand(state, plan, all, stop.signal), (message) => {
      if (message.payload.type === "partial_text") stop.abort({ reason: "aborted by user", by: "ann" });
    });
    expect(sequence(records)).toBe("CB U B A E(aborted) CE(aborted) X");
    expect(records.at(-1)?.payload).toMatchObject({ reason: "aborted during compaction", by: "ann" });
    expect(outcome).toEqual({ kind: "aborted" });
    expect(state).toEqual(before);
  });

  it("refused, also with less of the conversation: it ends failed; prior carry-over stays word by word", async () => {
    const refusal = failing("failed", { refused: true, error_message: "no" });
    const llm = new ScriptedLlm([answer({ say: "r" }, { usage: 10 }), refusal, refusal, summary()]);
    const state = await talked(llm);
    state.carry_over = [prompt("left over").payload];
    const { records } = await byHand(state, llm);
    expect(sequence(records)).toBe("CB U B E(failed) B E(failed) CE(failed)");
    expect(said(state.carry_over)).toEqual(["left over"]);
  });

  it("TH02: a provider that refuses its own thinking is asked once without it", async () => {
    const llm = new ScriptedLlm([
      answer({ think: "signed" }, { say: "r" }, { usage: 10 }),
      failing("failed", { refused: true, error_message: "thinking blocks cannot be modified" }),
      summary(),
    ]);
    const state = await talked(llm);
    await byHand(state, llm);
    expect(said(llm.requests[1]?.history)).toEqual(["first", "thinking", "r", "summarise"]);
    expect(said(llm.requests[2]?.history)).toEqual(["first", "r", "summarise"]);
    expect(state.pending_summary).toBe("all of it");
  });

  it("TH02: after a refused prompt a compaction works, and the prompt does not come back by itself", async () => {
    const llm = new ScriptedLlm([
      answer({ say: "r" }, { usage: 10 }),
      failing("failed", { refused: true, error_message: "thinking blocks cannot be modified" }),
      summary(),
    ]);
    const state = await talked(llm);
    const { outcome } = await task(state, llm, {}, "again");
    expect(outcome).toMatchObject({ kind: "refused", text: "again" });
    await byHand(state, llm);
    expect(state).toMatchObject({ pending_summary: "all of it", carry_over: [], refused: [] });
  });
});

describe("EN4 CP11: the provider finds a Request too long", () => {
  const tooLong = failing("failed", { refused: true, context_too_long: true, error_message: "too many tokens" });

  it("compacts once and goes on from the summary; large outputs are cut down for it", async () => {
    const state = freshState();
    const llm = new ScriptedLlm([calling("1", 10), tooLong, summary("work so far"), answer({ say: "fin" })]);
    const tools = new ScriptedTools();
    const { records, outcome } = await task(state, llm, { tools });
    expect(sequence(records)).toMatch(/B E\(failed\) CB U B A K E\(completed\) CE\(completed\) B A E\(completed\)$/);
    expect(records.some(({ payload }) => payload.type === "request_end" && "refused" in payload)).toBe(false);
    expect(said(llm.requests[3]?.history)).toEqual(["[context_summary]\nwork so far\n[/context_summary]"]);
    expect(outcome).toEqual({ kind: "completed" });
  });

  it("still too long after it: the Task ends, refused, and does not begin anew", async () => {
    const state = freshState();
    const llm = new ScriptedLlm([tooLong, summary(), tooLong]);
    const { records, outcome } = await task(state, llm);
    expect(of(records, "compaction_begin")).toHaveLength(1);
    expect(outcome.kind).toBe("refused");
    expect(llm.requests).toHaveLength(3);
  });

  it("CP02: cannot be compacted either: the work so far stays, the prompt returns, a repeat sends it again", async () => {
    const llm = new ScriptedLlm([answer({ say: "r" }, { usage: 10 }), tooLong, tooLong, answer({ say: "ok" })]);
    const state = await talked(llm);
    const { records, outcome } = await task(state, llm, {}, "huge");
    expect(outcome).toMatchObject({
      kind: "refused",
      text: "huge",
      message: expect.stringContaining("too many tokens"),
    });
    expect(sequence(records)).toBe("U B E(failed) CB U B E(failed) CE(failed) X");
    expect(said(state.history)).toEqual(["first", "r"]);
    expect([said(state.carry_over), said(state.refused)]).toEqual([[], ["huge"]]);
    await drive(runTask(state, [], deps(llm), never));
    expect(said(llm.requests.at(-1)?.history)).toEqual(["first", "r", "huge"]);
  });
});

describe("CP02 CP10: no loop", () => {
  it("the system prompt and the tools alone are over the threshold: a clear error, and no Request for it", async () => {
    const llm = new ScriptedLlm([calling("1"), full()]);
    const { records, outcome } = await task(freshState(), llm, { system_prompt: "x".repeat(8_000) });
    expect(llm.requests).toHaveLength(1);
    expect(of(records, "compaction_end")[0]?.payload).toMatchObject({
      status: "failed",
      error_message: expect.stringContaining("The system prompt and the tools alone take about"),
    });
    expect(outcome.kind).toBe("failed");
  });

  it("two compactions that did not help are enough", async () => {
    let id = 0;
    const llm: Llm = {
      stream: async function* (request, signal) {
        const asked = request.history.at(-1);
        const summing = asked?.type === "text" && asked.text === "summarise";
        id += 1;
        return yield* new ScriptedLlm([summing ? summary() : calling(`${id}`)]).stream(request, signal);
      },
    };
    const { records, outcome } = await task(freshState(), llm);
    expect(of(records, "compaction_end").map(({ payload }) => payload.status)).toEqual([
      "completed",
      "completed",
      "failed",
    ]);
    expect(outcome).toMatchObject({ kind: "failed", message: expect.stringContaining("did not help") });
  });
});
