import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CompletePayload } from "../../lib/omni/message";
import { anthropicBody, mayThink } from "./anthropic-request";
import { request } from "./fixtures/collect";
import { geminiContents } from "./gemini-request";
import type { JsonObject } from "./json";
import { responsesBody } from "./responses-request";
import { signature } from "./testing/anthropic";
import { WIRES } from "./testing/vendor";
import { Verbatim } from "./verbatim";

const PNG = "data:image/png;base64,AAAA";
const user = (text: string): CompletePayload => ({ type: "text", role: "user", text });
const id = fc.constantFrom("a", "b", "f", "f#2", "call:x/1", "");
const words = fc.constantFrom("", " ", "x", "{}", "\n");
const payload: fc.Arbitrary<CompletePayload> = fc.oneof(
  words.map(user),
  words.map((text): CompletePayload => ({ type: "text", role: "assistant", text })),
  words.map((thinking): CompletePayload => ({ type: "thinking", role: "assistant", thinking })),
  words.map((thinking): CompletePayload => {
    const fidelity = { signature: signature(thinking), id: "rs_1" };
    return { type: "thinking", role: "assistant", thinking, fidelity };
  }),
  fc.tuple(id, words, words).map(([tool_call_id, args, name]): CompletePayload => {
    return { type: "tool_call", role: "assistant", name, arguments: args, tool_call_id };
  }),
  fc.tuple(id, words, fc.boolean()).map(([tool_call_id, output, seen]): CompletePayload => {
    return { type: "tool_call_output", role: "user", output, tool_call_id, ...(seen ? { images: [PNG] } : {}) };
  }),
  fc.constantFrom(PNG, "https://a.test/x.png", "data:image/bmp;base64,AAAA").map((image_url): CompletePayload => {
    return { type: "image_url", role: "user", image_url };
  }),
);
const histories = fc.array(payload, { maxLength: 14 }).map((rest) => [user("start"), ...rest]);
const wired = (body: unknown): JsonObject => JSON.parse(JSON.stringify(body));
const asked = (history: CompletePayload[]) =>
  request({ history, tools: [{ name: "f", description: "d" }], max_tokens: 9_000 });

describe("RS5: whatever the history, the request is legal", () => {
  const vision = fc.boolean();
  it("Responses", () => {
    fc.assert(
      fc.property(histories, vision, (history, sees) => {
        const body = responsesBody("m", asked(history), { vision: sees, caps: [], include: true }, new Verbatim());
        const wire = WIRES["openai-responses"];
        expect(wire.illegal(wired(body), { authorization: "x" }, "/v1/responses")).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("Messages, with and without a budget for thinking", () => {
    fc.assert(
      fc.property(histories, vision, (history, sees) => {
        const body = anthropicBody("m", asked(history), { vision: sees, caps: [], cache: true }, new Verbatim());
        if (!body) throw new Error("nothing to send");
        const thinking = mayThink(body.messages) ? { thinking: { type: "enabled", budget_tokens: 2048 } } : {};
        const headers = { authorization: "x", "anthropic-version": "x" };
        const wire = WIRES["anthropic-messages"];
        expect(wire.illegal(wired({ ...body, ...thinking }), headers, "/v1/messages")).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("Gemini, also where signatures are demanded and lost", () => {
    fc.assert(
      fc.property(histories, vision, (history, sees) => {
        const contents = geminiContents(asked(history), { vision: sees, caps: [], signed: true }, new Verbatim());
        const found = WIRES.gemini.illegal(wired({ contents }), { "x-goog-api-key": "x" }, "/v1beta/models/m");
        // An id that begins like its name is one of the vendor's own here.
        expect(found.filter((words) => !words.endsWith("made-up id"))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe("prompt caching in the Messages protocol", () => {
  const body = (history: CompletePayload[]) => {
    const made = anthropicBody("m", asked(history), { vision: true, caps: [], cache: true }, new Verbatim());
    if (!made) throw new Error("nothing to send");
    return made;
  };
  const said = (text: string): CompletePayload => ({ type: "text", role: "assistant", text });

  it("marks the system prompt and the ends of the last two turns of the user", () => {
    const made = body([user("1"), said("a"), user("2"), said("b"), user("3"), { ...user("x"), text: "4" }]);
    const marked = made.messages.flatMap(({ content }) => content.filter((block) => block.cache_control));
    expect(marked.map((block) => block.text)).toEqual(["2", "4"]);
    expect(JSON.stringify(made.system)).toContain('"cache_control":{"type":"ephemeral"}');
    expect(JSON.stringify(made.tools)).not.toContain("cache_control");
  });

  it("what was sent before is the beginning of what is sent next, marks aside", () => {
    const bare = (made: ReturnType<typeof body>) =>
      JSON.stringify(made.messages).replaceAll(/,"cache_control":\{[^}]*\}/g, "");
    const before = [user("1"), said("a"), user("2")];
    const next = [...before, said("b"), user("3")];
    expect(bare(body(next)).startsWith(bare(body(before)).slice(0, -1))).toBe(true);
    expect(JSON.stringify(body(before))).toBe(JSON.stringify(body(before)));
  });
});
