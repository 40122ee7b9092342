import { describe, expect, it } from "vitest";
import type { CompletePayload } from "../omni/message";
import { addressed, sequence, traceFileOf } from "./fixtures/sequence";
import { headIncomplete, nextRequestHistory, type Resumed, resume, type TraceFile } from "./resume";

function resumed(...notations: string[]): Resumed {
  const result = resume(notations.map((notation, index) => traceFileOf(notation, index + 1)));
  if (!result.ok) throw new Error(result.message);
  return result;
}
/** "U@2 C1 O1@7 …": texts as they are, calls by id, blocks with their lines on one line. */
function said(payloads: CompletePayload[]): string {
  return payloads.map(word).join(" ");
}
function word(payload: CompletePayload): string {
  switch (payload.type) {
    case "text":
      return payload.text.replaceAll(/\n */g, "");
    case "thinking":
      return payload.thinking;
    case "tool_call":
      return payload.tool_call_id.toUpperCase();
    case "tool_call_output":
      return payload.output;
    default:
      return payload.type;
  }
}
const EXITED = "[interrupted: process exited before the tool finished]";
const ABORTED = "[interrupted: tool aborted by user]";

describe("what is replayed and what is carried over", () => {
  it.each<[rule: string, notation: string, history: string, carryOver: string]>([
    ["RS1: committed turn, trailing user text", "M U B A K E U", "U@2 A@4", "U@7"],
    ["RS1: begin without end", "M U B", "", "U@2"],
    ["RS7: cut off before anything ran: the raw input", "M U B T A", "", "U@2"],
    ["RS7: timeout, then an answer", "M U B E(timeout,1,2000) B A K E(completed,2)", "U@2 A@6", ""],
    ["RS7: what a failed attempt said comes back with the retry", 'M U B A"half"(timeout) B', "", "U@2"],
    [
      "RS7: one block over all attempts",
      'M U B A"x" E(timeout,1,1) B A"y" E(failed,2,1) B A E',
      "U@2 [turn_retried][text]x[/text][text]y[/text][/turn_retried] A@10",
      "",
    ],
    [
      "RS7: retries exhausted",
      'M U B A"x" E(timeout,1,1) B A"y" E(timeout,2) X',
      "",
      "U@2 [turn_retried][text]x[/text][text]y[/text][/turn_retried]",
    ],
    [
      "RS7: stopped while streaming",
      'M U"go" B T"t" A"half"(aborted) E(aborted) X',
      "",
      "[turn_aborted][user_input]go[/user_input][thinking]t[/thinking][text]half[/text][/turn_aborted]",
    ],
    [
      "RS7: stopped twice: one level of blocks",
      'M U"a" B A"1" E(aborted) X U"b" B A"2" E(aborted) X',
      "",
      "[turn_aborted][user_input]a[/user_input][text]1[/text][user_input]b[/user_input][text]2[/text][/turn_aborted]",
    ],
    ["RS7: no credential", 'M U"go" B E(auth) X', "", "[turn_aborted][user_input]go[/user_input][/turn_aborted]"],
    [
      "RS7: a tool ran in the failed attempt, its output came late",
      'M U B C1 D1 E(timeout,1,1) O1"ran" B A E',
      'U@2 [turn_retried][tool_call name="tool" id="c1"]{}[/tool_call][tool_call_output id="c1" status="completed"]ran[/tool_call_output][/turn_retried] A@9',
      "",
    ],
    [
      "RS7: crash with an allowed call",
      'M U"go" B C1 D1',
      "",
      `[turn_aborted][user_input]go[/user_input][tool_call name="tool" id="c1"]{}[/tool_call][tool_call_output id="c1" status="aborted"]${EXITED}[/tool_call_output][/turn_aborted]`,
    ],
    ["RS7: crash with a call that was denied: nothing ran", "M U B C1 D1(deny)", "", "U@2"],
    [
      "RS7: an image of a stopped round is kept",
      'M U"go" I B E(aborted) X',
      "",
      "[turn_aborted][user_input]go[/user_input][/turn_aborted] image_url",
    ],
    [
      "RS7: outputs of a stopped round stay structured",
      'M U B C1 D1 O1"out" K E B T"t" E(aborted) X',
      "U@2 C1",
      "out [turn_aborted][thinking]t[/thinking][/turn_aborted]",
    ],
    ["RS2: outputs in call order", 'M U B C1 C2 D1 D2 O2"two" O1"one" E B A E', "U@2 C1 C2 one two A@12", ""],
    ["RS2: a committed call without output", "M U B C1 D1 C2 D2 E O1", "U@2 C1 C2", `O1@9 ${EXITED}`],
    ["README 3: … where an abort stands", "M U B C1 D1 C2 D2 E O1 X", "U@2 C1 C2", `O1@9 ${ABORTED}`],
    ["RS2: the placeholder goes ahead of the next input", "M U B C1 D1 E U B A E", `U@2 C1 ${EXITED} U@7 A@9`, ""],
    ["RS7: a placeholder once sent keeps its words", "M U B C1 D1 E U B E(failed) X", "U@2 C1", `${EXITED} U@7`],
    ["RS2: an output between begin and end is the next input", "M U B C1 D1 O1 K E", "U@2 C1", "O1@6"],
    ["RS2: an output that nobody asked for goes", "M U B A E O7 U B A E", "U@2 A@4 U@7 A@9", ""],
    ["RS2: two outputs of one call: the first", 'M U B C1 E O1"a" O1"b" B A E', "U@2 C1 a A@9", ""],
    ["RS2: an unfinished call does not enter the history", "M U B A C1(aborted) E U B A E", "U@2 A@4 U@7 A@9", ""],
    ["RS2: one id twice in a batch", 'M U B C1 C1 E O1"a" B A E', "U@2 C1 a A@9", ""],
    [
      "FF 4.8: timed out with an output, then answered",
      'M U B C1 D1 O1"ran" E(timeout,1,1) B A E',
      'U@2 [turn_retried][tool_call name="tool" id="c1"]{}[/tool_call][tool_call_output id="c1" status="completed"]ran[/tool_call_output][/turn_retried] A@9',
      "",
    ],
    [
      "steering beside outputs and alone",
      "M U B C1 D1 O1 E Z B A E Z B A E",
      "U@2 C1 O1@6 [user_steering]Z@8[/user_steering] A@10 [user_steering]Z@12[/user_steering] A@14",
      "",
    ],
    [
      "trailing steering stays with its output",
      "M U B C1 D1 O1 E Z",
      "U@2 C1",
      "O1@6 [user_steering]Z@8[/user_steering]",
    ],
    ["FF 0.2: input behind request_begin", "M B U A E K B U C1 D1 E K O1", "U@3 A@4 U@8 C1", "O1@13"],
    ["FF 0.2: … of a Request that crashed", "M B U A E B U", "U@3 A@4", "U@7"],
    ["maximum of turns: the notice is not history", "M U B C1 D1 O1 E N", "U@2 C1", "O1@6"],
    ["EN4: a refused prompt goes", "M U B A E U I B E(failed,1,refused) X U B A E", "U@2 A@4 U@11 A@13", ""],
    ["EN4: its outputs stay", "M U B C1 D1 O1 E Z B E(failed,1,refused) X", "U@2 C1", "O1@6"],
    ["EN4: the context's summary stays", "M S U B E(failed,1,refused) X", "", "[context_summary]S@2[/context_summary]"],
    [
      "a goal round that outlived its run",
      'M G(3)"do it" B',
      "",
      "[goal round 3 of an ended goal run — protocol omitted; do not act on it]do it",
    ],
    [
      "damaged input: an answer still has somebody to answer",
      "M B A E",
      "[the input of this turn could not be read] A@3",
      "",
    ],
    ["E without B, two B, unknown ids", "M E U B B A E D9 O9 X", "U@3 A@6", ""],
  ])("%s: %s", (_rule, notation, history, carryOver) => {
    const result = resumed(notation);
    expect([said(result.history), said(result.carry_over)]).toEqual([history, carryOver]);
  });

  it("EN4: what was refused can be sent again, until another Request begins", () => {
    expect(said(resumed("M U B A E U I B E(failed,1,refused) X").refused_last)).toBe("U@6 image_url");
    expect(resumed("M U B E(failed,1,refused) X U B").refused_last).toEqual([]);
  });

  it("EN6: arguments stay as the model wrote them", () => {
    const messages = sequence("M U B C1 E O1");
    const call = messages[3]?.payload;
    if (call && "arguments" in call) call.arguments = '{"broken';
    const file = { ...traceFileOf("M"), records: addressed(messages) };
    const result = resume([file]);
    expect(result.ok && result.history[1]).toMatchObject({ arguments: '{"broken' });
  });
});

