import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLlm } from "./adapters";
import { DEMO_MODEL, DEMO_PROVIDER } from "./demo";
import { CHAT_DONE, CHAT_USAGE, chatChunk, chatUsageChunk } from "./fixtures/chat-wire";
import { collect, request } from "./fixtures/collect";
import { startFakeProvider } from "./fixtures/fake-provider";
import { testModel } from "./probe";

describe("protocol -> adapter", () => {
  it("RS9: provider demo always resolves, whatever else its entry says", async () => {
    const model = { provider: DEMO_PROVIDER, model_id: DEMO_MODEL, client_type: "gemini" as const, api_key: "x" };
    const said = { type: "text" as const, role: "user" as const, text: "say hi" };
    const { outcome, messages } = await collect(createLlm(model), request({ history: [said] }));
    expect(outcome).toEqual({ status: "completed" });
    expect(messages).toMatchObject([{ text: "hi" }]);
  });

  it("start-up stays light: vendors' packages are imported with the first Request", () => {
    for (const file of readdirSync(import.meta.dirname).filter((name) => /^(?!.*\.test).*\.ts$/.test(name))) {
      const source = readFileSync(join(import.meta.dirname, file), "utf8");
      const eager = /^import (?!type )[^;]*from "(openai|@anthropic-ai|@google)/m.exec(source)?.[0];
      expect([file, eager]).toEqual([file, undefined]);
    }
  });
});

describe("testing a model", () => {
  const body =
    chatChunk({ content: "hel" }) +
    chatChunk({ content: "lo" }) +
    chatChunk({}, "stop") +
    chatUsageChunk(CHAT_USAGE) +
    CHAT_DONE;

  it("tells latency and time to the first token", async () => {
    const fake = await startFakeProvider();
    fake.reply({ body });
    const model = {
      provider: "p",
      model_id: "m",
      client_type: "openai-chat" as const,
      base_url: fake.url,
      api_key: "k-1234",
    };
    const result = await testModel(model);
    expect(result).toMatchObject({ ok: true, latency_ms: expect.any(Number), ttft_ms: expect.any(Number) });
    expect(fake.sent[0]?.authorization).toBe("Bearer k-1234");
    fake.reply({ status: 401, body: JSON.stringify({ error: { message: "wrong key k-1234" } }) });
    expect(await testModel(model)).toMatchObject({ ok: false, message: "401 wrong key [key]" });
    await fake.close();
    expect(await testModel(model)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/ECONNREFUSED|UND_ERR_SOCKET/),
    });
  });

  it("gives its connection back after a whole answer", async () => {
    const fake = await startFakeProvider();
    fake.reply({ body });
    const model = { provider: "p", model_id: "m", client_type: "openai-chat" as const, base_url: fake.url };
    for (let i = 0; i < 4; i += 1) await collect(createLlm(model));
    expect(fake.sent).toHaveLength(4);
    // One more is opened when a Request starts before the stream of the last one has ended.
    expect(fake.connections()).toBeLessThanOrEqual(2);
    await fake.close();
  });

  it("follows no redirect: the prompt would go to a host that nobody checked", async () => {
    const fake = await startFakeProvider();
    fake.reply({ status: 307, headers: { location: "http://elsewhere.invalid/v1" }, body: "" });
    const model = { provider: "p", model_id: "m", client_type: "openai-chat" as const, base_url: fake.url };
    expect(await testModel(model)).toMatchObject({ ok: false, message: expect.stringContaining("elsewhere.invalid") });
    await fake.close();
  });
});
