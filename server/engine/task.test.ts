import { describe, expect, it } from "vitest";
import type { CompletePayload, OmniMessage, ToolCallPayload } from "../../lib/omni/message";
import { Inbox } from "./inbox";
import { runTask } from "./task";
import {
  allowAll,
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
} from "./testing/script";

const never = new AbortController().signal;
const types = (history: CompletePayload[]) =>
  history.map((p) =>
    p.type === "tool_call_output" ? `O${p.tool_call_id}` : p.type === "tool_call" ? `C${p.tool_call_id}` : p.type,
  );

/** A gate that opens per call id. */
function gates() {
  const open = new Map<string, () => void>();
  const gate = (call: ToolCallPayload) => new Promise<void>((resolve) => open.set(call.tool_call_id, resolve));
  return { gate, open: (id: string) => open.get(id)?.() };
}

describe("order of records (2.7)", () => {
  it("plain answer: input first, usage just before the end", async () => {
    const state = freshState();
    const llm = new ScriptedLlm([answer({ think: "hm" }, { say: "hello" }, { usage: 7 })]);
    const { records, outcome } = await drive(runTask(state, [prompt("hi")], scriptedDeps(llm), never));
    expect(sequence(records)).toBe("U B T A K E(completed)");
    expect(outcome).toEqual({ kind: "completed" });
    expect(state).toMatchObject({ session_turns: 1, last_request_total: 7, carry_over: [] });
    expect(records.at(-2)?.payload).toMatchObject({ user: "ann", session: { total: 7 }, request: { total: 7 } });
    expect(records.at(-1)?.payload).toEqual({ type: "request_end", status: "completed" });
  });

  it("EN5: decisions in call order, outputs recorded as they finish, given to the model in call order", async () => {
    const { gate, open } = gates();
    const llm = new ScriptedLlm([
      answer({ call: "work", id: "1" }, { call: "work", id: "2" }),
      answer({ say: "done" }),
    ]);
    const state = freshState();
    const deps = scriptedDeps(llm, { tools: new ScriptedTools(gate) });
    const { records } = await drive(runTask(state, [prompt("go")], deps, never), (message) => {
      if (message.payload.type === "request_end") setImmediate(() => open("2"));
      if (message.payload.type === "tool_call_output") setImmediate(() => open("1"));
    });
    expect(sequence(records)).toBe("U B C1 D1 C2 D2 E(completed) O2 O1 B A E(completed)");
    expect(types(llm.requests[1]?.history ?? [])).toEqual(["text", "C1", "C2", "O1", "O2"]);
  });

  it("EN2: a tool starts only after its call and its decision were handled by the writer", async () => {
    const tools = new ScriptedTools();
    const llm = new ScriptedLlm([answer({ call: "work", id: "1" }), answer({ say: "ok" })]);
    await drive(runTask(freshState(), [prompt("go")], scriptedDeps(llm, { tools }), never), async (message) => {
      if (message.payload.type !== "approval_decision") return;
      await new Promise((resolve) => setTimeout(resolve, 3));
      expect(tools.started).toEqual([]);
    });
    expect(tools.started).toEqual(["1"]);
  });

  it("a denied call gets its output directly after the decision, and the model is told", async () => {
    const llm = new ScriptedLlm([answer({ call: "work", id: "1" }), answer({ say: "fine" })]);
    const deps = scriptedDeps(llm, { approve: denyAll });
    const { records } = await drive(runTask(freshState(), [prompt("go")], deps, never));
    expect(sequence(records)).toBe("U B C1 D1 O1 E(completed) B A E(completed)");
    expect(records[3]?.payload).toMatchObject({ decision: "deny", by: "ann", waited_ms: 5 });
    expect(records[4]?.payload).toMatchObject({ output: "Tool call denied by user.", stop_reason: "aborted" });
  });

  it("a veto of a policy is told as such", async () => {
    const llm = new ScriptedLlm([answer({ call: "work", id: "1" }), answer({ say: "fine" })]);
    const approve = async () => ({ decision: "forbidden" as const, by: "policy:x" });
    const { records } = await drive(runTask(freshState(), [prompt("go")], scriptedDeps(llm, { approve }), never));
    expect(records[4]?.payload).toMatchObject({ output: "Tool call denied by policy." });
  });

  it("the question of one call does not hold up the model's stream; the Request ends after the last decision", async () => {
    let decide = () => {};
    const asked = new Promise<void>((resolve) => {
      decide = resolve;
    });
    const approve = async () => {
      await asked;
      return { decision: "allow" as const, by: "ann" };
    };
    const llm = new ScriptedLlm([answer({ call: "work", id: "1" }, { say: "and more" }), answer({ say: "ok" })]);
    const { records } = await drive(
      runTask(freshState(), [prompt("go")], scriptedDeps(llm, { approve }), never),
      (m) => {
        if (m.payload.type === "text" && m.payload.role === "assistant") decide();
      },
    );
    expect(sequence(records)).toMatch(/^U B C1 A D1 (O1 E\(completed\)|E\(completed\) O1) B A E\(completed\)$/);
  });

  it("tool_list_ready stands directly before the first Request it applies to, once", async () => {
    const state = { ...freshState(), tool_list: "[]" };
    const deps = scriptedDeps(new ScriptedLlm([answer({ call: "work", id: "1" }), answer({ say: "ok" })]));
    const { records } = await drive(runTask(state, [prompt("go")], deps, never));
    expect(sequence(records)).toMatch(/^U tool_list_ready B C1/);
    expect(records.filter((message) => message.payload.type === "tool_list_ready")).toHaveLength(1);
  });
});

