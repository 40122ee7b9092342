import { describe, expect, it } from "vitest";
import {
  abortedInput,
  heldOver,
  interruptedOutput,
  outputsInCallOrder,
  refusedInput,
  retriedInput,
} from "./carry-over";
import { requestProblems } from "./history";
import type { CompletePayload } from "./message";

const user = (text: string): CompletePayload => ({ type: "text", role: "user", text });
const says = (text: string): CompletePayload => ({ type: "text", role: "assistant", text });
const call = (id: string): CompletePayload => ({
  type: "tool_call",
  role: "assistant",
  name: "run",
  arguments: "{}",
  tool_call_id: id,
});
const output = (id: string, text: string): CompletePayload => ({
  type: "tool_call_output",
  role: "user",
  output: text,
  tool_call_id: id,
});
const image: CompletePayload = { type: "image_url", role: "user", image_url: "data:x" };
const block = (text: string) => ({ type: "text", role: "user", text, stop_reason: "completed" });

describe("RS7: what a Request that was not committed leaves", () => {
  it("stopped: outputs, one block, images", () => {
    expect(
      abortedInput([user("go"), output("a", "1"), image], [call("b"), call("c"), output("c", "3"), output("b", "2")]),
    ).toEqual([
      output("a", "1"),
      block(
        [
          "[turn_aborted]",
          "  [user_input]go[/user_input]",
          '  [tool_call name="run" id="b"]{}[/tool_call]',
          '  [tool_call name="run" id="c"]{}[/tool_call]',
          '  [tool_call_output id="b" status="completed"]2[/tool_call_output]',
          '  [tool_call_output id="c" status="completed"]3[/tool_call_output]',
          "[/turn_aborted]",
        ].join("\n"),
      ),
      image,
    ]);
  });

  it("stopped in a new context: its summary stays what it is", () => {
    const summary = user("[context_summary]\ns\n[/context_summary]");
    expect(abortedInput([summary, user("a")], [])).toEqual([
      summary,
      block("[turn_aborted]\n  [user_input]a[/user_input]\n[/turn_aborted]"),
    ]);
  });

  it("blocks of earlier rounds give their lines", () => {
    const once = abortedInput([user("a")], [says("x")]);
    const twice = abortedInput([...once, ...retriedInput([user("b")], [says("y")])], []);
    expect(twice).toEqual([
      block(
        "[turn_aborted]\n  [user_input]a[/user_input]\n  [text]x[/text]\n  [user_input]b[/user_input]\n  [text]y[/text]\n[/turn_aborted]",
      ),
    ]);
  });

  it("nothing to tell: no block", () => {
    expect(abortedInput([output("a", "1")], [])).toEqual([output("a", "1")]);
    const unsigned: CompletePayload = {
      type: "thinking",
      role: "assistant",
      thinking: "",
      fidelity: { signature: "s" },
    };
    expect(retriedInput([user("a")], [unsigned, says("")])).toEqual([user("a")]);
  });

  it("EN4: refused: outputs and the summary stay", () => {
    const summary = user("[context_summary]\ns\n[/context_summary]");
    expect(refusedInput([summary, output("a", "1"), user("bad"), image])).toEqual({
      kept: [summary, output("a", "1")],
      dropped: [user("bad"), image],
    });
  });

  it("held over: a goal round loses its protocol, the rest is the same object", () => {
    const plain = user("x");
    const [goal, same] = heldOver([user("[goal]\nround: 1\n[/goal]\n\ndo"), plain]);
    expect(goal).toMatchObject({ text: expect.stringMatching(/^\[goal round 1 of an ended goal run.*\n\ndo$/) });
    expect(same).toBe(plain);
  });

  it("RS2: outputs in call order and first; the first of two; strangers go", () => {
    const input = [user("z"), output("b", "2"), output("a", "1"), output("a", "again"), output("x", "?")];
    expect(outputsInCallOrder(["a", "b"], input)).toEqual([output("a", "1"), output("b", "2"), user("z")]);
  });
});

describe("RS5: requestProblems", () => {
  it("accepts a legal conversation", () => {
    const legal = [user("a"), call("1"), call("2"), output("1", "x"), interruptedOutput("2", "exited"), user("b")];
    expect(requestProblems(legal)).toEqual([]);
  });

  it.each<[string, CompletePayload[], RegExp]>([
    ["nothing", [], /does not start/],
    ["starts with the model", [says("a"), user("b")], /does not start/],
    ["ends with the model", [user("a"), says("b")], /does not end/],
    ["a missing output", [user("a"), call("1"), user("b")], /outputs \[\] for calls \[1\]/],
    [
      "outputs out of order",
      [user("a"), call("1"), call("2"), output("2", ""), output("1", "")],
      /\[2,1\] for calls \[1,2\]/,
    ],
    ["an output behind text", [user("a"), call("1"), user("b"), output("1", "")], /behind other content/],
    ["an output without a call", [user("a"), output("1", "")], /outputs \[1\] for calls \[\]/],
    ["one id twice", [user("a"), call("1"), call("1"), output("1", ""), output("1", "")], /one call id twice/],
    ["an unfinished call", [user("a"), { ...call("1"), stop_reason: "aborted" }, output("1", "")], /not complete/],
  ])("refuses %s", (_what, payloads, problem) => {
    expect(requestProblems(payloads).join("\n")).toMatch(problem);
  });
});