describe("compaction", () => {
  it.each<[rule: string, notation: string, history: string, carryOver: string]>([
    ["failed: neither prompt nor note stay", "M U B A E CB U B E(failed) CE(failed)", "U@2 A@4", ""],
    [
      "failed, then more turns",
      "M U B A E CB U B E(timeout,1,1) B E(failed) CE(failed) U B A E",
      "U@2 A@4 U@13 A@15",
      "",
    ],
    ["stopped: outputs are still owed", "M U B C1 D1 O1 E CB U B E(aborted) CE(aborted) X", "U@2 C1", "O1@6"],
    [
      "stopped: what was carried over before stays",
      'M U"a" B E(aborted) X CB U B E(failed) CE(failed)',
      "",
      "[turn_aborted][user_input]a[/user_input][/turn_aborted]",
    ],
    [
      "rejected answers are history, each with the prompt that asked",
      'M U B A E CB U"p" B T E U"note" B C1 E O1 CE(failed)',
      "U@2 A@4 p T@9 note p C1",
      "O1@15",
    ],
    ["dangling before its Request", "M U B A E CB U", "U@2 A@4", ""],
    ["dangling inside its Request", "M U B C1 D1 O1 E CB U B A", "U@2 C1", "O1@6"],
    ["dangling with a finished draft: part of the history", "M U B A E CB U B A E", "U@2 A@4 U@7 A@9", ""],
    ["dangling, and somebody went on without closing it", "M U B A E CB U B U B A E", "U@2 A@4 U@9 A@11", ""],
  ])("%s: %s", (_rule, notation, history, carryOver) => {
    const result = resumed(notation);
    expect([said(result.history), said(result.carry_over)]).toEqual([history, carryOver]);
  });

  it("RS4: a dangling span is reported, a closed one is not", () => {
    expect(resumed("M U B A E CB U B").dangling_compaction).toMatchObject({ reason: "context", mode: "summarize" });
    expect(resumed("M U B A E CB U B E(failed) CE(failed)").dangling_compaction).toBeNull();
  });

  it("closes the context: nothing is replayed but the summary, and token sums go on", () => {
    for (const answer of ["[summary]short[/summary]", "<summary>short</summary>", "short"]) {
      const result = resumed(`M U B A K E CB U B A"${answer}" K E CE`);
      expect(result).toMatchObject({ context_closed: true, pending_summary: "short", history: [], carry_over: [] });
      expect(result).toMatchObject({ session_turns: 0, last_request_total: 0, session_tokens: { total: 22 } });
      expect(said(nextRequestHistory(result, []))).toBe("[context_summary]short[/context_summary]");
    }
  });

  it("a discard has no summary; texts that were carried over stay, outputs go", () => {
    const result = resumed('M U B C1 D1 O1 E X U"b" B E(aborted) X CB(discard) CE(completed,discard)');
    expect(result).toMatchObject({ context_closed: true, pending_summary: null, history: [] });
    expect(said(result.carry_over)).toBe("[turn_aborted][user_input]b[/user_input][/turn_aborted]");
  });

  it("a closure without a summary is void, and so is one that something follows", () => {
    const empty = resumed("M U B A E CB U B T E CE");
    expect(empty).toMatchObject({ context_closed: false, session_turns: 1 });
    expect(said(empty.history)).toBe("U@2 A@4 U@7 T@9");
    expect(resumed("M U B A E CB U B A E CE V").context_closed).toBe(false);
  });

  it("turns count committed Requests outside of compactions", () => {
    expect(resumed("M U B A E CB U B A E U B A E CE(failed) U B A E").session_turns).toBe(2);
  });
});