describe("calls that must not run", () => {
  it("EN6: bad arguments are not executed, the model is told, the history sent is legal", async () => {
    const tools = new ScriptedTools();
    const llm = new ScriptedLlm([answer({ call: "work", id: "1", args: '{"a": ' }), answer({ say: "sorry" })]);
    const state = freshState();
    const { records } = await drive(runTask(state, [prompt("go")], scriptedDeps(llm, { tools }), never));
    expect(tools.started).toEqual([]);
    expect(sequence(records)).toBe("U B C1 O1 E(completed) B A E(completed)");
    expect(records[2]?.payload).toMatchObject({ arguments: '{"a": ' });
    expect(llm.requests[1]?.history[1]).toMatchObject({ arguments: "{}" });
    expect(state.history[1]).toMatchObject({ arguments: '{"a": ' });
  });

  it("a repeated id in one Request runs once and has one output", async () => {
    const tools = new ScriptedTools();
    const llm = new ScriptedLlm([answer({ call: "work", id: "1" }, { call: "work", id: "1" }), answer({ say: "ok" })]);
    const state = freshState();
    await drive(runTask(state, [prompt("go")], scriptedDeps(llm, { tools }), never));
    expect(tools.started).toEqual(["1"]);
    expect(historyProblem(state.history)).toBe("");
  });

  it("an incomplete call in a completed Request is neither run nor sent back", async () => {
    const tools = new ScriptedTools();
    const llm = new ScriptedLlm([answer({ say: "x" }, { call: "work", id: "1", cut: true })]);
    const state = freshState();
    const { outcome } = await drive(runTask(state, [prompt("go")], scriptedDeps(llm, { tools }), never));
    expect(tools.started).toEqual([]);
    expect(types(state.history)).toEqual(["text", "text"]);
    expect(outcome.kind).toBe("completed");
  });

  it("an unknown tool is answered without asking anyone", async () => {
    const llm = new ScriptedLlm([answer({ call: "nope", id: "1" }), answer({ say: "ok" })]);
    const { records } = await drive(
      runTask(freshState(), [prompt("go")], scriptedDeps(llm, { approve: denyAll }), never),
    );
    expect(sequence(records)).not.toContain("D1");
    expect(records.find((m) => m.payload.type === "tool_call_output")?.payload).toMatchObject({
      output: "Unknown tool: nope",
    });
  });

  it.each(["throw", "silent", "twice"] as const)(
    "EN3: a tool that breaks its contract (%s) still gives one output",
    async (kind) => {
      const llm = new ScriptedLlm([answer({ call: "work", id: "1" }), answer({ say: "ok" })]);
      const state = freshState();
      const tools = new ScriptedTools(undefined, kind);
      const { records } = await drive(runTask(state, [prompt("go")], scriptedDeps(llm, { tools }), never));
      expect(records.filter((message) => message.payload.type === "tool_call_output")).toHaveLength(1);
      expect(historyProblem(state.history)).toBe("");
    },
  );
});

