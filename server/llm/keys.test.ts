import { afterEach, describe, expect, it, vi } from "vitest";
import { CLIENT_TYPES, type ClientType } from "../../lib/model/protocol";
import { createLlm } from "./adapters";
import { collect, request } from "./fixtures/collect";
import type { Reply } from "./fixtures/fake-provider";
import { testModel } from "./probe";
import { AnswerMask } from "./secrets";
import { startVendor, type Vendor } from "./testing/vendor";

/** With characters that are spelt otherwise in JSON and in addresses. */
const MARKER = 'mk/"Zq7+marker=0123456789';
const SPELLINGS = [MARKER, JSON.stringify(MARKER).slice(1, -1), encodeURIComponent(MARKER)];
const JSON_TYPE = { "content-type": "application/json" };

const vendors: Vendor[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(vendors.splice(0).map((vendor) => vendor.close()));
});

/** What a vendor may do with a key it was given. */
function replies({ wire }: Vendor): Reply[] {
  const echo = `wrong key ${MARKER} (${encodeURIComponent(MARKER)})`;
  const refusal = (status: number, kind: "auth" | "rate_limit" | "server" | "refused" | "context"): Reply => ({
    status,
    headers: JSON_TYPE,
    body: wire.error(kind, echo),
  });
  return [
    refusal(401, "auth"),
    refusal(403, "auth"),
    refusal(400, "refused"),
    refusal(400, "context"),
    refusal(429, "rate_limit"),
    refusal(500, "server"),
    { status: 422, headers: JSON_TYPE, body: JSON.stringify({ detail: [{ loc: ["header"], input: MARKER }] }) },
    { status: 502, headers: { "content-type": "text/html" }, body: `<h1>Bad gateway</h1><p>${MARKER}</p>` },
    { status: 307, headers: { location: `http://elsewhere.test/?key=${encodeURIComponent(MARKER)}` }, body: "" },
    { body: wire.errorInside("some text", echo) },
    { body: `not a stream: ${MARKER}` },
    { body: `data: {oops ${MARKER}\n\n` },
    { headers: JSON_TYPE, body: JSON.stringify({ error: { message: echo } }) },
    { body: wire.answer([{ text: "half" }], "none"), after: "cut" },
    { body: wire.answer([{ text: "fine" }], "stop") },
  ];
}

/** An endpoint may repeat its key outside of an error too; the fake vendors cut each text in its middle. */
function echoes({ wire }: Vendor): Reply[] {
  const said = `before ${MARKER} between ${MARKER.slice(0, 9)} after`;
  const args = (cmd: string) => JSON.stringify({ cmd });
  const parts = [
    { thinking: said },
    { thinking: MARKER },
    { hidden: MARKER },
    { text: said },
    { text: MARKER },
    { call: { id: `call-${MARKER}`, name: "exec_command", args: args(`echo ${MARKER}`) } },
    { call: { id: "c2", name: `tool_${MARKER}`, args: args(MARKER) } },
  ];
  return [{ body: wire.answer(parts, "stop") }, { body: wire.answer(parts, "stop"), chunk: 7 }];
}

