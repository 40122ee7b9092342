import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Answer } from "./answer";
import { CallIds } from "./call-ids";
import { ChatReader } from "./chat-reader";
import { CHAT_DONE, chatChunk, chatUsageChunk } from "./fixtures/chat-wire";
import { collect, request } from "./fixtures/collect";
import { STREAMS } from "./fixtures/streams";
import { isArgumentObject } from "./json";
import { openAiChat } from "./openai-chat";
import { SseDecoder } from "./sse";

const tools = [{ name: "exec_command", description: "run" }];

/** An adapter over a provider in memory that answers with these pieces. */
function over(...pieces: Uint8Array[]) {
  const body = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
  const model = {
    provider: "p",
    model_id: "m",
    client_type: "openai-chat" as const,
    base_url: "http://memory.invalid/v1",
  };
  return openAiChat(model, { fetch: async () => new Response(body()) });
}
function cutAt(bytes: Uint8Array, cuts: number[]): Uint8Array[] {
  const points = [0, ...cuts.map((c) => c % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return points.slice(1).map((end, i) => bytes.slice(points[i], end));
}

/** What the reader makes of these pieces, without the time at which. */
function heard(pieces: Uint8Array[]) {
  const answer = new Answer(new CallIds());
  const reader = new ChatReader(answer, new Set(["exec_command"]));
  const sse = new SseDecoder();
  for (const piece of pieces) for (const data of sse.push(piece)) reader.event(data);
  for (const data of sse.end()) reader.event(data);
  reader.end();
  answer.finish("completed", "completed");
  const { finish, ended, usage, failure, fault } = reader;
  const said = answer.take().flatMap((e) => (e.kind === "message" ? [e.message.payload] : []));
  return { said, finish, ended, usage, failure, fault, stray: sse.stray };
}

describe("streams of chat completions", () => {
  it.each(STREAMS)("$name", async ({ body, messages, status = "completed" }) => {
    const result = await collect(over(Buffer.from(body)), request({ tools }));
    expect(result.outcome.status).toBe(status);
    expect(result.messages).toMatchObject(messages);
    expect(result.messages).toHaveLength(messages.length);
    expect(result.faults).toEqual([]);
  });

  it("PV22: any chunking of any stream gives the same messages", () => {
    for (const { body, name } of STREAMS) {
      const bytes = Buffer.from(body);
      const whole = { name, ...heard([bytes]) };
      expect({ name, ...heard(cutAt(bytes, [...bytes.keys()])) }).toEqual(whole);
      const property = fc.property(fc.array(fc.nat(), { maxLength: 12 }), (cuts) => {
        expect({ name, ...heard(cutAt(bytes, cuts)) }).toEqual(whole);
      });
      fc.assert(property, { numRuns: 15 });
    }
  });

  it("RS5: a stream cut at any byte settles, and what it says is never a runnable half call", async () => {
    for (const { body } of STREAMS) {
      const bytes = Buffer.from(body);
      for (let end = 0; end < bytes.length; end += 89) {
        const { messages, outcome, faults } = await collect(over(bytes.subarray(0, end)), request({ tools }));
        expect(faults).toEqual([]);
        for (const m of messages) {
          if (m.type !== "tool_call" || m.stop_reason !== "completed") continue;
          expect(outcome.status).toBe("completed");
          expect(m.arguments === "" || isArgumentObject(m.arguments)).toBe(true);
        }
      }
    }
  });

  it.each<[string, object, object]>([
    [
      "cached",
      { prompt_tokens: 17903, completion_tokens: 50, prompt_tokens_details: { cached_tokens: 17817 } },
      { cache_read: 17817, cache_write: 86, output: 50, total: 17953 },
    ],
    [
      "hit and miss",
      { prompt_tokens: 100, completion_tokens: 5, prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 },
      { cache_read: 64, cache_write: 36, output: 5, total: 105 },
    ],
    [
      "reasoning counted apart",
      {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 35,
        completion_tokens_details: { reasoning_tokens: 20 },
      },
      { cache_read: 0, cache_write: 10, output: 25, total: 35 },
    ],
    [
      "reasoning inside the output",
      {
        prompt_tokens: 10,
        completion_tokens: 25,
        total_tokens: 35,
        completion_tokens_details: { reasoning_tokens: 20 },
      },
      { cache_read: 0, cache_write: 10, output: 25, total: 35 },
    ],
    [
      "cache creation",
      {
        prompt_tokens: 100,
        completion_tokens: 1,
        prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 40 },
      },
      { cache_read: 10, cache_write: 90, output: 1, total: 101, cache_creation: 40 },
    ],
  ])("FF 2.6: usage, %s", async (_name, usage, expected) => {
    const body = chatChunk({ content: "x" }) + chatChunk({}, "stop") + chatUsageChunk({ ...usage }) + CHAT_DONE;
    expect((await collect(over(Buffer.from(body)))).usage).toEqual([expected]);
  });

  it("FF 2.6: of several usage snapshots the last one wins; nothing but zeros is no usage (CP13)", async () => {
    const growing = [1, 2, 3].map((n) =>
      chatChunk({ content: "x" }, null, { usage: { prompt_tokens: 9, completion_tokens: n } }),
    );
    const ended = chatChunk({}, "stop", { usage: { prompt_tokens: 0, completion_tokens: 0 } }) + CHAT_DONE;
    const { usage } = await collect(over(Buffer.from(growing.join("") + ended)));
    expect(usage).toEqual([{ cache_read: 0, cache_write: 9, output: 3, total: 12 }]);
  });

  it("FF 5.2: a finish reason that has arrived wins over the abort", async () => {
    const control = new AbortController();
    const model = {
      provider: "p",
      model_id: "m",
      client_type: "openai-chat" as const,
      base_url: "http://memory.invalid/v1",
    };
    const body = new ReadableStream<Uint8Array>({
      start: (c) => c.enqueue(Buffer.from(chatChunk({ content: "all" }) + chatChunk({}, "stop"))),
    });
    const stream = openAiChat(model, { fetch: async () => new Response(body) }).stream(request(), control.signal);
    await stream.next();
    control.abort();
    let step = await stream.next();
    while (!step.done) step = await stream.next();
    expect(step.value).toEqual({ status: "completed" });
  });

  it("EN7: settles although fetch ignores the abort", async () => {
    const control = new AbortController();
    const model = {
      provider: "p",
      model_id: "m",
      client_type: "openai-chat" as const,
      base_url: "http://memory.invalid/v1",
    };
    setTimeout(() => control.abort(), 20);
    const deaf = openAiChat(model, { fetch: () => new Promise(() => {}) });
    expect((await collect(deaf, request({ idle_timeout_ms: 0 }), control.signal)).outcome).toEqual({
      status: "aborted",
    });
  });
});