describe("failures (EN4)", () => {
  it("retries with what the failed attempt had produced; announces the wait and the attempt", async () => {
    const retry = new NoWait();
    const llm = new ScriptedLlm([
      failing("timeout", { error_message: "busy" }, { say: "half" }),
      answer({ say: "whole" }),
    ]);
    const state = freshState();
    const { records } = await drive(runTask(state, [prompt("hi")], scriptedDeps(llm, { retry }), never));
    expect(sequence(records)).toBe("U B A E(timeout) B A E(completed)");
    expect(records[3]?.payload).toEqual({
      type: "request_end",
      status: "timeout",
      error_message: "busy",
      attempt: 1,
      retry_in_ms: 2_000,
    });
    expect(records.at(-1)?.payload).toEqual({ type: "request_end", status: "completed", attempt: 2 });
    expect(retry.waits).toEqual([2_000]);
    expect(llm.requests[1]?.history[1]).toMatchObject({ text: expect.stringMatching(/^\[turn_retried\][\s\S]*half/) });
    expect(state.history).toHaveLength(3);
  });

  it("a tool of a failed attempt is waited for and comes back inside [turn_retried]", async () => {
    const { gate, open } = gates();
    const llm = new ScriptedLlm([failing("timeout", {}, { call: "work", id: "1" }), answer({ say: "ok" })]);
    const deps = scriptedDeps(llm, { tools: new ScriptedTools(gate) });
    const { records } = await drive(runTask(freshState(), [prompt("hi")], deps, never), (message) => {
      if (message.payload.type === "request_end") setImmediate(() => open("1"));
    });
    expect(sequence(records)).toBe("U B C1 D1 E(timeout) O1 B A E(completed)");
    expect(llm.requests[1]?.history).toHaveLength(2);
    expect(llm.requests[1]?.history[1]).toMatchObject({ text: expect.stringContaining("did 1") });
  });

  it("a Request that fails withdraws a question that still waits; that tool never starts", async () => {
    const tools = new ScriptedTools();
    const approve = (_: ToolCallPayload, signal: AbortSignal) =>
      new Promise<{ decision: "deny"; by: string }>((resolve) =>
        signal.addEventListener("abort", () => resolve({ decision: "deny", by: "policy:withdrawn" })),
      );
    const llm = new ScriptedLlm([failing("timeout", {}, { call: "work", id: "1" }), answer({ say: "ok" })]);
    const { records } = await drive(
      runTask(freshState(), [prompt("hi")], scriptedDeps(llm, { tools, approve }), never),
    );
    expect(tools.started).toEqual([]);
    expect(sequence(records)).toBe("U B C1 D1 O1 E(timeout) B A E(completed)");
  });

  it("gives up after five retries and carries everything over", async () => {
    const retry = new NoWait();
    const state = freshState();
    const llm = new ScriptedLlm([failing("timeout", { error_message: "busy" })]);
    const { records, outcome } = await drive(runTask(state, [prompt("hi")], scriptedDeps(llm, { retry }), never));
    expect(llm.requests).toHaveLength(6);
    expect(retry.waits).toEqual([2_000, 4_000, 8_000, 16_000, 30_000]);
    expect(outcome).toEqual({ kind: "failed", message: "busy" });
    expect(records.at(-2)?.payload).toMatchObject({ attempt: 6 });
    expect(records.at(-2)?.payload).not.toHaveProperty("retry_in_ms");
    expect(records.at(-1)?.payload).toMatchObject({ type: "abort" });
    expect(state.carry_over[0]).toMatchObject({ text: "hi" });
  });

  it("auth ends at once and is repeated by an empty input", async () => {
    const state = freshState();
    const first = await drive(
      runTask(
        state,
        [prompt("hi")],
        scriptedDeps(new ScriptedLlm([failing("auth", { error_message: "bad key" })])),
        never,
      ),
    );
    expect(sequence(first.records)).toBe("U B E(auth) X");
    expect(first.outcome).toEqual({ kind: "auth", message: "bad key" });
    const llm = new ScriptedLlm([answer({ say: "now" })]);
    const again = await drive(runTask(state, [], scriptedDeps(llm), never));
    expect(sequence(again.records)).toBe("B A E(completed)");
    expect(llm.requests[0]?.history[0]).toMatchObject({ text: expect.stringContaining("hi") });
  });

  it("a refused prompt is not carried over, its text returns, tool outputs stay, a repeat sends it again", async () => {
    const state = freshState();
    const inbox = new Inbox();
    const refusing = new ScriptedLlm([
      answer({ call: "work", id: "1" }),
      failing("failed", { refused: true, error_message: "too big" }),
    ]);
    const first = await drive(runTask(state, [prompt("go")], scriptedDeps(refusing, { inbox }), never), (m) => {
      if (m.payload.type === "tool_call") inbox.push({ id: "s1", text: "poison", images: [] });
    });
    expect(first.records.at(-2)?.payload).toMatchObject({ status: "failed", refused: true, attempt: 1 });
    expect(first.outcome).toMatchObject({
      kind: "refused",
      message: "too big",
      text: expect.stringContaining("poison"),
    });
    expect(types(state.carry_over)).toEqual(["O1"]);
    const repeated = new ScriptedLlm([answer({ say: "ok" })]);
    await drive(runTask({ ...state }, [], scriptedDeps(repeated), never));
    expect(JSON.stringify(repeated.requests[0]?.history)).toContain("poison");
    const other = new ScriptedLlm([answer({ say: "ok" })]);
    await drive(runTask(state, [prompt("else")], scriptedDeps(other), never));
    expect(JSON.stringify(other.requests[0]?.history)).not.toContain("poison");
    expect(historyProblem(state.history)).toBe("");
  });

  it("a model port that throws is a failed attempt, not a hang", async () => {
    const llm = new ScriptedLlm([answer({ throws: "bug" }), answer({ say: "ok" })]);
    const { records } = await drive(runTask(freshState(), [prompt("hi")], scriptedDeps(llm), never));
    expect(sequence(records)).toBe("U B E(failed) B A E(completed)");
  });

  it("TP16: an answer without any content ends the Task and leaves a legal history", async () => {
    const state = freshState();
    const { outcome } = await drive(runTask(state, [prompt("hi")], scriptedDeps(new ScriptedLlm([answer()])), never));
    expect(outcome.kind).toBe("completed");
    expect(types(state.history)).toEqual(["text"]);
  });
});

