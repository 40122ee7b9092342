import { describe, expect, it } from "vitest";
import type { CompletePayload } from "../../lib/omni/message";
import { createDemoFetch, DEMO_BASE_URL } from "./demo";
import { collect, request } from "./fixtures/collect";
import { openAiChat } from "./openai-chat";

const NAMES = ["exec_command", "input_command", "kill_command", "read_file", "write_file", "edit_file"];
const tools = NAMES.map((name) => ({ name, description: name }));

function demo(speed = 0) {
  const model = { provider: "demo", model_id: "demo", client_type: "openai-chat" as const, base_url: DEMO_BASE_URL };
  return openAiChat(model, { fetch: createDemoFetch(speed) });
}
function user(text: string): CompletePayload {
  return { type: "text", role: "user", text };
}
async function ask(prompt: string, before: CompletePayload[] = []) {
  const result = await collect(demo(), request({ history: [...before, user(prompt)], tools }));
  expect(result.faults).toEqual([]);
  const calls = result.messages.filter((m) => m.type === "tool_call").map((c) => [c.name, JSON.parse(c.arguments)]);
  const text = result.messages.flatMap((m) => (m.type === "text" ? [m.text] : [])).join("\n");
  return { ...result, calls, text };
}

describe("the demo model, through the ordinary adapter", () => {
  it("says that it is a demo and how to add a real model", async () => {
    const { text, outcome } = await ask("hello");
    expect(outcome).toEqual({ status: "completed" });
    expect(text).toMatch(/demo model.*not a real language model/s);
    expect(text).toContain("Models");
    expect((await ask("What is the capital of France?")).text).toContain("not a real language model");
  });

  it.each<[string, unknown]>([
    ["Create a file hello.txt with hi", [["write_file", { file_path: "hello.txt", content: "hi" }]]],
    ["please create hello.txt", [["write_file", { file_path: "hello.txt", content: "" }]]],
    [
      'write a file called notes.md containing "one two"',
      [["write_file", { file_path: "notes.md", content: "one two" }]],
    ],
    ["read hello.txt", [["read_file", { file_path: "hello.txt" }]]],
    ["show me the file src/a-b.ts please", [["read_file", { file_path: "src/a-b.ts" }]]],
    [
      'replace "hi" with "bye" in hello.txt',
      [["edit_file", { file_path: "hello.txt", old_string: "hi", new_string: "bye" }]],
    ],
    ["run `ls -la`", [["exec_command", { description: "Run ls -la", cmd: "ls -la" }]]],
    ["list the files", [["exec_command", { description: "Run ls -la", cmd: "ls -la" }]]],
    [
      "start `sleep 60` in the background",
      [["exec_command", { description: "Run sleep 60", cmd: "sleep 60", yield_time_ms: 250, run_in_background: true }]],
    ],
    [
      'send "yes" to the process 7',
      [["input_command", { description: "Send input to the command", process_id: "7", chars: "yes\n" }]],
    ],
    ["stop the process p-12", [["kill_command", { description: "Stop the command", process_id: "p-12" }]]],
  ])("%s", async (prompt, expected) => {
    expect((await ask(prompt)).calls).toEqual(expected);
  });

  it("calls several tools at once", async () => {
    const { calls } = await ask("run `sleep 1` and `echo two` at the same time");
    expect(calls.map((c) => c[1].cmd)).toEqual(["sleep 1", "echo two"]);
  });

  it("comments on outputs, goes on with the next step, and then stops", async () => {
    const history = [user("create a file a.txt with hi, then read a.txt")];
    for (const expected of ["write_file", "read_file"]) {
      const { messages } = await collect(demo(), request({ history, tools }));
      const call = messages.find((m) => m.type === "tool_call");
      expect(call?.name).toBe(expected);
      history.push(...messages);
      if (call) history.push({ type: "tool_call_output", role: "user", output: "hi", tool_call_id: call.tool_call_id });
    }
    const last = await collect(demo(), request({ history, tools }));
    expect(last.messages).toMatchObject([{ type: "text", text: expect.stringContaining("`a.txt`") }]);
    expect(last.usage[0]?.cache_read).toBeGreaterThan(0);
  });

  it("thinks, counts, writes long answers and shows Markdown", async () => {
    const { messages } = await ask("think about penguins");
    expect(messages.map((m) => m.type)).toEqual(["thinking", "text"]);
    expect((await ask("write 60 lines")).text.split("\n\n")).toHaveLength(60);
    expect((await ask("count slowly to 40")).text.split("\n").at(-1)).toBe("40");
    expect((await ask("show markdown")).text).toContain("| Column |");
  });

  it("reads what a tool said: failures, background processes, denials", async () => {
    const reply = async (prompt: string, said: string) => {
      const { messages } = await ask(prompt);
      const call = messages.find((m) => m.type === "tool_call");
      const output = {
        type: "tool_call_output" as const,
        role: "user" as const,
        output: said,
        tool_call_id: call?.tool_call_id ?? "",
      };
      const history = [user(prompt), ...messages, output];
      const { messages: answer } = await collect(demo(), request({ history, tools }));
      return {
        history: [...history, ...answer],
        text: answer.flatMap((m) => (m.type === "text" ? [m.text] : [])).join(),
      };
    };
    expect((await reply("run `false`", "[exit code: 1]")).text).toContain("failed with exit code 1");
    expect((await reply("run `true`", "[no output]")).text).toBe("The command finished without any output.");
    expect((await reply("run `ls`, then read a.txt", "Tool call denied by user.")).text).toContain(
      "You did not allow that",
    );
    const running = await reply(
      "start `sleep 60` in the background",
      "[still running in the background: process_id proc-abcdefab; …]",
    );
    expect(running.text).toContain("proc-abcdefab");
    expect((await ask("stop the process", running.history)).calls[0]?.[1].process_id).toBe("proc-abcdefab");
  });

  it("hears the person behind the blocks of the harness", async () => {
    const aborted =
      "[turn_aborted]\n  [user_input][user_steering]\nrun `rm x`\n[/user_steering][/user_input]\n[/turn_aborted]";
    expect((await ask("say yes", [user(aborted)])).text).toBe("yes");
    expect((await ask("[user_steering]\nsay no\n[/user_steering]", [user(aborted)])).text).toBe("no");
    expect((await ask("[context_summary]\nrun `ls`\n[/context_summary]")).calls).toEqual([]);
    const retried = "[turn_retried]\n  [text]This answer[/text]\n[/turn_retried]";
    expect((await ask(retried, [user("fail once")])).outcome).toEqual({ status: "completed" });
  });

  it("gives a short title when it is asked for one without tools", async () => {
    const history = [user("Write a title for this conversation.\n\nPlease create a file hello.txt with hi and more")];
    const { messages } = await collect(demo(), request({ history }));
    expect(messages).toMatchObject([{ text: "Please create a file hello.txt with" }]);
  });

  it("summarises when it is asked for a summary block", async () => {
    const before: CompletePayload[] = [user("run `ls`"), { type: "text", role: "assistant", text: "ok" }];
    const { text, calls } = await ask(
      "Summarise the work. Put the summary into [summary]…[/summary]. No tools.",
      before,
    );
    expect(text).toMatch(/^\[summary\]\n[\s\S]*run `ls`[\s\S]*\n\[\/summary\]$/);
    expect(calls).toEqual([]);
  });

  it.each([
    ["fail with 401", { status: "auth" }],
    ["fail with 500", { status: "timeout" }],
    ["fail with 429", { status: "timeout", retry_after_ms: 2000 }],
    ["fail with 400", { status: "failed", refused: true }],
    ["fail with context", { status: "failed", context_too_long: true }],
    ["fail once", { status: "timeout" }],
    ["break off", { status: "malformed" }],
    ["run out of tokens", { status: "completed" }],
    ["say nothing", { status: "completed", empty: true }],
  ])("%s", async (prompt, expected) => {
    expect((await ask(prompt)).outcome).toMatchObject(expected);
  });

  it("EN7: stalls until it is stopped", async () => {
    const control = new AbortController();
    setTimeout(() => control.abort(), 30);
    const stalled = request({ history: [user("stall")], idle_timeout_ms: 0 });
    expect((await collect(demo(), stalled, control.signal)).outcome).toEqual({ status: "aborted" });
  });

  it("answers the same request with the same messages", async () => {
    const [a, b] = [await ask("run `echo 1`"), await ask("run `echo 1`")];
    expect(a.messages).toEqual(b.messages);
    expect(a.usage).toEqual(b.usage);
  });
});
