import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createTools } from "./registry";
import { type Bench, bench, runCall } from "./test-session";
import { defineTool } from "./tool";

let b: Bench;
beforeEach(async () => {
  b = await bench();
});
afterEach(() => b.cleanup());

describe("schemas", () => {
  it("offers the tools of FF 6.3 with their permissions", () => {
    expect(
      Object.fromEntries(b.tools.schemas().map((s) => [s.name, b.tools.permission({ name: s.name, arguments: "" })])),
    ).toEqual({
      read_file: "r",
      edit_file: "rw",
      write_file: "rw",
      exec_command: "rw",
      input_command: "rw",
      kill_command: "rw",
      describe_image: "r",
    });
    expect(b.tools.permission({ name: "no_such_tool", arguments: "" })).toBeNull();
    expect(b.tools.schemas()).toBe(b.tools.schemas());
  });

  it("asks for a description of a command, unless the entry says call_description: false", () => {
    const schema = b.tools.schemas().find((s) => s.name === "exec_command");
    expect(schema?.parameters).toMatchObject({ type: "object", required: ["description", "cmd"] });
    const plain = createTools({ ...b.context, entries: [{ name: "exec_command", call_description: false }] }).schemas();
    expect(plain).toHaveLength(1);
    expect(plain[0]?.parameters).toMatchObject({ required: ["cmd"] });
    expect(JSON.stringify(plain[0]?.parameters?.properties)).not.toContain("person who approves");
  });

  it("an entry's limits and permission win; unknown names are left out", async () => {
    const tools = createTools({
      ...b.context,
      entries: [{ name: "exec_command", maxOutputLength: 5, permission: "r" }, { name: "run_subagent" }],
    });
    expect(tools.schemas().map((s) => s.name)).toEqual(["exec_command"]);
    expect(tools.permission({ name: "exec_command", arguments: "" })).toBe("r");
    const { output } = await runCall(tools, "exec_command", { cmd: "printf 123456789" }, { id: "call_1" });
    expect(output).toMatch(/^12345\n\[output truncated: exceeded 5 chars\]\n\[output archived: /);
    // A call of the same id, from a context that nobody reads any more, keeps its own file.
    const again = await runCall(tools, "exec_command", { cmd: "printf abcdefghi" }, { id: "call_1" });
    const [first, second] = [output, again.output].map((text) => /archived: (.+)\]/.exec(text)?.[1] ?? "");
    expect(await Promise.all([first, second].map((path = "") => readFile(path, "utf8")))).toEqual([
      expect.stringContaining("123456789"),
      expect.stringContaining("abcdefghi"),
    ]);
  });
});

describe("framing", () => {
  it("start at once, deltas, stop, complete; the deltas are the output, notes included", async () => {
    const { messages, streamed, output } = await b.run("exec_command", {
      description: "d",
      cmd: "printf 'oops\\n'; exit 3",
    });
    const kinds = messages.map((m) =>
      m.type === "model_msg" && "event_type" in m.payload ? m.payload.event_type : m.type,
    );
    expect(kinds[0]).toBe("start");
    expect(kinds.slice(-2)).toEqual(["stop", "model_msg"]);
    expect(kinds.slice(1, -2).every((k) => k === "delta")).toBe(true);
    expect(output).toBe("oops\n\n[exit code: 3]");
    expect(streamed).toBe(output);
  });

  it("nothing at all is [no output]", async () => {
    const { output, streamed, stop_reason } = await b.run("exec_command", { cmd: "printf hi > hello.txt" });
    expect([output, streamed, stop_reason]).toEqual(["[no output]", "[no output]", "completed"]);
    expect(await readFile(join(b.workspace, "hello.txt"), "utf8")).toBe("hi");
  });
});

describe("EN6: arguments", () => {
  it.each(['{"cmd":"echo a', "[1]", '"x"', "null", "12"])("%s is explained, never run", async (args) => {
    const { output, stop_reason } = await b.run("exec_command", args);
    expect(stop_reason).toBe("failed");
    expect(output).toContain("was not run: its arguments");
  });
  it('"" counts as {}', async () => {
    const { output, stop_reason } = await b.run("exec_command", "");
    expect(stop_reason).toBe("failed");
    expect(output).toMatch(/not valid:\n- cmd: /);
  });
  it("null stands for a parameter that was not given; the description is not required to run", async () => {
    expect((await b.run("exec_command", { cmd: "echo a", workdir: null, yield_time_ms: null })).output).toBe("a\n");
  });
  it("unknown tool", async () => {
    const { output, stop_reason } = await b.run("no_such_tool", {});
    expect([output, stop_reason]).toEqual(["Unknown tool: no_such_tool", "failed"]);
  });
});

describe("priorities of FF 6.1", () => {
  const stubborn = defineTool({
    name: "stubborn",
    description: "",
    permission: "r",
    timeoutMs: 60,
    maxOutputLength: 100,
    params: { mode: z.string() },
    async run({ mode }, run) {
      run.out("partly");
      if (mode === "throw") throw new Error("boom");
      if (mode === "throw-on-abort") {
        await new Promise((resolve) => run.signal.addEventListener("abort", resolve));
        throw new Error("gave up");
      }
      if (mode === "hang") await new Promise(() => {});
      return { images: ["data:image/png;base64,AA=="], note: "[done]" };
    },
  });
  const tools = () => createTools({ ...b.context, more: [stubborn] });

  it("throw", async () => {
    const { output, stop_reason } = await runCall(tools(), "stubborn", { mode: "throw" });
    expect([output, stop_reason]).toEqual(["partly\n[tool error] boom", "failed"]);
  });
  it("timeout beats throw, and is not a stop by a person", async () => {
    const { output, stop_reason } = await runCall(tools(), "stubborn", { mode: "throw-on-abort" });
    expect([output, stop_reason]).toEqual(["partly\n[tool timeout: exceeded 60ms]", "failed"]);
  });
  it("a tool that ignores the timeout ends all the same", async () => {
    const { output } = await runCall(tools(), "stubborn", { mode: "hang" });
    expect(output).toBe("partly\n[tool timeout: exceeded 60ms]");
  });
  it("abort beats timeout", async () => {
    const control = new AbortController();
    setTimeout(() => control.abort(), 80);
    const { output, stop_reason } = await runCall(tools(), "stubborn", { mode: "hang" }, { signal: control.signal });
    expect([output, stop_reason]).toEqual(["partly\n[interrupted: tool aborted by user]", "aborted"]);
  });
  it("an abort that came before starts nothing", async () => {
    const { output, payload } = await runCall(tools(), "stubborn", { mode: "ok" }, { signal: AbortSignal.abort() });
    expect(output).toBe("[interrupted: tool aborted by user]");
    expect(payload.images).toBeUndefined();
  });
  it("images come with success only, whole, before the stop", async () => {
    const { payload, messages } = await runCall(tools(), "stubborn", { mode: "ok" });
    expect(payload.images).toEqual(["data:image/png;base64,AA=="]);
    expect(payload.output).toBe("partly\n[done]");
    expect(messages.at(-3)?.payload).toMatchObject({ event_type: "delta", images: payload.images });
  });
});
