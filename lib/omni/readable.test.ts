import { describe, expect, it } from "vitest";
import { isOmniMessage } from "./guards";
import { completePayload, eventPayload, type OmniMessage, sessionMetaPayload } from "./message";
import { readable } from "./readable";

const counts = { cache_read: 1, cache_write: 2, output: 3, total: 6 };
const price = { cache_read: 1, cache_write: 1, output: 1 };
const ref = { agent: "a", session_id: "s" };
const ending = { stop_reason: "completed", fidelity: { a: 1 } };
const input = { sender: "server", author: "ana", client_id: "c" };

/** One of each kind with every field that `message.ts` knows. */
const EVENTS: Record<string, unknown>[] = [
  { type: "request_begin" },
  {
    type: "request_end",
    status: "failed",
    error_message: "e",
    attempt: 1,
    retry_in_ms: 1,
    refused: true,
    context_too_long: true,
    over_budget: true,
  },
  { type: "approval_decision", decision: "allow", tool_call_id: "1", by: "ana", waited_ms: 1 },
  { type: "token_usage", session: counts, request: counts, price, user: "ana", estimated: true },
  { type: "compaction_begin", reason: "context", mode: "summarize", context: 1, turns: 1 },
  { type: "compaction_end", reason: "context", mode: "summarize", status: "completed", attempt: 1, error_message: "e" },
  { type: "abort", reason: "r", by: "ana" },
  { type: "subagent", session_id: "s", agent: "a" },
  { type: "goal_finished", outcome: "complete", rounds: 1, tokens_used: 1 },
  { type: "tool_list_ready", tools: [{ name: "n", description: "d" }] },
  { type: "mcp_connect_begin" },
  { type: "mcp_connect_end" },
  {
    ...{ type: "session_info", title: null, archived: false, approval_mode: "read-only", thinking_level: null },
    ...{ visibility: "team", by: "ana" },
  },
  { type: "aux_usage", purpose: "title", provider: "p", model_id: "m", request: counts, price, user: "ana" },
];
const CONTENT: Record<string, unknown>[] = [
  { type: "text", role: "user", text: "t", ...ending, ...input },
  { type: "image_url", role: "user", image_url: "u", stop_reason: "completed", ...input },
  { type: "inline_data", role: "user", data: "d", mime_type: "m", ...ending, ...input },
  { type: "thinking", role: "assistant", thinking: "t", ...ending },
  { type: "inline_thinking", role: "assistant", data: "d", mime_type: "m", ...ending },
  { type: "tool_call", role: "assistant", name: "n", arguments: "{}", tool_call_id: "1", ...ending },
  { type: "tool_call_output", role: "user", output: "o", tool_call_id: "1", images: ["i"], stop_reason: "completed" },
];
const META: Record<string, unknown> = {
  ...{ session_id: "s", provider: "p", model_id: "m", model_context_window: 1, system_prompt: "p", tools: [] },
  ...{ agent_state: "/a", workspace: "/w", source: "schedule", client_id: "c", endpoint: "e", created_by: "ana" },
  forked_from: { ...ref, file_index: 1, line: 1, copied_lines: 1 },
  ...{ switched_from: ref, handoff_from: ref, parent: { ...ref, tool_call_id: "1" } },
};
const KINDS = [
  ...EVENTS.map((payload) => ({ type: "event_msg", payload, schema: eventPayload })),
  ...CONTENT.map((payload) => ({ type: "model_msg", payload, schema: completePayload })),
  { type: "session_meta", payload: META, schema: sessionMetaPayload },
];

function record(type: string, payload: object): OmniMessage {
  const value: unknown = { timestamp: "t", type, payload };
  if (!isOmniMessage(value)) throw new Error("no record");
  return value;
}

describe("what a fold can read is what the schemas of message.ts describe", () => {
  it.each(KINDS.map((kind) => [String(kind.payload.type ?? kind.type), kind] as const))("%s", (_name, kind) => {
    const { type, payload, schema } = kind;
    expect(schema.safeParse(payload).success).toBe(true);
    const sound = record(type, payload);
    expect(readable(sound)).toBe(sound);
    for (const field of Object.keys(payload).filter((name) => name !== "type")) {
      const { [field]: _, ...without } = payload;
      const optional = schema.safeParse(without).success;
      expect(readable(record(type, without)) !== null, `without ${field}`).toBe(optional);
      const odd = { ...payload, [field]: Number.NaN };
      expect(schema.safeParse(odd).success, `odd ${field}`).toBe(false);
      expect(readable(record(type, odd))?.payload ?? null, `odd ${field}`).toEqual(optional ? without : null);
    }
  });

  it("covers every kind", () => {
    const known = [...eventPayload.options, ...completePayload.options].map((option) => option.shape.type.value);
    expect(KINDS.flatMap(({ payload }) => payload.type ?? []).sort()).toEqual(known.sort());
    for (const { payload, schema } of KINDS) {
      const options = "options" in schema ? schema.options : [schema];
      const shape = options.find(
        (option) => !("type" in option.shape) || option.shape.type.value === payload.type,
      )?.shape;
      expect(Object.keys(shape ?? {}).sort()).toEqual(Object.keys(payload).sort());
    }
  });
});
