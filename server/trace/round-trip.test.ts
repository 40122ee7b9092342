import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { event, file, info, meta, model, REF, SID, stream, temporaryRoot, turn } from "./fixtures/traces";
import { TraceStore } from "./store";

const PIXEL = "data:image/png;base64,iVBORw0KGgo=";
const counts = { cache_read: 1, cache_write: 2, output: 3, total: 6 };
const span = { reason: "manual", mode: "summarize" };

/** Every kind of record that there is, and some that there is not. */
const EVERYTHING = [
  info(),
  model({ type: "text", role: "user", text: "q", author: "ann", client_id: "c1" }),
  model({ type: "image_url", role: "user", image_url: PIXEL }),
  model({ type: "inline_data", role: "user", data: "AAAA", mime_type: "application/pdf" }),
  event({ type: "tool_list_ready", tools: [{ name: "x", description: "y", parameters: { type: "object" } }] }),
  event({ type: "mcp_connect_begin", servers: ["s"] }),
  event({ type: "mcp_connect_end", status: "completed", results: [] }),
  event({ type: "request_begin" }),
  model({ type: "thinking", role: "assistant", thinking: "", fidelity: { signature: "s", n: 1.0 } }),
  model({ type: "inline_thinking", role: "assistant", data: "AAAA", mime_type: "x/y" }),
  model({ type: "tool_call", role: "assistant", name: "x", arguments: '{"a": 1e400', tool_call_id: "c1" }),
  event({ type: "approval_decision", decision: "allow", tool_call_id: "c1", by: "ann", waited_ms: 5 }),
  event({ type: "subagent", session_id: "child", agent: "a" }),
  event({ type: "token_usage", session: counts, request: counts, price: { cache_read: 0, cache_write: 1, output: 2 } }),
  event({ type: "request_end", status: "completed", attempt: 2 }),
  model({ type: "tool_call_output", role: "user", output: "o", tool_call_id: "c1", images: [PIXEL] }),
  event({ type: "aux_usage", purpose: "title", provider: "p", model_id: "m", request: counts }),
  event({ type: "goal_finished", outcome: "complete", rounds: 1, tokens_used: 3 }),
  event({ type: "abort", reason: null }),
  event({ type: "compaction_begin", ...span, context: 5, turns: 1 }),
  event({ type: "compaction_end", ...span, status: "failed", error_message: "x" }),
  event({ type: "from_another_version", big: 1e300 }),
  model({ type: "hologram", role: "assistant" }),
];

test("IE04, IE10: own files of every kind (compaction, subagent, pictures) go out, come in on an empty data root and go out again equal, as index 001", async () => {
  const from = temporaryRoot();
  const first = file(
    meta(),
    ...EVERYTHING,
    ...turn("q", "a"),
    event({ type: "compaction_begin", ...span }),
    event({ type: "compaction_end", ...span, status: "completed" }),
  );
  const paths = [
    from.put(first),
    from.put(file(meta(), ...turn("[context_summary]\nx\n[/context_summary]", "b")), { index: 2 }),
  ];
  for (const path of paths) {
    const exported = readFileSync(path);
    const store = new TraceStore(temporaryRoot().disk);
    const outcome = await store.import(REF, stream(exported, 777), { acceptDamage: false, by: "ann", maxBytes: 1e6 });
    expect(outcome).toMatchObject({ ok: true, session_id: SID, index: 1, damaged: [] });
    const again = await store.openRaw(REF, SID, 1);
    expect(readFileSync(again?.path ?? "").equals(exported)).toBe(true);
    expect((await store.read(REF, SID, 1))?.damaged).toEqual([]);
    expect((await store.tasks(REF, SID))?.tasks.length).toBeGreaterThan(0);
  }
});