describe("KEYS, AC3: a key is in no answer, no error and no log line", () => {
  it.each(CLIENT_TYPES)("KEYS %s: whatever the provider echoes", async (client_type: ClientType) => {
    const logged: string[] = [];
    for (const method of ["log", "info", "warn", "error", "debug"] as const) {
      vi.spyOn(console, method).mockImplementation((...said) => void logged.push(said.map(String).join(" ")));
    }
    const vendor = await startVendor(client_type);
    vendors.push(vendor);
    const model = { provider: "p", model_id: "m", client_type, base_url: vendor.baseUrl, api_key: MARKER };
    const told: unknown[] = [];
    const all = replies(vendor);
    for (const reply of all) {
      vendor.reply(reply);
      told.push(await collect(createLlm(model), request({ idle_timeout_ms: 30_000 })));
    }
    vendor.reply(all[0] ?? { body: "" });
    told.push(await testModel(model));
    // It did go over the wire, in a header and nowhere else.
    expect(vendor.sent.length).toBeGreaterThanOrEqual(all.length);
    for (const { headers, raw, path } of vendor.sent) {
      expect(JSON.stringify(headers)).toContain(JSON.stringify(MARKER).slice(1, -1));
      for (const spelling of SPELLINGS) expect(raw + path).not.toContain(spelling);
    }
    await vendor.close();
    told.push(await collect(createLlm(model), request()));
    const outcomes = told.map((x) => JSON.stringify(x)).join("\n") + logged.join("\n");
    expect(outcomes).toContain("[key]");
    for (const spelling of SPELLINGS) {
      expect(outcomes).not.toContain(spelling);
      expect(outcomes).not.toContain(JSON.stringify(spelling).slice(1, -1));
    }
    expect(logged).toEqual([]);
  });

  it.each(CLIENT_TYPES)(
    "KEYS %s: an answer that holds the key, also over several deltas, is told without it",
    async (client_type) => {
      const vendor = await startVendor(client_type);
      vendors.push(vendor);
      const model = { provider: "p", model_id: "m", client_type, base_url: vendor.baseUrl, api_key: MARKER };
      for (const reply of echoes(vendor)) {
        vendor.reply(reply);
        const events: unknown[] = [];
        const told = await collect(createLlm(model), request());
        const stream = createLlm(model).stream(request(), new AbortController().signal);
        for (let step = await stream.next(); !step.done; step = await stream.next()) events.push(step.value);
        expect(told).toMatchObject({ outcome: { status: "completed" }, faults: [] });
        const calls = told.messages.filter((message) => message.type === "tool_call");
        expect(calls.map((call) => call.arguments)).toEqual(['{"cmd":"echo [key]"}', '{"cmd":"[key]"}']);
        const text = JSON.stringify([told, events]);
        expect(text).toContain(`before [key] between ${JSON.stringify(MARKER.slice(0, 9)).slice(1, -1)} after`);
        for (const spelling of SPELLINGS) {
          expect(text).not.toContain(spelling);
          expect(text).not.toContain(JSON.stringify(spelling).slice(1, -1));
        }
      }
    },
  );

  it("KEYS: what stands in the query of the address is a key too, the version of an API is not", async () => {
    const vendor = await startVendor("openai-chat");
    vendors.push(vendor);
    const base_url = `${vendor.baseUrl}?api-version=2024-10-21&token=tok-MARKER%2B99`;
    const model = { provider: "p", model_id: "m", client_type: "openai-chat" as const, base_url };
    vendor.say([{ text: "tok-MARKER%2B99 and tok-MARKER+99 for 2024-10-21" }]);
    const { messages } = await collect(createLlm(model), request());
    expect(vendor.sent.at(-1)?.path).toBe("/v1/chat/completions?api-version=2024-10-21&token=tok-MARKER%2B99");
    expect(messages).toMatchObject([{ text: "[key] and [key] for 2024-10-21" }]);
  });
});

describe("what is masked of an answer", () => {
  it("nothing without a key, with a short one, or with a word that stands for none", () => {
    for (const secrets of [[], ["short"], ["lm-studio"]]) expect(AnswerMask.of(secrets)).toBeNull();
  });

  it("arguments that spell the key with escapes would be run with the key: they are masked too", () => {
    const mask = AnswerMask.of([MARKER]);
    const escaped = `{"cmd":"echo \\u006d${JSON.stringify(MARKER).slice(2, -1).replace("/", "\\/")}","n":1.50}`;
    expect(mask?.args(escaped)).toBe('{"cmd":"echo [key]","n":1.5}');
    const plain = '{"cmd":"printf \\u0041","n":1.50}';
    expect(mask?.args(plain)).toBe(plain);
  });

  it("an answer that is stopped inside of the key shows nothing of it", async () => {
    const vendor = await startVendor("openai-chat");
    vendors.push(vendor);
    const model = { provider: "p", model_id: "m", client_type: "openai-chat" as const, base_url: vendor.baseUrl };
    vendor.reply({ body: vendor.wire.answer([{ text: `it is ${MARKER.slice(0, -1)}` }], "none"), after: "cut" });
    const { messages } = await collect(createLlm({ ...model, api_key: MARKER }), request());
    expect(messages).toMatchObject([{ text: "it is [key]" }]);
  });

  it("RS8 opaque data is the very same object unless the key stands in it, at any depth", () => {
    const mask = AnswerMask.of([MARKER]);
    const opaque = { signature: "abc", reasoning_details: [{ data: "x", n: 1.5 }], nothing: null };
    expect(mask?.fidelity(opaque)).toBe(opaque);
    const leaking = { ...opaque, reasoning_details: [{ data: `x${MARKER}`, [MARKER]: 1 }] };
    expect(mask?.fidelity(leaking)).toEqual({ ...opaque, reasoning_details: [{ data: "x[key]", "[key]": 1 }] });
  });
});