describe("RS6: the head of a rotated file", () => {
  const closed = 'M V"old name" U B A K E CB U B A"sum" K E CE';
  const heads: [what: string, newest: string, missing: string[], said: string][] = [
    ["whole", 'M S"sum" V U B A E', [], "[context_summary]sum[/context_summary] U@4 A@6"],
    ["nothing readable", "", ["session_meta", "text", "session_info"], "[context_summary]sum[/context_summary]"],
    ["only its meta", "M", ["text", "session_info"], "[context_summary]sum[/context_summary]"],
    ["cut before session_info", 'M S"sum"', ["session_info"], "[context_summary]sum[/context_summary]"],
    ["own records count", "M U B A E", ["text", "session_info"], "[context_summary]sum[/context_summary] U@2 A@4"],
    [
      "summary written late",
      'M U B A E S"sum" V U B A E',
      [],
      "[context_summary]sum[/context_summary] U@2 A@4 U@8 A@10",
    ],
  ];
  it.each(heads)("%s", (_what, newest, missing, words) => {
    const result = resumed(closed, newest);
    const kinds = result.missing_head.map(({ type, payload }) => ("type" in payload ? payload.type : type));
    expect(kinds).toEqual(missing);
    expect(said(nextRequestHistory(result, []))).toBe(words);
    expect(result).toMatchObject({ context_closed: false, pending_summary: null, meta: { session_id: "session-x" } });
    expect(result.info).not.toBeNull();
  });

  it("token sums go on, the context starts at zero", () => {
    const result = resumed(closed, "M");
    expect(result).toMatchObject({ session_tokens: { total: 22 }, last_request_total: 0, session_turns: 0 });
  });

  it("a discard before it has no summary to miss", () => {
    expect(resumed("M V U B A E CB(discard) CE(completed,discard)", "M V").missing_head).toEqual([]);
  });

  it("says when the older file is needed", () => {
    expect(headIncomplete(traceFileOf("", 1))).toBe(false);
    expect(headIncomplete(traceFileOf("M S V U", 2))).toBe(true); // token sums
    expect(headIncomplete(traceFileOf("M S V U B A K E", 2))).toBe(false);
  });

  it("counts of copied lines stay with the file they count", () => {
    const messages = sequence(closed);
    const meta = messages[0];
    const forked_from = { agent: "a", session_id: "s", file_index: 1, line: 9, copied_lines: 8 };
    if (meta?.type === "session_meta") meta.payload.forked_from = forked_from;
    const older: TraceFile = { ...traceFileOf(""), records: addressed(messages) };
    const result = resume([older, traceFileOf("", 2)]);
    const { copied_lines: _, ...rest } = forked_from;
    expect(result.ok && result.missing_head[0]?.payload).toMatchObject({ forked_from: rest });
    expect(JSON.stringify(result)).not.toContain("copied_lines");
  });
});

