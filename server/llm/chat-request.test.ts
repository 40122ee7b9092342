import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CompletePayload, ThinkingLevel } from "../../lib/omni/message";
import { COMMON_DIALECT, effortFor, learn } from "./chat-dialect";
import { chatBody, chatMessages } from "./chat-request";
import { CHAT_DONE, chatChunk } from "./fixtures/chat-wire";
import { collect, request } from "./fixtures/collect";
import { startFakeProvider } from "./fixtures/fake-provider";
import { openAiChat } from "./openai-chat";
import { chatIllegal } from "./testing/chat";

const user = (text: string): CompletePayload => ({ type: "text", role: "user", text });
const said = (text: string): CompletePayload => ({ type: "text", role: "assistant", text });
const thought = (thinking: string, reasoning_field: string): CompletePayload => ({
  type: "thinking",
  role: "assistant",
  thinking,
  fidelity: { reasoning_field },
});
const call = (tool_call_id: string, args = "{}", name = "f"): CompletePayload => ({
  type: "tool_call",
  role: "assistant",
  name,
  arguments: args,
  tool_call_id,
});
const output = (tool_call_id: string, text: string, images?: string[]): CompletePayload => ({
  type: "tool_call_output",
  role: "user",
  output: text,
  tool_call_id,
  ...(images ? { images } : {}),
});
const messages = (history: CompletePayload[], vision = true) => chatMessages("", history, vision, false);

