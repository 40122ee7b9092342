import { expect, it, describe as suite } from "vitest";
import type { OmniMessage } from "../omni/message";
import { describe } from "./describe";
import { firstLine, hasElided } from "./fields";

// Records of a file are whatever the file holds: the tests speak JSON, not the types.
const record = (json: object): OmniMessage =>
  JSON.parse(JSON.stringify({ timestamp: "2026-01-01T00:00:00Z", type: "event_msg", ...json }));

suite("describe: one line about one record", () => {
  it("tells a person's prompt, a machine's text and an answer apart", () => {
    const text = (payload: object) => describe(record({ type: "model_msg", payload: { type: "text", ...payload } }));
    expect(text({ role: "user", text: "\n  Hello \n there" })).toMatchObject({ kind: "prompt", summary: "Hello" });
    expect(text({ role: "user", sender: "goal", text: "x" }).label).toEqual({ words: "trace.machine_text" });
    expect(text({ role: "assistant", text: "Hi", stop_reason: "completed" })).toEqual({
      kind: "answer",
      label: { words: "trace.answer" },
      summary: "Hi",
    });
  });

  it("marks every end but the ordinary one", () => {
    const end = (status: string) => describe(record({ payload: { type: "request_end", status, retry_in_ms: 2000 } }));
    expect(end("completed").mark).toBeUndefined();
    expect(end("timeout").mark).toEqual({ text: "timeout", tone: "attention" });
    expect(end("failed").mark).toEqual({ text: "failed", tone: "danger" });
    expect(end("failed").summary).toMatchObject({ words: "trace.retry_in", params: { wait: "2 s" } });
  });

  it("shows unknown types by their own name and keeps their fields in sight", () => {
    const unknown = describe(record({ payload: { type: "weather_report", sky: "blue" } }));
    expect(unknown).toEqual({ kind: "other", label: "weather_report", summary: '{"sky":"blue"}' });
  });

  it("survives members of the wrong type and shortened strings", () => {
    expect(describe(record({ type: "model_msg", payload: { type: "text", role: 7, text: 5 } })).summary).toBe("");
    expect(describe(record({ payload: { type: "token_usage", request: "many" } })).kind).toBe("usage");
    const long = record({
      type: "model_msg",
      payload: { type: "tool_call_output", output: { $elided: { bytes: 99999, head: "total 4\nx" } } },
    });
    expect(describe(long).summary).toBe("total 4");
    expect(hasElided(long)).toBe(true);
    expect(hasElided(record({ payload: { type: "x", list: [{ a: null }] } }))).toBe(false);
  });

  it("firstLine looks at the head of a long line only", () => {
    expect(firstLine("x".repeat(10_000_000)).length).toBe(240);
  });
});