describe("Stop (EN7)", () => {
  async function stopAt(llm: ScriptedLlm, when: (message: OmniMessage) => boolean, tools = new ScriptedTools()) {
    const stop = new AbortController();
    const state = freshState();
    const deps = scriptedDeps(llm, { tools });
    const result = await drive(runTask(state, [prompt("go")], deps, stop.signal), (message) => {
      if (when(message)) stop.abort({ reason: "aborted by user", by: "bob" });
    });
    return { ...result, state };
  }

  it("before the Request: the input is carried over verbatim", async () => {
    const { records, state } = await stopAt(new ScriptedLlm([answer({ say: "x" })]), (m) => m.payload.type === "text");
    expect(sequence(records)).toBe("U X");
    expect(state.carry_over).toEqual([records[0]?.payload]);
    expect(records.at(-1)?.payload).toEqual({ type: "abort", reason: "aborted by user", by: "bob" });
  });

  it("while text streams: the partial text is kept in [turn_aborted]", async () => {
    const { records, state, outcome } = await stopAt(
      new ScriptedLlm([answer({ hang: "a long te" })]),
      (m) => m.payload.type === "partial_text",
    );
    expect(sequence(records)).toBe("U B A E(aborted) X");
    expect(outcome).toEqual({ kind: "aborted" });
    expect(state.history).toEqual([]);
    expect(state.carry_over[0]).toMatchObject({ text: expect.stringMatching(/^\[turn_aborted\][\s\S]*a long te/) });
  });

  it("while a tool runs after the Request completed: its output is the carry-over", async () => {
    const { gate } = gates();
    const { records, state } = await stopAt(
      new ScriptedLlm([answer({ call: "work", id: "1" }, { usage: 3 })]),
      (m) => m.payload.type === "request_end",
      new ScriptedTools(gate),
    );
    expect(sequence(records)).toBe("U B C1 D1 K E(completed) O1 X");
    expect(types(state.carry_over)).toEqual(["O1"]);
    expect(historyProblem([...state.history, ...state.carry_over])).toBe("");
  });

  it("a tool that never settles is left behind; its call still has one output", async () => {
    const { records, state } = await stopAt(
      new ScriptedLlm([answer({ call: "work", id: "1" })]),
      (m) => m.payload.type === "request_end",
      new ScriptedTools(undefined, "stuck"),
    );
    expect(sequence(records)).toBe("U B C1 D1 E(completed) O1 X");
    expect(historyProblem([...state.history, ...state.carry_over])).toBe("");
  });

  it("a provider that ignores the signal is left behind", async () => {
    const stop = new AbortController();
    const llm = new ScriptedLlm([answer({ say: "x" }, { stuck: true })]);
    const { records } = await drive(runTask(freshState(), [prompt("go")], scriptedDeps(llm), stop.signal), (m) => {
      if (m.payload.type === "text" && m.payload.role === "assistant") setTimeout(() => stop.abort(), 5);
    });
    expect(sequence(records)).toBe("U B A E(aborted) X");
  });

  it("in a retry wait: gives up", async () => {
    const stop = new AbortController();
    const state = freshState();
    const llm = new ScriptedLlm([failing("timeout", {}, { say: "half" })]);
    const { RetryWait } = await import("./retry");
    const deps = scriptedDeps(llm, { retry: new RetryWait() });
    const { records } = await drive(runTask(state, [prompt("go")], deps, stop.signal), (m) => {
      if (m.payload.type === "request_end") setImmediate(() => stop.abort());
    });
    expect(sequence(records)).toBe("U B A E(timeout) X");
    expect(records.at(-1)?.payload).toMatchObject({ reason: "aborted during reconnect backoff" });
    expect(state.carry_over).toHaveLength(2);
  });
});