describe("history -> chat messages", () => {
  it("merges neighbours of one role and leaves out what is blank", () => {
    expect(messages([user("a"), user(" "), user("b"), said("c"), user("d")])).toEqual([
      { role: "user", content: "a\n\nb" },
      { role: "assistant", content: "c" },
      { role: "user", content: "d" },
    ]);
  });

  it("TP16: an assistant turn without content is no message, and its neighbours merge", () => {
    expect(messages([user("a"), thought("hm", "reasoning"), said(""), user("b")])).toEqual([
      { role: "user", content: "a\n\nb" },
    ]);
  });

  it("RS2: outputs follow their calls in call order, before everything else; images follow as the user's", () => {
    const png = "data:image/png;base64,AAAA";
    const sent = messages([user("x"), call("a"), call("b"), user("steer"), output("b", "2", [png]), output("a", "")]);
    expect(sent.slice(2)).toEqual([
      { role: "tool", tool_call_id: "a", content: "[no output]" },
      { role: "tool", tool_call_id: "b", content: "2" },
      {
        role: "user",
        content: [
          { type: "text", text: "Image from tool call b:" },
          { type: "image_url", image_url: { url: png } },
          { type: "text", text: "steer" },
        ],
      },
    ]);
  });

  it("EN6: arguments that are no object go out as {}, good ones to the letter", () => {
    const odd = ['{"cmd":"half', "", "[1]", "null", '{ "a" : 1.0 }'];
    const sent = messages([
      user("x"),
      ...odd.map((args, i) => call(`c${i}`, args)),
      ...odd.map((_, i) => output(`c${i}`, "o")),
    ]);
    const args =
      sent[1] && "tool_calls" in sent[1] ? sent[1].tool_calls?.map((c) => "function" in c && c.function.arguments) : [];
    expect(args).toEqual(["{}", "{}", "{}", "{}", '{ "a" : 1.0 }']);
  });

  it("FF 2.3: suffixes of ids are stripped, unless the ids of one message would collide", () => {
    const sent = messages([
      user("x"),
      call("f"),
      call("f#2"),
      output("f", "1"),
      output("f#2", "2"),
      call("f#3"),
      output("f#3", "3"),
    ]);
    expect(sent.filter((m) => m.role === "tool").map((m) => m.tool_call_id)).toEqual(["f", "f#2", "f"]);
  });

  it("TH: thinking goes back into the field it came from, inline thinking to where it stood", () => {
    const [, turn] = messages([user("x"), thought(" a\n", "reasoning_content"), call("c"), output("c", "o")]);
    expect(turn).toMatchObject({ content: null, reasoning_content: " a\n" });
    const [, inline] = messages([user("x"), thought("plan", "content"), said("4."), user("y")]);
    expect(inline).toEqual({ role: "assistant", content: "<think>plan</think>4." });
  });

  it("TH: fields that are no thinking fields are never set from a Trace, foreign fidelity is not sent", () => {
    const foreign: CompletePayload = {
      type: "thinking",
      role: "assistant",
      thinking: "x",
      fidelity: { signature: "s", id: "rs_1" },
    };
    const sent = messages([
      user("x"),
      thought("evil", "tool_calls"),
      thought("evil", "role"),
      foreign,
      said("ok"),
      user("y"),
    ]);
    expect(sent[1]).toEqual({ role: "assistant", content: "ok" });
  });

  it("TH: once a model speaks reasoning_content, its calls without thinking carry an empty one", () => {
    const sent = messages([
      user("x"),
      thought("a", "reasoning_content"),
      call("c"),
      output("c", "o"),
      call("d"),
      output("d", "o"),
    ]);
    expect(sent[3]).toMatchObject({ role: "assistant", reasoning_content: "" });
  });

  it("a model without vision gets a line instead of an image", () => {
    const [sent] = messages([{ type: "image_url", role: "user", image_url: "data:image/png;base64,AA" }], false);
    expect(sent?.content).toMatch(/^\[an image was left out/);
  });

  it("the same history gives the same bytes (prompt caching)", () => {
    const asked = request({ history: [user("a"), said("b"), user("c")], tools: [{ name: "f", description: "d" }] });
    const body = () => JSON.stringify(chatBody("m", asked, COMMON_DIALECT, { vision: true }));
    expect(body()).toBe(body());
    const longer = { ...asked, history: [...asked.history, said("d"), user("e")] };
    const shorter = JSON.stringify(chatBody("m", asked, COMMON_DIALECT, { vision: true }).messages).slice(0, -1);
    expect(JSON.stringify(chatBody("m", longer, COMMON_DIALECT, { vision: true }).messages).startsWith(shorter)).toBe(
      true,
    );
  });

  it("RS5: whatever the history, the request is legal", () => {
    const id = fc.constantFrom("a", "b", "f", "f#2", "");
    const words = fc.constantFrom("", " ", "x", "{}");
    const payload: fc.Arbitrary<CompletePayload> = fc.oneof(
      words.map(user),
      words.map(said),
      fc.tuple(words, fc.constantFrom("reasoning", "content", "x")).map(([t, f]) => thought(t, f)),
      fc.tuple(id, words, words).map(([i, args, name]) => call(i, args, name)),
      fc.tuple(id, words).map(([i, text]) => output(i, text)),
    );
    fc.assert(
      fc.property(fc.array(payload, { maxLength: 14 }), (history) => {
        const sent = messages([user("start"), ...history]);
        expect(chatIllegal(JSON.parse(JSON.stringify({ messages: sent })))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe("optional fields", () => {
  it("max_tokens: left out when absent, capped by the model's own bound", () => {
    const body = (max_tokens: number | undefined, cap?: number) =>
      chatBody("m", request({ max_tokens }), COMMON_DIALECT, { vision: true, cap }).max_tokens;
    expect([body(undefined, 5), body(100), body(100, 5), body(100, -1)]).toEqual([undefined, 100, 5, 100]);
  });

  it.each<[ThinkingLevel, string, unknown[]]>([
    ["max", "reasoning_effort: unsupported value", ["max", "xhigh", "high", undefined]],
    ["medium", "Unrecognized request argument supplied: reasoning_effort", ["medium", undefined]],
    ["none", "invalid reasoning_effort", ["none", undefined]],
  ])("level %s degrades until the endpoint takes it", (level, words, expected) => {
    const seen: unknown[] = [];
    for (
      let dialect: typeof COMMON_DIALECT | null = COMMON_DIALECT;
      dialect;
      dialect = learn(dialect, level, 400, words)
    ) {
      seen.push(effortFor(level, dialect));
    }
    expect(seen).toEqual(expected);
  });

  it("a refusal about something else teaches nothing", () => {
    expect(learn(COMMON_DIALECT, "high", 400, "fake 400")).toBeNull();
    expect(learn(COMMON_DIALECT, "high", 500, "reasoning_effort")).toBeNull();
  });

  it("learns from refusals, asks again at once, and remembers", async () => {
    const fake = await startFakeProvider();
    const refusal = (message: string) => ({ status: 400, body: JSON.stringify({ error: { message } }) });
    const good = { body: chatChunk({ content: "ok" }) + chatChunk({}, "stop") + CHAT_DONE };
    fake.reply(
      refusal("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
      refusal("stream_options is not permitted"),
      refusal("reasoning_effort is not supported with this model"),
      good,
    );
    const model = { provider: "p", model_id: "m", client_type: "openai-chat" as const, base_url: fake.url };
    const asked = request({ max_tokens: 7, thinking_level: "medium" });
    expect((await collect(openAiChat(model), asked)).outcome).toEqual({ status: "completed" });
    expect((await collect(openAiChat(model), asked)).outcome).toEqual({ status: "completed" });
    expect(fake.sent).toHaveLength(5);
    const last = fake.sent.at(-1);
    expect(last?.body).toMatchObject({ max_completion_tokens: 7, stream: true });
    for (const field of ["max_tokens", "stream_options", "reasoning_effort"])
      expect(last?.body).not.toHaveProperty(field);
    expect(last?.authorization).toBeUndefined();
    await fake.close();
  });
});
