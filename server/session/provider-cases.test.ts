/** What a provider does, as a Session tells and records it. Real adapters, strict fake vendors. */
import { afterEach, expect, it } from "vitest";
import { costOf } from "../../lib/model/price";
import { CLIENT_TYPES, type ClientType } from "../../lib/model/protocol";
import { isEventOf } from "../../lib/omni/guards";
import { ScriptedLlm } from "../engine/testing/script";
import { createLlm } from "../llm/adapters";
import { startVendor, type Vendor } from "../llm/testing/vendor";
import { AGENT, idle, Reader, testServer, text } from "./testing/host";

const KEY = "sk-provider-0123456789abcdef";
const PRICE = { cache_read: 0.1, cache_write: 1, output: 2, cache_creation: 1.25 };
const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(cleanUp.splice(0).map((end) => end()));
});

async function conversation(client_type: ClientType) {
  const vendor: Vendor = await startVendor(client_type);
  const server = await testServer(new ScriptedLlm([]));
  cleanUp.push(
    () => vendor.close(),
    () => server.remove(),
  );
  const model = { client_type, base_url: vendor.baseUrl, api_key: KEY, pricing: PRICE };
  server.host.models.resolve = async (_, provider, model_id) => ({ provider, model_id, ...model });
  server.host.createLlm = (resolved) => createLlm(resolved);
  const session = await server.registry.create(AGENT, {}, { id: "ann" });
  const reader = new Reader();
  session.subscribe(null, reader);
  const ask = async (words: string) => {
    await session.submit({ id: words, parts: text(words), author: "ann" }, false);
    await idle(session);
    return server.records(session);
  };
  return { vendor, server, session, reader, ask };
}

it.each(CLIENT_TYPES)(
  "PV29 %s: a 422 is told, nothing runs on, the text comes back, the next prompt works",
  async (type) => {
    const { vendor, reader, ask } = await conversation(type);
    vendor.fail(422, "refused", "this conversation was converted wrongly");
    vendor.say([{ text: "fine" }]);
    const refused = await ask("please");
    expect(reader.state).toMatchObject({ state: "idle", error: { code: "refused", text: "please" } });
    expect(reader.state.error?.message).toContain("this conversation was converted wrongly");
    expect(refused.filter((r) => isEventOf(r, "request_end")).map((r) => r.payload)).toMatchObject([
      { status: "failed", refused: true, error_message: expect.stringContaining("converted wrongly") },
    ]);
    await ask("again");
    expect(reader.state).toEqual({ state: "idle" });
    // EN4: a refused prompt is in no later request.
    expect(vendor.sent.at(-1)?.raw).not.toContain("please");
    expect(vendor.violations).toEqual([]);
  },
);

it.each<[ClientType, object, number]>([
  // 17,903 in of which 17,817 cached, 50 out: the protocols that count the cached ones in.
  ["openai-chat", { fresh: 86, cached: 17_817, created: 0, output: 50 }, 0.0019677],
  ["openai-responses", { fresh: 86, cached: 17_817, created: 0, output: 50 }, 0.0019677],
  ["gemini", { fresh: 86, cached: 17_817, created: 0, output: 50 }, 0.0019677],
  // Input 3, read 13,216, written 25, output 12: the one that counts them apart.
  ["anthropic-messages", { fresh: 3, cached: 13_216, created: 25, output: 12 }, 0.00137985],
])("UC10, UC11 %s: every token is recorded once and costs its own price", async (type, said, usd) => {
  const { vendor, ask } = await conversation(type);
  vendor.say([{ text: "x" }], { fresh: 0, cached: 0, created: 0, output: 0, ...said });
  const usage = (await ask("count")).find((r) => isEventOf(r, "token_usage"));
  if (!usage || !isEventOf(usage, "token_usage")) throw new Error("no usage");
  const { request, price } = usage.payload;
  const input = request.cache_read + request.cache_write;
  expect([input, request.output]).toEqual(type === "anthropic-messages" ? [13_244, 12] : [17_903, 50]);
  expect(price).toEqual(PRICE);
  expect(costOf(request, PRICE)).toBeCloseTo(usd, 10);
});
