/**
 * The cases that every adapter must pass, whatever its protocol. An adapter's test says how the protocol spells an
 * answer (`Wire`) and calls `adapterConformance`.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CompletePayload } from "../../lib/omni/message";
import type { Llm } from "../engine/ports";
import { type Collected, collect, request } from "./fixtures/collect";
import { type FakeProvider, type Reply, startFakeProvider } from "./fixtures/fake-provider";

export type WirePart = { text: string } | { thinking: string } | { call: { id: string; name: string; args: string } };

export interface Wire {
  /** A whole streamed answer in several pieces; `end: "none"` stops before anything that says that it is over. */
  answer(parts: WirePart[], end: "stop" | "length" | "none"): string;
  /** The same with usage: 1,000 prompt tokens of which 800 were cached, 50 of output. */
  withUsage(parts: WirePart[]): string;
  /** Body of a failed HTTP answer. */
  error(kind: "auth" | "rate_limit" | "server" | "refused" | "context", message: string): string;
  /** An error inside a stream that began with 200, after some text. */
  errorInside(text: string, message: string): string;
}

const KEY = "sk-conformance-0123456789";
const JSON_TYPE = { "content-type": "application/json" };

/** Registers the suite. `open` makes the adapter for a provider at `url`. */
export function adapterConformance(name: string, wire: Wire, open: (url: string, key: string) => Llm): void {
  describe(`${name} conforms`, () => {
    let fake: FakeProvider;
    beforeAll(async () => {
      fake = await startFakeProvider();
    });
    afterAll(() => fake.close());
    const run = async (reply: Reply, change = {}, signal?: AbortSignal, onEvent?: () => void): Promise<Collected> => {
      fake.reply(reply);
      const result = await collect(open(fake.url, KEY), request(change), signal, onEvent);
      expect(result.faults).toEqual([]);
      return result;
    };
    proseCases(wire, run);
    callCases(wire, run);
    failureCases(wire, run);
    stopCases(wire, run);
    it("keeps every request legal", () => expect(fake.violations).toEqual([]));
  });
}

type Run = (reply: Reply, change?: object, signal?: AbortSignal, onEvent?: () => void) => Promise<Collected>;

function proseCases(wire: Wire, run: Run): void {
  it("FF 2.4: text streams and completes", async () => {
    const { messages, outcome } = await run({ body: wire.answer([{ text: "Grüße 🌍" }], "stop") });
    expect(outcome).toEqual({ status: "completed" });
    expect(messages).toMatchObject([{ type: "text", role: "assistant", text: "Grüße 🌍", stop_reason: "completed" }]);
  });
  it("PV22: characters split over writes change nothing", async () => {
    const body = wire.answer([{ thinking: "δ" }, { text: "你好 👩‍👩‍👧‍👦" }], "stop");
    const { messages } = await run({ body, chunk: 5 });
    expect(messages).toMatchObject([{ thinking: "δ" }, { text: "你好 👩‍👩‍👧‍👦" }]);
  });
  it("FF 2.7: thinking, text and calls keep their order, thinking its fidelity", async () => {
    const call = { id: "a", name: "exec_command", args: '{"cmd":"ls"}' };
    const { messages } = await run({ body: wire.answer([{ thinking: " hm\n" }, { text: "ok" }, { call }], "stop") });
    expect(messages.map((m) => m.type)).toEqual(["thinking", "text", "tool_call"]);
    expect(messages[0]).toMatchObject({ thinking: " hm\n", fidelity: expect.any(Object) });
  });
  it("FF 2.6: cached prompt tokens are read, the rest written", async () => {
    const { usage } = await run({ body: wire.withUsage([{ text: "x" }]) });
    expect(usage.at(-1)).toEqual({ cache_read: 800, cache_write: 200, output: 50, total: 1050 });
  });
  it("CP13: no usage, no usage event", async () => {
    expect((await run({ body: wire.answer([{ text: "x" }], "stop") })).usage).toEqual([]);
  });
  it("an answer cut by its length is completed, its text is not", async () => {
    const { messages, outcome } = await run({ body: wire.answer([{ text: "half a sen" }], "length") });
    expect(outcome.status).toBe("completed");
    expect(messages).toMatchObject([{ text: "half a sen", stop_reason: "failed" }]);
  });
  it("TP16: an empty answer is flagged and says nothing", async () => {
    const { messages, outcome } = await run({ body: wire.answer([], "stop") });
    expect(outcome).toEqual({ status: "completed", empty: true });
    expect(messages).toEqual([]);
  });
}

