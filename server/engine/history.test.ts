import { expect, it } from "vitest";
import type { CompletePayload } from "../../lib/omni/message";
import { legalHistory } from "./history";
import { argumentsProblem } from "./tool-calls";

const call = (args: string) => ({
  type: "tool_call" as const,
  role: "assistant" as const,
  name: "work",
  arguments: args,
  tool_call_id: "1",
});

it.each(["{", "[]", "5", "null", '"x"', '{"a":1}}'])(
  "EN6: %s is no JSON object; sent as {}, the original untouched",
  (args) => {
    const original = call(args);
    expect(argumentsProblem(original)).toMatch(/not (a|valid) JSON/);
    expect(legalHistory([original])).toEqual([{ ...original, arguments: "{}" }]);
    expect(original.arguments).toBe(args);
  },
);

it("EN6: the empty string counts as {}", () => {
  expect(argumentsProblem(call(""))).toBeNull();
  expect(legalHistory([call("")])).toEqual([call("{}")]);
});

it("TP16: a message without content is not sent, unless a provider payload hangs on it", () => {
  const empty: CompletePayload[] = [
    { type: "text", role: "assistant", text: "" },
    { type: "thinking", role: "assistant", thinking: "" },
  ];
  const opaque: CompletePayload = { type: "thinking", role: "assistant", thinking: "", fidelity: { signature: "s" } };
  expect(legalHistory([...empty, opaque])).toEqual([opaque]);
});
