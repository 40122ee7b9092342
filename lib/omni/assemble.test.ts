import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Assembler } from "./assemble";
import { model } from "./build";
import type { CompleteMessage, PartialMessage } from "./message";

const text = (event_type: "start" | "delta" | "stop", words: string): PartialMessage =>
  model({ type: "partial_text", role: "assistant", event_type, text: words });
const output = (id: string, event_type: "start" | "delta" | "stop", words: string, images?: string[]): PartialMessage =>
  model({
    type: "partial_tool_call_output",
    role: "user",
    event_type,
    output: words,
    tool_call_id: id,
    ...(images ? { images } : {}),
  });
const words = (message: PartialMessage) =>
  message.payload.type === "partial_text" ? message.payload.text : JSON.stringify(message.payload);

describe("Assembler", () => {
  it("an open fragment is a start with all deltas of any splitting", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 20 }), fc.nat(20), (deltas, asked) => {
        const assembler = new Assembler();
        assembler.push(text("start", ""));
        deltas.forEach((delta, index) => {
          assembler.push(text("delta", delta));
          if (index === asked) assembler.open(); // asking changes nothing
        });
        assembler.push(text("stop", ""));
        expect(assembler.open()).toMatchObject([{ payload: { event_type: "start", text: deltas.join("") } }]);
      }),
    );
  });

  it("the complete message closes its own fragment, not another call's or another child's", () => {
    const assembler = new Assembler();
    for (const id of ["a", "b"]) assembler.push(output(id, "start", id));
    assembler.push({ ...output("a", "start", "child"), origin: ["session-child"] });
    const done: CompleteMessage = model({ type: "tool_call_output", role: "user", output: "a", tool_call_id: "a" });
    assembler.complete(done);
    expect(assembler.open().map((message) => [message.origin, message.payload])).toMatchObject([
      [undefined, { output: "b" }],
      [["session-child"], { output: "child" }],
    ]);
    assembler.complete({ ...done, origin: ["session-child"] });
    expect(assembler.fragments().map((fragment) => fragment.message.payload)).toMatchObject([{ output: "b" }]);
  });

  it("a start on an open fragment replaces it; a delta without a start opens one", () => {
    const assembler = new Assembler();
    assembler.push(text("delta", "late"));
    expect(assembler.open().map(words)).toEqual(["late"]);
    assembler.push(text("start", "new"));
    expect(assembler.open().map(words)).toEqual(["new"]);
    assembler.clear();
    expect(assembler.open()).toEqual([]);
  });

  it("a call keeps the name of its start, an output the images of its deltas", () => {
    const assembler = new Assembler();
    const call = { type: "partial_tool_call", role: "assistant", tool_call_id: "c" } as const;
    assembler.push(model({ ...call, event_type: "start", name: "exec", arguments: "" }));
    assembler.push(model({ ...call, event_type: "delta", name: "", arguments: '{"a"' }));
    assembler.push(output("c", "start", ""));
    assembler.push(output("c", "delta", "x", ["data:1"]));
    expect(assembler.open().map((message) => message.payload)).toMatchObject([
      { name: "exec", arguments: '{"a"' },
      { output: "x", images: ["data:1"] },
    ]);
  });
});