function callCases(wire: Wire, run: Run): void {
  const calls = (messages: CompletePayload[]) => messages.filter((m) => m.type === "tool_call");
  it("PV04: parallel calls stay apart", async () => {
    const parts = ["A", "B"].map((x) => ({ call: { id: `id_${x}`, name: "exec_command", args: `{"cmd":"${x}"}` } }));
    const { messages } = await run({ body: wire.answer(parts, "stop") });
    expect(calls(messages).map((c) => [c.tool_call_id, c.arguments])).toEqual([
      ["id_A", '{"cmd":"A"}'],
      ["id_B", '{"cmd":"B"}'],
    ]);
  });
  it("FF 2.3: an id the history has used gets a suffix", async () => {
    const used: CompletePayload[] = [
      { type: "text", role: "user", text: "x" },
      { type: "tool_call", role: "assistant", name: "f", arguments: "{}", tool_call_id: "f" },
      { type: "tool_call_output", role: "user", output: "1", tool_call_id: "f" },
    ];
    const body = wire.answer([{ call: { id: "f", name: "f", args: "{}" } }], "stop");
    expect(calls((await run({ body }, { history: used })).messages)[0]?.tool_call_id).toBe("f#2");
  });
  for (const args of ['{"cmd":"git commit -m \\"half', "", "[1]"]) {
    it(`EN6: arguments ${JSON.stringify(args)} arrive as they are`, async () => {
      const { messages, outcome } = await run({ body: wire.answer([{ call: { id: "a", name: "f", args } }], "stop") });
      expect(outcome.status).toBe("completed");
      expect(calls(messages)).toMatchObject([{ name: "f", arguments: args, stop_reason: "completed" }]);
    });
  }
  it("TP05: a stream cut inside a call does not complete it", async () => {
    const body = wire.answer([{ call: { id: "a", name: "f", args: '{"x' } }], "none");
    const { messages, outcome } = await run({ body, after: "cut" });
    expect(["timeout", "malformed"]).toContain(outcome.status);
    for (const call of calls(messages)) expect(call.stop_reason).toBe(outcome.status);
  });
}

function failureCases(wire: Wire, run: Run): void {
  it("EN4: 401 is auth, and the key is not in the message (AC3)", async () => {
    const body = wire.error("auth", `Incorrect API key provided: ${KEY}`);
    const { outcome } = await run({ status: 401, headers: JSON_TYPE, body });
    expect(outcome.status).toBe("auth");
    expect(outcome.error_message).not.toContain(KEY);
  });
  it("EN4: 429 is timeout and carries retry-after, at most 60 s", async () => {
    const reply = (after: string) => ({
      status: 429,
      headers: { ...JSON_TYPE, "retry-after": after },
      body: wire.error("rate_limit", "slow down"),
    });
    expect((await run(reply("2"))).outcome).toMatchObject({ status: "timeout", retry_after_ms: 2000 });
    expect((await run(reply("900"))).outcome).toMatchObject({ status: "timeout", retry_after_ms: 60_000 });
  });
  it("EN4: 5xx is timeout, also as HTML, with the provider's words", async () => {
    const json = await run({ status: 503, headers: JSON_TYPE, body: wire.error("server", "warming up") });
    expect(json.outcome).toMatchObject({ status: "timeout", error_message: expect.stringContaining("warming up") });
    const html = await run({ status: 502, headers: { "content-type": "text/html" }, body: "<h1>Bad Gateway</h1>" });
    expect(html.outcome).toMatchObject({ status: "timeout", error_message: "502 Bad Gateway" });
  });
  it("EN4: a refused prompt is refused", async () => {
    for (const status of [400, 404, 413, 422]) {
      const { outcome } = await run({ status, headers: JSON_TYPE, body: wire.error("refused", "no such thing") });
      expect(outcome).toMatchObject({ status: "failed", refused: true });
      expect(outcome.error_message).toContain("no such thing");
    }
  });
  it("EN4: a context that is too long is told apart", async () => {
    const { outcome } = await run({ status: 400, headers: JSON_TYPE, body: wire.error("context", "too long") });
    expect(outcome).toMatchObject({ status: "failed", context_too_long: true });
  });
  it("an error inside a 200 stream ends it, what was said stays", async () => {
    const { messages, outcome } = await run({ body: wire.errorInside("partial", "backend overloaded") });
    expect(outcome).toMatchObject({ status: "timeout", error_message: expect.stringContaining("backend overloaded") });
    expect(messages).toMatchObject([{ text: "partial", stop_reason: "timeout" }]);
  });
  it("FF 5.3: a stream that just ends is malformed", async () => {
    const { messages, outcome } = await run({ body: wire.answer([{ text: "hello" }], "none") });
    expect(outcome.status).toBe("malformed");
    expect(messages).toMatchObject([{ text: "hello", stop_reason: "malformed" }]);
  });
  it("FF 5.3: a broken connection is timeout", async () => {
    const { outcome } = await run({ body: wire.answer([{ text: "hello" }], "none"), after: "cut" });
    expect(outcome.status).toBe("timeout");
  });
}

function stopCases(wire: Wire, run: Run): void {
  it("PV28: silence ends as timeout", async () => {
    const body = wire.answer([{ text: "hello" }], "none");
    const { messages, outcome } = await run({ body, after: "hang" }, { idle_timeout_ms: 600 });
    expect(outcome.status).toBe("timeout");
    expect(messages).toMatchObject([{ text: "hello", stop_reason: "timeout" }]);
  });
  it("EN7: an abort ends a provider that ignores it", async () => {
    const control = new AbortController();
    const body = wire.answer([{ text: "hello" }], "none");
    const reply: Reply = { body, after: "hang" };
    const { messages, outcome } = await run(reply, { idle_timeout_ms: 0 }, control.signal, () => control.abort());
    expect(outcome).toEqual({ status: "aborted" });
    expect(messages).toMatchObject([{ type: "text", stop_reason: "aborted" }]);
  });
  it("EN7: an abort before the first byte", async () => {
    const control = new AbortController();
    control.abort();
    expect((await run({ body: "", after: "hang" }, {}, control.signal)).outcome).toEqual({ status: "aborted" });
  });
}