describe("end of a Task", () => {
  it("steering goes beside the outputs, and alone when no tool was called", async () => {
    const inbox = new Inbox();
    const llm = new ScriptedLlm([
      answer({ call: "work", id: "1" }),
      answer({ say: "done?" }),
      answer({ say: "really" }),
    ]);
    const { records } = await drive(runTask(freshState(), [prompt("go")], scriptedDeps(llm, { inbox }), never), (m) => {
      if (m.payload.type === "tool_call") inbox.push({ id: "a", text: "first", images: [] });
      if (m.payload.type === "text" && m.payload.text === "done?") inbox.push({ id: "b", text: "second", images: [] });
    });
    expect(sequence(records)).toMatch(/^U B C1 D1 .* Z B A E\(completed\) Z B A E\(completed\)$/);
    expect(types(llm.requests[1]?.history ?? [])).toEqual(["text", "C1", "O1", "text"]);
    expect(inbox.push({ id: "c", text: "late", images: [] })).toBe(false);
  });

  it("max_turns stops with a notice and keeps the unsent outputs", async () => {
    const state = freshState();
    const llm = new ScriptedLlm([answer({ call: "work", id: "1" }), answer({ call: "work", id: "2" })]);
    const { records, outcome } = await drive(
      runTask(state, [prompt("go")], scriptedDeps(llm, { max_turns: 2 }), never),
    );
    expect(outcome).toEqual({ kind: "max_turns" });
    expect(records.at(-1)?.payload).toMatchObject({ text: "[reached max turns (2); stopping]", stop_reason: "failed" });
    expect(types(state.carry_over)).toEqual(["O2"]);
  });

  it("a pending summary goes to the model ahead of the prompt, without being recorded again", async () => {
    const state = { ...freshState(), pending_summary: "we did things" };
    const llm = new ScriptedLlm([answer({ say: "ok" })]);
    const { records } = await drive(runTask(state, [prompt("go")], scriptedDeps(llm), never));
    expect(sequence(records)).toBe("U B A E(completed)");
    expect(llm.requests[0]?.history[0]).toMatchObject({ text: "[context_summary]\nwe did things\n[/context_summary]" });
  });

  it("a consumer that leaves (nothing can be written) stops model and tools", async () => {
    const signals: AbortSignal[] = [];
    const tools = new ScriptedTools(() => new Promise(() => {}));
    const run = tools.run.bind(tools);
    tools.run = (call, signal) => {
      signals.push(signal);
      return run(call, signal);
    };
    const llm = new ScriptedLlm([answer({ call: "work", id: "1" }, { hang: "text" })]);
    const task = runTask(freshState(), [prompt("go")], scriptedDeps(llm, { tools, approve: allowAll }), never);
    for (;;) {
      const step = await task.next();
      if (step.done || step.value.payload.type === "partial_text") break;
    }
    await task.return({ kind: "aborted" });
    expect(signals[0]?.aborted).toBe(true);
  });
});