describe("facts beside the conversation", () => {
  it("settings: the last ones", () => {
    expect(resumed('M V"a" U B A E V"b"').info?.title).toBe("b");
    expect(resumed("M U B A E").info).toBeNull();
  });

  it("idempotency keys of both files, call ids of the newest", () => {
    const result = resumed("M U(k1) B A E CB(discard) CE(completed,discard)", "M U(k2) B C1 E O1");
    expect([result.client_ids, result.tool_call_ids]).toEqual([["k1", "k2"], ["c1"]]);
  });

  it.each([
    ["M U", true],
    ["M U B A", true],
    ["M U B A E", false],
    ["M U B C1 D1 E", true],
    ["M U B C1 D1 E O1 X", false],
    ["M U B E(timeout,1,1)", true],
    ["M U B E(failed,6)", false],
    ["M U B C1 E O1 B E(failed,1,refused)", false],
    ["M U B C1 E O1 N", false],
    ["M U B A E CB U B", false],
    ["M U B C1 E O1 CB U B A E CE", true],
    ["M S V", false],
  ])("%s: a Task was interrupted: %s", (notation, expected) => {
    expect(resumed(notation).interrupted).toBe(expected);
  });

  it("open_request: the file ends inside a Request", () => {
    expect([resumed("M U B A").open_request, resumed("M U B A E").open_request]).toEqual([true, false]);
  });
});

describe("FF 4.7: what cannot be resumed says why", () => {
  it.each<[string, TraceFile[], string, RegExp]>([
    ["no file", [], "no_file", /no Trace file/],
    ["no meta", [traceFileOf("U B A E")], "no_meta", /has no session_meta/],
    [
      "a torn first line",
      [{ ...traceFileOf(""), damaged: [{ line: 1, error: "not JSON", raw_head: "", last: true }] }],
      "no_meta",
      /first line is damaged \(not JSON\)/,
    ],
  ])("%s", (_what, files, code, message) => {
    const result = resume(files);
    expect(result).toMatchObject({ ok: false, code });
    if (!result.ok) expect(result.message).toMatch(message);
  });

  it("a meta without provider is legacy data", () => {
    const file = traceFileOf("M U");
    for (const { message } of file.records) if (message.type === "session_meta") delete message.payload.provider;
    expect(resume([file])).toMatchObject({ ok: false, code: "legacy" });
  });

  it("a second session_meta is ignored", () => {
    expect(said(resumed("M U B A E M U").carry_over)).toBe("U@7");
  });

  it("records of children and unknown records change nothing", () => {
    const file = traceFileOf("M U B A E");
    const noise = sequence("U B C1 D1 E X").map((message) => ({ ...message, origin: ["child"] }));
    const records = [...file.records, ...addressed(noise)];
    expect(resume([{ ...file, records }])).toEqual(resume([file]));
  });
});
