import { describe, expect, it } from "vitest";
import type { OmniMessage } from "../omni/message";
import {
  abort,
  begin,
  call,
  compactionBegin,
  compactionEnd,
  decision,
  end,
  items,
  kinds,
  of,
  output,
  say,
  text,
  tool,
  usage,
  user,
} from "./fixtures/conversation";
import { push } from "./transcript";

describe("transcript: what becomes of each record", () => {
  it("P2 keeps a long text that was streamed here when its record comes shortened, and takes the short form otherwise", () => {
    const long = "ä".repeat(40_000);
    const shortened = (bytes: number) => {
      const [record, ...fragments] = text(long).reverse();
      if (!record) throw new Error();
      const payload = { ...record.payload, text: { $elided: { bytes, head: "ä" } } };
      return [...fragments.reverse(), { ...record, payload } as unknown as OmniMessage];
    };
    expect(items(of(user("q"), begin(), shortened(80_000)))[1]).toMatchObject({ kind: "text", text: long });
    expect(items(of(user("q"), begin(), shortened(80_001)))[1]).toMatchObject({ text: { bytes: 80_001, head: "ä" } });
  });

  it("UC13 a context that the provider finds too long is full, until a Request fits or it is compacted", () => {
    const tooLong = [user("b"), begin(), end("failed", { refused: true, context_too_long: true }), abort()];
    const full = [user("a"), begin(), usage(62), end(), ...tooLong];
    expect(of(full)).toMatchObject({ context: 248, context_full: true });
    expect(of(full, user("c"), begin(), usage(70), end())).toMatchObject({ context: 280, context_full: false });
    const compacted = [compactionBegin(), user("sum up"), begin(), usage(9), end(), compactionEnd()];
    expect(of(full, ...compacted)).toMatchObject({ context: null, context_full: false });
    const failed = [compactionBegin(), begin(), end("failed", { context_too_long: true }), compactionEnd("failed")];
    expect(of(full, ...failed)).toMatchObject({ context: 248, context_full: true });
  });

  it("joins the parts of one send and shows its marker as a banner", () => {
    const t = of(
      user("[model_switch_from]\nsession: session-1 (Old title)\nprevious_model: m1\n[/model_switch_from]", {
        client_id: "c",
      }),
      user("go on\n[attached file: /d/scratchpad/s1/a.pdf]", { client_id: "c", author: "ana" }),
      say("model_msg", { type: "image_url", role: "user", image_url: "data:image/png;base64,AA==", client_id: "c" }),
    );
    expect(items(t)).toMatchObject([
      {
        kind: "banner",
        banner: { type: "model_switch", session: "session-1", title: "Old title", previous_model: "m1" },
      },
      {
        kind: "prompt",
        text: "go on",
        author: "ana",
        files: ["/d/scratchpad/s1/a.pdf"],
        images: ["data:image/png;base64,AA=="],
      },
    ]);
  });

  it("shows an attachment line that names another folder as plain text", () => {
    expect(items(of(user("[attached file: /etc/passwd]")))).toMatchObject([
      { text: "[attached file: /etc/passwd]", files: [] },
    ]);
  });

  it("reads the angle form of old markers, but not of steering", () => {
    expect(kinds(of(user("<use_skills>\nskills: a, b\n</use_skills>\n\nhi")))).toEqual(["banner", "prompt"]);
    expect(kinds(of(user("<user_steering>\nx\n</user_steering>")))).toEqual(["prompt"]);
  });

  it("P8 keeps who decided, and how long it was waited for", () => {
    const t = of(user("q"), begin(), call("c1"), decision("c1", "deny", { by: "ana", waited_ms: 900 }), end());
    expect(tool(t).decision).toMatchObject({ decision: "deny", by: "ana", waited_ms: 900 });
    expect(t.tasks[0]?.stats.waited_ms).toBe(900);
  });

  it("gives outputs to their calls in whatever order they come", () => {
    const t = of(user("q"), begin(), call("c1"), call("c2"), end(), output("c2", "two"), output("c1", "one"));
    expect(items(t).slice(1)).toMatchObject([
      { call_id: "c1", output: { text: "one" } },
      { call_id: "c2", output: { text: "two" } },
    ]);
  });

  it("shows the output of an unknown call, and a second output, as raw records", () => {
    const t = of(user("q"), begin(), call("c1"), output("c1", "a"), output("c1", "b"), output("zz", "c"), end());
    expect(kinds(t)).toEqual(["prompt", "tool", "raw", "raw"]);
  });

  it("tells a call whose arguments stream, one that runs, and its live output", () => {
    const streaming = of(user("q"), begin(), call("c1").slice(0, 2));
    expect(streaming.tasks[0]?.open).toMatchObject([
      { kind: "tool", name: "exec_command", arguments: '{"cmd":', streaming: true },
    ]);
    const running = of(user("q"), begin(), call("c1"), decision("c1"), output("c1", "a\n", "b\n").slice(0, 3));
    expect(tool(running).live).toBe("a\nb\n");
  });

  it("puts the pointer to a child on the call that started it", () => {
    const t = of(
      user("q"),
      begin(),
      call("c1", "run_subagent"),
      decision("c1"),
      say("event_msg", { type: "subagent", session_id: "kid" }),
    );
    expect(tool(t).child).toEqual({ session_id: "kid", agent: undefined });
  });

  it("counts retries on one row and tells how they ended", () => {
    const failed = (attempt: number, wait?: number) =>
      end("failed", { attempt, error_message: "502", retry_in_ms: wait });
    expect(items(of(user("q"), begin(), failed(1, 2000)))[1]).toMatchObject({ kind: "retry", outcome: "waiting" });
    const twice = [user("q"), begin(), failed(1, 2000), begin(), failed(2, 4000), begin()];
    expect(items(of(twice))[1]).toMatchObject({ outcome: "retrying", attempts: [{ attempt: 1 }, { attempt: 2 }] });
    expect(items(of(twice, end()))[1]).toMatchObject({ outcome: "recovered" });
    expect(items(of(twice, failed(3)))[1]).toMatchObject({ outcome: "gave_up" });
    expect(items(of(user("q"), begin(), end("failed", { refused: true })))[1]).toMatchObject({ outcome: "refused" });
    const dear = end("failed", { refused: true, over_budget: true, error_message: "Ask Ann." });
    expect(items(of(user("q"), begin(), dear))[1]).toMatchObject({ outcome: "over_budget" });
  });

  it("keeps a compaction between Tasks apart, and one within a Task inside it", () => {
    const compact = (summary: string) => [
      compactionBegin(),
      user("Summarise."),
      begin(),
      ...text(`[summary]${summary}[/summary]`),
      usage(),
      end(),
      compactionEnd(),
    ];
    const between = of(
      user("a"),
      begin(),
      text("done"),
      end(),
      compact("S"),
      user("[context_summary]\nS\n[/context_summary]"),
      user("b"),
    );
    expect(between.tasks.map((task) => task.kind)).toEqual(["task", "compaction", "task"]);
    expect(items(between, 1)).toMatchObject([
      { kind: "compaction", state: "completed", summary: "S", context: 96_000 },
    ]);
    const within = of(
      user("a"),
      begin(),
      call("c1"),
      end(),
      output("c1", "x"),
      compact("S"),
      begin(),
      text("on"),
      end(),
    );
    expect(within.tasks).toHaveLength(1);
    expect(kinds(within)).toEqual(["prompt", "tool", "compaction", "text"]);
    expect(of(user("a"), begin(), end(), compact("S")).context).toBeNull();
  });

  it("steering never opens a Task, and pictures after it belong to it", () => {
    const t = of(
      user("q"),
      begin(),
      call("c1"),
      end(),
      output("c1", "x"),
      user("[user_steering]\nlook\n[/user_steering]"),
      say("model_msg", { type: "image_url", role: "user", image_url: "data:image/png;base64,AA==" }),
      begin(),
    );
    expect(t.tasks).toHaveLength(1);
    expect(items(t).at(-1)).toMatchObject({ kind: "steering", text: "look", images: ["data:image/png;base64,AA=="] });
  });

  it("P2 keeps shortened strings as such", () => {
    const t = of(
      user("q"),
      begin(),
      call("c1"),
      end(),
      say("model_msg", {
        type: "tool_call_output",
        role: "user",
        tool_call_id: "c1",
        output: { $elided: { bytes: 90_000, head: "abc" } },
      }),
    );
    expect(tool(t).output?.text).toEqual({ bytes: 90_000, head: "abc" });
  });

  it("draws nothing for a record that only carries fidelity, and keeps unknown kinds raw", () => {
    const t = of(
      user("q"),
      begin(),
      say("model_msg", { type: "thinking", role: "assistant", thinking: "", fidelity: { a: 1 } }),
      say("event_msg", { type: "brand_new", x: 1 }),
      say("model_msg", { type: "hologram" }),
    );
    expect(kinds(t)).toEqual(["prompt", "raw", "raw"]);
  });

  it("does not mix in messages of children", () => {
    const before = of(user("q"), begin());
    expect(push(before, { message: { ...text("child")[3], origin: ["kid"] } as OmniMessage })).toBe(before);
  });

  it("2.3 adds the stamped price, and counts Requests without usage apart", () => {
    const price = { cache_read: 1, cache_write: 2, output: 3, cache_creation: 4 };
    const request = { cache_read: 1e6, cache_write: 1e6, cache_creation: 5e5, output: 1e6, total: 3e6 };
    const t = of(
      user("q"),
      begin(),
      call("c1"),
      say("event_msg", { type: "token_usage", session: request, request, price }),
      end(),
      begin(),
      call("c2"),
      usage(1),
      end(),
      begin(),
      end("aborted"),
      abort(),
    );
    expect(t.tasks[0]?.stats).toMatchObject({ requests: 3, cost: 7, priced: 1, unpriced: 1, unknown: 1 });
  });
});
