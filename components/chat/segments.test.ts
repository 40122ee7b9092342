import { describe, expect, it } from "vitest";
import type { ToolItem } from "@/lib/trace/transcript-items";
import { segmentsOf, toolState, withoutEchoes, workCounts } from "./segments";

const at = "2026-07-18T03:10:00.000Z";
const address = { file_index: 1, line: 1 };
const call = (name: string, more: Partial<ToolItem> = {}): ToolItem => ({
  kind: "tool",
  name,
  arguments: "{}",
  call_id: "c",
  at,
  started_at: at,
  address,
  streaming: false,
  ...more,
});
const allowed = { decision: "allow" as const, at };
const output = (stop_reason: "completed" | "failed" | "aborted") => ({
  output: { text: "x", images: [], stop_reason, at, address },
});

describe("what the line above a piece of work claims", () => {
  it("only what ended was done; what goes on is said to go on", () => {
    const items = [
      call("exec_command", { decision: allowed, ...output("completed") }),
      call("exec_command", { decision: allowed, ...output("failed") }),
      call("exec_command", { decision: allowed }),
      call("read_file", { decision: allowed, ...output("completed") }),
      call("edit_file"),
    ];
    expect(workCounts(items, true)).toEqual({
      done: { command: 2, read: 1 },
      going: { command: 1, edit: 1 },
      not_run: 0,
    });
  });

  it("what was denied, or was lost with the process, never ran", () => {
    const denied = { decision: { decision: "deny" as const, at }, ...output("aborted") };
    const items = [call("exec_command", denied), call("write_file", { decision: allowed })];
    expect(workCounts(items, false)).toEqual({ done: {}, going: {}, not_run: 2 });
  });

  it("a question that the server closed, because what asked it had ended, was denied by nobody", () => {
    const closed = (by: string) =>
      call("exec_command", { decision: { decision: "deny", at, by }, ...output("aborted") });
    const states = ["policy:shutdown", "policy:stopped", "ana"].map((by) =>
      toolState(closed(by), { waiting: false, active: false }),
    );
    expect(states).toEqual(["lost", "lost", "denied"]);
  });
});

it("ux 4: where a conversation came from is said once: above it, or by its own marker when it came from elsewhere", () => {
  const banner = { type: "model_switch" as const, session: "session-a", previous_model: "fake-1" };
  const prompt = { kind: "prompt" as const, text: "Go on", images: [], files: [], at, address };
  const segments = segmentsOf({ items: [{ kind: "banner", banner, at, address }, prompt], open: [] });
  expect(withoutEchoes(segments, "session-a")).toHaveLength(1);
  expect(withoutEchoes(segments, "session-b")).toHaveLength(2);
});
