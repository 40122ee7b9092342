import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoint, normaliseBaseUrl } from "./base-url";
import { CHAT_DONE, chatChunk } from "./fixtures/chat-wire";
import { collect } from "./fixtures/collect";
import { type FakeProvider, startFakeProvider } from "./fixtures/fake-provider";
import { openAiChat } from "./openai-chat";
import { testModel } from "./probe";

describe("base URL", () => {
  let fake: FakeProvider;
  let host: string;
  beforeAll(async () => {
    fake = await startFakeProvider();
    host = new URL(fake.url).host;
  });
  afterAll(() => fake.close());

  it.each([
    ["http://HOST", "/v1/chat/completions"],
    ["http://HOST/v1", "/v1/chat/completions"],
    ["http://HOST/v1/", "/v1/chat/completions"],
    ["http://HOST/v1//", "/v1/chat/completions"],
    [" http://HOST/v1 ", "/v1/chat/completions"],
    ["http://HOST/v1/chat/completions", "/v1/chat/completions"],
    ["http://HOST/v1/chat/completions/", "/v1/chat/completions"],
    ["http://HOST/api/v1", "/api/v1/chat/completions"],
    ["http://HOST/openai?api-version=2", "/openai/chat/completions?api-version=2"],
    ["http://HOST/v1#part", "/v1/chat/completions"],
  ])("PV16, PV17: test and chat post %s to the same place", async (given, path) => {
    fake.sent.length = 0;
    fake.reply({ body: chatChunk({ content: "hi" }) + chatChunk({}, "stop") + CHAT_DONE });
    const base_url = given.replace("HOST", host);
    const model = { provider: "p", model_id: "m", client_type: "openai-chat" as const, base_url };
    expect((await collect(openAiChat(model))).outcome).toEqual({ status: "completed" });
    expect(await testModel(model)).toMatchObject({ ok: true });
    expect(fake.sent.map((s) => s.path)).toEqual([path, path]);
  });

  it.each([
    "127.0.0.1:9911/v1",
    "localhost:1/v1",
    "file:///etc/passwd",
    "ftp://x/v1",
    "",
    "  ",
    "https://",
    "http://u:p@x/v1",
  ])("PV16: refuses %j with a sentence, and so do test and chat", async (base_url) => {
    const refused = normaliseBaseUrl(base_url);
    expect(refused.ok).toBe(false);
    if (refused.ok || base_url.trim() === "") return;
    const model = { provider: "p", model_id: "m", client_type: "openai-chat" as const, base_url };
    const expected = { status: "failed", refused: true, error_message: refused.message };
    expect((await collect(openAiChat(model))).outcome).toEqual(expected);
    expect(await testModel(model)).toMatchObject({ ok: false, message: refused.message });
  });

  it.each([
    ["anthropic-messages", "https://api.anthropic.com", "https://api.anthropic.com"],
    ["anthropic-messages", "https://api.anthropic.com/", "https://api.anthropic.com"],
    ["anthropic-messages", "https://api.anthropic.com/v1", "https://api.anthropic.com"],
    ["anthropic-messages", "https://api.anthropic.com/v1//messages/", "https://api.anthropic.com"],
    ["anthropic-messages", "https://h.test/anthropic", "https://h.test/anthropic"],
    ["anthropic-messages", " https://h.test/anthropic/v1/messages?k=1 ", "https://h.test/anthropic?k=1"],
    ["gemini", "https://g.test", "https://g.test"],
    ["gemini", "https://g.test/v1beta/", "https://g.test"],
    ["gemini", "https://g.test/v1beta/models", "https://g.test"],
    ["gemini", "https://g.test/p/v1beta/models/m-1:streamGenerateContent", "https://g.test/p"],
    ["openai-responses", "https://o.test", "https://o.test/v1"],
    ["openai-responses", "https://o.test/v1/responses", "https://o.test/v1"],
    ["openai-responses", "https://o.test/v1/chat/completions", "https://o.test/v1"],
    ["openai-chat", "https://o.test/v1/responses", "https://o.test/v1"],
    ["openai-chat", "https://o.test/anthropic/v1/messages", "https://o.test/anthropic/v1/messages"],
  ] as const)("PV17: %s given as %s is %s", (protocol, given, url) => {
    expect(normaliseBaseUrl(given, protocol)).toEqual({ ok: true, url });
  });

  it("keeps the query beside the base", () => {
    expect(endpoint("https://x.test/openai?api-version=2")).toEqual({
      base: "https://x.test/openai",
      query: { "api-version": "2" },
    });
  });
});
