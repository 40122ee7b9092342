/** The cases that every adapter must pass, whatever its protocol, against a strict fake vendor of that protocol. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ClientType } from "../../lib/model/protocol";
import type { CompletePayload } from "../../lib/omni/message";
import type { Llm } from "../engine/ports";
import { historyCases, type Run } from "./adapter-conformance-history";
import type { AdapterDeps } from "./call";
import { collect, request } from "./fixtures/collect";
import type { Reply } from "./fixtures/fake-provider";
import type { ModelConfig } from "./model-config";
import { startVendor, type Vendor, WIRES } from "./testing/vendor";
import type { Wire } from "./testing/wire";

const KEY = "sk-conformance-0123456789";
const JSON_TYPE = { "content-type": "application/json" };

type Open = (model: ModelConfig, deps?: AdapterDeps) => Llm;
/** Registers the suite. `open` makes the adapter of this protocol. */
export function adapterConformance(protocol: ClientType, open: Open): void {
  const wire = WIRES[protocol];
  describe(`${protocol} conforms`, () => {
    let vendor: Vendor;
    beforeAll(async () => {
      vendor = await startVendor(protocol);
    });
    afterAll(() => vendor.close());
    const model = () => ({
      provider: "fake",
      model_id: MODEL_IDS[protocol],
      client_type: protocol,
      base_url: vendor.baseUrl,
      api_key: KEY,
    });
    const run: Run = async (reply, change = {}, signal, onEvent) => {
      vendor.reply(reply);
      const result = await collect(open(model()), request({ idle_timeout_ms: 30_000, ...change }), signal, onEvent);
      expect(result.faults).toEqual([]);
      return result;
    };
    proseCases(wire, run);
    callCases(protocol, wire, run);
    failureCases(protocol, wire, run, () => vendor);
    stopCases(wire, run);
    historyCases(protocol, wire, run, () => vendor);
    it("keeps every request legal", () => expect(vendor.violations).toEqual([]));
  });
}

/** Names that tell each adapter which way of thinking to ask for. */
const MODEL_IDS: Record<ClientType, string> = {
  "openai-chat": "m",
  "openai-responses": "m",
  "anthropic-messages": "claude-sonnet-5",
  gemini: "gemini-3-pro",
};

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
    expect(messages[0]).toMatchObject({ thinking: " hm\n" });
    expect(messages.some((m) => "fidelity" in m && Object.keys(m.fidelity ?? {}).length > 0)).toBe(true);
  });
  it("FF 2.6: cached prompt tokens are read, the rest written", async () => {
    const said = { fresh: 200, cached: 800, created: 0, output: 50 };
    const { usage } = await run({ body: wire.answer([{ text: "x" }], "stop", said) });
    expect(usage.at(-1)).toEqual({ cache_read: 800, cache_write: 200, output: 50, total: 1050 });
  });
  it("UC10, UC11: cached, written and fresh input and output stay apart, whichever way the protocol counts", async () => {
    const said = { fresh: 3, cached: 13_216, created: 25, output: 12 };
    const { usage } = await run({ body: wire.answer([{ text: "x" }], "stop", said) });
    expect(usage.at(-1)).toMatchObject({ cache_read: 13_216, cache_write: 28, output: 12, total: 13_256 });
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

function callCases(protocol: ClientType, wire: Wire, run: Run): void {
  const named = protocol === "gemini";
  const calls = (messages: CompletePayload[]) => messages.filter((m) => m.type === "tool_call");
  it("PV04: parallel calls stay apart", async () => {
    const parts = ["A", "B"].map((x) => ({ call: { id: `id_${x}`, name: "exec_command", args: `{"cmd":"${x}"}` } }));
    const { messages } = await run({ body: wire.answer(parts, "stop") });
    // Without ids from the vendor, names tell the calls apart.
    const ids = named ? ["exec_command", "exec_command#2"] : ["id_A", "id_B"];
    expect(calls(messages).map((c) => [c.tool_call_id, c.arguments])).toEqual([
      [ids[0], '{"cmd":"A"}'],
      [ids[1], '{"cmd":"B"}'],
    ]);
  });
  const { interleaved } = wire;
  it.skipIf(!interleaved)(
    `PV04: fragments interleave${interleaved ? "" : " (skipped: calls come whole)"}`,
    async () => {
      const parts = ["AAA", "BBB"].map((x) => ({ id: `id_${x}`, name: "exec_command", args: `{"cmd":"${x}"}` }));
      const { messages } = await run({ body: interleaved?.(parts) ?? "" });
      expect(calls(messages).map((c) => c.arguments)).toEqual(['{"cmd":"AAA"}', '{"cmd":"BBB"}']);
    },
  );
  it("FF 2.7: text between two calls keeps its place", async () => {
    const call = (x: string) => ({ call: { id: `id_${x}`, name: "f", args: `{"x":"${x}"}` } });
    const parts = [{ text: "one" }, call("a"), { text: "two" }, call("b")];
    const { messages } = await run({ body: wire.answer(parts, "stop") });
    const said = messages.map((m) => (m.type === "text" ? m.text : m.type));
    // Chat completions have one text and a list of calls: where the text stood between them is not told.
    const loose = ["one", "two", "tool_call", "tool_call"];
    expect(said).toEqual(protocol === "openai-chat" ? loose : ["one", "tool_call", "two", "tool_call"]);
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
    const object = named && args !== "";
    it.skipIf(object)(
      `EN6: arguments ${JSON.stringify(args)} arrive as they are${object ? NOT_TEXT : ""}`,
      async () => {
        const { messages, outcome } = await run({
          body: wire.answer([{ call: { id: "a", name: "f", args } }], "stop"),
        });
        expect(outcome.status).toBe("completed");
        expect(calls(messages)).toMatchObject([{ name: "f", arguments: args, stop_reason: "completed" }]);
      },
    );
  }
  it("TP05: a stream cut inside a call does not complete it", async () => {
    const body = wire.answer([{ call: { id: "a", name: "f", args: '{"x' } }], "none");
    const { messages, outcome } = await run({ body, after: "cut" });
    expect(["timeout", "malformed"]).toContain(outcome.status);
    for (const call of calls(messages)) expect(call.stop_reason).toBe(outcome.status);
  });
}

/** Why some cases have no form in the Gemini protocol. */
const NOT_TEXT = " (skipped: arguments are an object on the wire, so they cannot be broken text)";

function failureCases(protocol: ClientType, wire: Wire, run: Run, vendor: () => Vendor): void {
  it("EN4: 401 is auth, and the key is not in the message (AC3)", async () => {
    const body = wire.error("auth", `Incorrect API key provided: ${KEY}`);
    for (const status of protocol === "gemini" ? [400, 401] : [401]) {
      const { outcome } = await run({ status, headers: JSON_TYPE, body });
      expect(outcome.status).toBe("auth");
      expect(outcome.error_message).toContain("Incorrect API key provided");
      expect(outcome.error_message).not.toContain(KEY);
    }
  });
  it("EN4: the package does not try again by itself", async () => {
    const before = vendor().sent.length;
    for (const status of [408, 409, 429, 500, 503]) {
      await run({ status, headers: JSON_TYPE, body: wire.error("server", "no") });
    }
    expect(vendor().sent.length - before).toBe(5);
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
