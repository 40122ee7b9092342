import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AddressedMessage, OmniMessage, PartialMessage } from "../omni/message";
import {
  abort,
  addressed,
  begin,
  call,
  compactionBegin,
  compactionEnd,
  decision,
  end,
  fold,
  isRecord,
  of,
  output,
  text,
  thinking,
  usage,
  user,
  visible,
} from "./fixtures/conversation";
import { prepend, push, start } from "./transcript";
import type { Transcript } from "./transcript-items";

const pieces = fc.array(fc.string({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });
let nextCall = 0;
const turn = fc
  .record({
    think: fc.boolean(),
    say: fc.option(pieces),
    calls: fc.integer({ min: 0, max: 2 }),
    fail: fc.constantFrom("no", "retry", "stop"),
    allow: fc.boolean(),
    steer: fc.boolean(),
    compact: fc.boolean(),
  })
  .map((p) => () => {
    const ids = Array.from({ length: p.calls }, () => `call_${nextCall++}`);
    const out: OmniMessage[] = [begin()];
    if (p.think) out.push(...thinking("hm ", "well"));
    if (p.fail === "retry") {
      out.push(end("timeout", { attempt: 1, retry_in_ms: 2000 }), begin());
    }
    if (p.say) out.push(...text(...p.say));
    for (const id of ids) out.push(...call(id), decision(id, p.allow ? "allow" : "deny", { by: "ana", waited_ms: 50 }));
    if (p.fail === "stop") return [...out, end("aborted"), abort({ by: "ana" })];
    out.push(usage(3), end());
    for (const id of ids.toReversed()) out.push(...output(id, "line 1\n", "line 2"));
    if (p.steer && ids.length > 0) out.push(user("[user_steering]\nfaster\n[/user_steering]"));
    if (p.compact) {
      out.push(
        compactionBegin(),
        user("Summarise."),
        begin(),
        ...text("[summary]", "S", "[/summary]"),
        usage(5),
        end(),
      );
      out.push(compactionEnd(), user("[context_summary]\nS\n[/context_summary]"));
    }
    return out;
  });
const conversation = fc
  .array(fc.tuple(fc.string({ minLength: 1 }), fc.array(turn, { minLength: 1, maxLength: 3 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((tasks) =>
    addressed(
      tasks.flatMap(([prompt, turns], i) => [user(`p${prompt}`, { client_id: `c${i}` }), ...turns.flatMap((t) => t())]),
    ),
  );

describe("transcript: one fold for live, reload and older pages", () => {
  it("P5 records with fragments give what records alone give", () => {
    fc.assert(
      fc.property(conversation, (arrivals) => {
        expect(visible(fold(arrivals))).toEqual(visible(fold(arrivals.filter(isRecord))));
      }),
      { numRuns: 60 },
    );
  });

  it("CH1 a snapshot at any record and the tail give the whole", () => {
    fc.assert(
      fc.property(conversation, fc.nat(), (arrivals, at) => {
        const records = arrivals.filter(isRecord);
        const cut = at % (records.length + 1);
        const tail = records.slice(cut);
        expect(tail.reduce<Transcript>(push, start({ records: records.slice(0, cut) }))).toEqual(fold(records));
      }),
      { numRuns: 60 },
    );
  });

  it("CH1 a snapshot in the middle of a fragment goes on with it", () => {
    const all = addressed([user("q"), begin(), ...text("one ", "two ", "three"), usage(), end()]);
    for (let cut = 3; cut < 6; cut++) {
      const records = all.slice(0, cut).filter(isRecord);
      const open = fold(all.slice(0, cut)).tasks[0]?.open ?? [];
      const synthetic = open.map((item) => ({
        timestamp: item.at,
        type: "model_msg",
        payload: {
          type: "partial_text",
          role: "assistant",
          text: "text" in item ? item.text : "",
          event_type: "start",
        },
      })) as unknown as PartialMessage[];
      const rest = all.slice(cut).reduce<Transcript>(push, start({ records, open: synthetic }));
      expect(visible(rest)).toEqual(visible(fold(all)));
    }
  });

  it("P5 older windows in front give the whole, wherever the snapshot was cut before a Request's input", () => {
    fc.assert(
      fc.property(conversation, fc.nat(), (arrivals, at) => {
        const records = arrivals.filter(isRecord);
        const cuts = records.flatMap(({ message: { payload } }, i) => {
          const input = "role" in payload && payload.role === "user";
          const opens = input || ("type" in payload && payload.type === "request_begin");
          return opens && fold(records.slice(0, i)).boundaries.span === null ? [i] : [];
        });
        const cut = cuts[at % cuts.length] ?? 0;
        const { session_tokens: tokens } = fold(records.slice(0, cut));
        const prior = { more: cut > 0, tokens, context: 0, elapsed_ms: 0, tasks: 0 };
        const joined = prepend(start({ records: records.slice(cut), prior }), records.slice(0, cut), false);
        const whole = fold(records);
        expect(visible(joined).tasks).toEqual(visible(whole).tasks);
        expect(joined.session_tokens).toEqual(whole.session_tokens);
      }),
      { numRuns: 60 },
    );
  });

  it("keeps the identity of everything but the item that grew", () => {
    const before = of(
      user("a"),
      begin(),
      ...text("x"),
      usage(),
      end(),
      user("b"),
      begin(),
      ...call("c1"),
      thinking("t").slice(0, 2),
    );
    const after = push(before, { message: thinking("", "more")[2] ?? begin() });
    expect(after.tasks[0]).toBe(before.tasks[0]);
    expect(after.tasks[1]?.items).toBe(before.tasks[1]?.items);
    expect(after.tasks[1]?.open[0]).not.toBe(before.tasks[1]?.open[0]);
  });

  it("keeps later blocks as they are when older ones come in front", () => {
    const records = addressed([
      user("a"),
      begin(),
      ...text("x"),
      end(),
      user("b"),
      begin(),
      end(),
      user("c"),
      begin(),
      end(),
    ]).filter(isRecord);
    const late = start({ records: records.slice(4) });
    const joined = prepend(late, records.slice(0, 4), false);
    expect(joined.tasks).toHaveLength(3);
    expect(joined.tasks[2]).toBe(late.tasks[1]);
  });

  it("counts the turns in front: a summary that opens the window is none", () => {
    const older = [user("a"), begin(), ...text("x"), usage(), end(), user("b"), begin(), ...text("y"), usage(), end()];
    const compaction = [compactionBegin(), begin(), ...text("[summary]S[/summary]"), usage(), end(), compactionEnd()];
    const window = [user("[context_summary]\nS\n[/context_summary]"), user("c"), begin(), ...text("z"), usage(), end()];
    const records = addressed([...older, ...compaction, ...window]).filter(isRecord);
    const cut = addressed([...older, ...compaction]).filter(isRecord).length;
    const prior = { more: true, tokens: fold([]).session_tokens, context: 0, elapsed_ms: 0, tasks: 5 };
    const late = start({ records: records.slice(cut), prior });
    // Two more turns lie before these.
    expect(prepend(late, records.slice(0, cut), true).tasks_before).toBe(2);
    expect(prepend(late, records.slice(0, cut), false).tasks_before).toBe(0);
  });
});

const shared = process.env.PENGUIN_SHARED ?? join(import.meta.dirname, "../../../shared");
const found = ["corpus", "cases/traces"].filter((name) => existsSync(join(shared, name)));
const traces = found.flatMap((name) =>
  readdirSync(join(shared, name), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".jsonl") && !file.includes("cuts"))
    .map((file) => join(shared, name, file)),
);
describe.skipIf(traces.length === 0)("transcript: recorded Traces (skipped where they are not there)", () => {
  it("RS5 folds every one, and every record is seen or deliberately not shown", () => {
    for (const file of traces) {
      const records = readFileSync(file, "utf8")
        .split("\n")
        .flatMap((line, i): AddressedMessage[] => {
          try {
            return [{ address: { file_index: 1, line: i + 1 }, message: JSON.parse(line.replace(/^\uFEFF/, "")) }];
          } catch {
            return [];
          }
        })
        .filter(({ message }) => typeof message === "object" && message?.payload);
      const t = start({ records });
      for (const item of t.tasks.flatMap((task) => task.items)) {
        if (item.kind === "raw")
          expect(["tool_call_output", "approval_decision"], file).toContain(
            (item.message.payload as { type: string }).type,
          );
      }
    }
  });

  it("RS1: a reloaded conversation says that its last Task was interrupted, until the next one begins", () => {
    const records = addressed([user("a"), begin(), ...text("b"), end("completed"), user("c"), begin()]).filter(
      isRecord,
    );
    const reloaded = start({ records, recovery: { damaged: [], interrupted: true } });
    expect(reloaded.interrupted).toBe(true);
    const [next] = addressed([user("d")]);
    expect(next && push(reloaded, next).interrupted).toBe(false);
  });
});
