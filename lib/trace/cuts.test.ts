/** RS5: whatever is left of a Trace, it resumes or says why not, and the next Request is legal. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requestProblems } from "../omni/history";
import type { CompletePayload, OmniMessage } from "../omni/message";
import { addressed, sequence, traceFileOf, traceText } from "./fixtures/sequence";
import { encodeRecord, TraceParser } from "./jsonl";
import { nextRequestHistory, type Resumed, resume, type TraceFile } from "./resume";

const utf8 = new TextEncoder();
const PROBE: CompletePayload = { type: "text", role: "user", text: "next" };

function fileOf(bytes: Uint8Array, file_index = 1): TraceFile {
  const parser = new TraceParser();
  parser.push(bytes);
  const parsed = parser.end();
  return {
    ...parsed,
    file_index,
    records: parsed.records.map(({ line, message }) => ({ address: { file_index, line }, message })),
  };
}

/** What the writer would put behind these bytes: a healing line feed, the missing head, the closed span, one Task. */
function continuedBy(bytes: Uint8Array, file: TraceFile, resumed: Resumed): Uint8Array {
  const close: OmniMessage[] = resumed.dangling_compaction ? sequence("CE(failed)") : [];
  const heal = file.ends_with_newline ? "" : "\n";
  const more =
    heal + [...resumed.missing_head, ...close, ...sequence('U"next" B A"reply" E')].map(encodeRecord).join("");
  return Uint8Array.from([...bytes, ...utf8.encode(more)]);
}

/** Cuts that leave the same records, damage and line end read alike: one of each kind is checked. */
function checkEveryCut(bytes: Uint8Array, older: TraceFile[] = []): void {
  const seen = new Set<string>();
  for (let cut = 0; cut <= bytes.length; cut++) {
    const { records, damaged, ends_with_newline } = fileOf(bytes.subarray(0, cut));
    const kind = [records.length, damaged.length, ends_with_newline].join();
    if (seen.has(kind)) continue;
    seen.add(kind);
    checkContinuation(bytes.slice(0, cut), older);
  }
}

/** Legal, and what is replayed after one more Task is what was said (texts that only a closed file held excepted). */
function checkContinuation(bytes: Uint8Array, older: TraceFile[] = []): void {
  const file = fileOf(bytes, older.length + 1);
  const before = resume([...older, file]);
  if (!before.ok) {
    expect(before.code).toBe("no_meta");
    expect(file.records).toEqual([]);
    return;
  }
  const said = nextRequestHistory(before, [PROBE]);
  expect(requestProblems(said)).toEqual([]);
  if (before.context_closed) return;
  const after = resume([...older, fileOf(continuedBy(bytes, file, before), older.length + 1)]);
  if (!after.ok) throw new Error(after.message);
  const spoken = (payloads: CompletePayload[]) =>
    payloads.map((payload) => JSON.stringify({ ...payload, stop_reason: 0 }));
  expect(spoken(after.history)).toEqual(spoken([...said, { type: "text", role: "assistant", text: "reply" }]));
  expect([after.carry_over, after.missing_head, after.dangling_compaction]).toEqual([[], [], null]);
}

const TRACES = {
  tools: 'M V U"é😀" B T C1 D1 C2 D2 O2 K E O1 Z B A K E U B C3 D3 O3(aborted) E(aborted) X U B A E',
  retries:
    "M U B A(timeout) E(timeout,1,2000) B C1 D1 E(failed,2,4000) O1 B A K E(completed,3) U B E(auth) X U B E(failed,1,refused) X",
  compaction: 'M U B C1 D1 O1 K E CB U B T E U B C2 E(completed,2) O2 U B A"[summary]s[/summary]" K E(completed,3) CE',
};

describe("RS5: cut at every byte", () => {
  it.each(Object.entries(TRACES))("%s", (_name, notation) => {
    const bytes = utf8.encode(traceText(sequence(notation)));
    checkEveryCut(bytes);
  });

  it("RS6: the second file, behind a closed first", () => {
    const first = traceFileOf('M V U B A K E CB U B A"[summary]s[/summary]" K E CE');
    const bytes = utf8.encode(traceText(sequence('M S"s" V U B C1 D1 K E O1 B A E')));
    checkEveryCut(bytes, [first]);
  });

  it("TR6: any one line damaged", () => {
    for (const notation of Object.values(TRACES)) {
      const lines = traceText(sequence(notation)).split("\n");
      for (let hole = 1; hole < lines.length - 1; hole++) {
        const text = lines.map((line, index) => (index === hole ? line.slice(0, 20) : line)).join("\n");
        const result = resume([fileOf(utf8.encode(text))]);
        expect(result.ok && requestProblems(nextRequestHistory(result, [PROBE]))).toEqual([]);
      }
    }
  });
});

// ---- random sessions ----------------------------------------------------------------------------------------------

const answer = fc.constantFrom(
  "A E",
  "T A K E",
  "A(timeout) E(timeout,1,1) B A E",
  "A E(failed) X",
  "T E(aborted) X",
  "E(failed,1,refused) X",
  "E(auth) X",
);
/** A batch of tool calls; outputs in any order, before and after the end of the Request. */
const batch = fc
  .record({
    calls: fc.integer({ min: 1, max: 3 }),
    early: fc.boolean(),
    end: fc.constantFrom("E", "E", "E(aborted)", "E(timeout,1,1)"),
    order: fc.boolean(),
  })
  .map(({ calls, early, end, order }) => (from: number) => {
    const ids = Array.from({ length: calls }, (_, index) => from + index);
    const outputs = (order ? ids : ids.toReversed()).map((id) => `O${id}`).join(" ");
    const spoken = ids.map((id) => `C${id} D${id}`).join(" ");
    const close = end === "E(aborted)" ? "X U" : "";
    return {
      text: early ? `${spoken} ${outputs} ${end} ${close}` : `${spoken} ${end} ${outputs} ${close}`,
      used: calls,
    };
  });
const task = fc.record({
  prompt: fc.constantFrom("U", "U I", "G(1)"),
  batches: fc.array(batch, { maxLength: 3 }),
  steered: fc.boolean(),
  last: answer,
  compaction: fc.constantFrom(
    "",
    "",
    "CB U B E(failed) CE(failed)",
    "CB U B T E U B E(timeout,2,1) B E(failed) CE(failed)",
  ),
});

/** A Trace as the engine writes it. */
const session = fc.array(task, { minLength: 1, maxLength: 4 }).map((tasks) => {
  let calls = 1;
  const parts = tasks.map(({ prompt, batches, steered, last, compaction }) => {
    const rounds = batches.map((make) => {
      const { text, used } = make(calls);
      calls += used;
      return `B ${text}`;
    });
    return `${prompt} ${rounds.join(" ")} ${steered ? "Z" : ""} B ${last} ${compaction}`;
  });
  return `M ${parts.join(" ")}`.replaceAll(/ +/g, " ");
});

describe("RS5 RS7: random sessions", () => {
  it("what was said after a crash is what is replayed later", () => {
    fc.assert(
      fc.property(session, fc.nat(), (notation, at) => {
        const bytes = utf8.encode(traceText(sequence(notation)));
        checkContinuation(bytes.slice(0, at % (bytes.length + 1)));
      }),
      { numRuns: 120 },
    );
  });

  it("any records in any order: the next Request is legal", () => {
    const letter = fc.constantFrom(
      "U",
      "I",
      "B",
      "B",
      "E",
      "E(failed)",
      "E(aborted)",
      "E(timeout,1,1)",
      "E(failed,1,refused)",
      "A",
      "T",
      "C1",
      "C2",
      "C1(aborted)",
      "D1",
      "D2(deny)",
      "O1",
      "O2",
      "K",
      "X",
      "CB",
      "CE",
      "CE(failed)",
      "S",
      "Z",
      "N",
      "V",
      "G(2)",
    );
    fc.assert(
      fc.property(fc.array(letter, { maxLength: 40 }), (letters) => {
        const result = resume([traceFileOf(`M ${letters.join(" ")}`)]);
        expect(result.ok && requestProblems(nextRequestHistory(result, [PROBE]))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("resuming changes no record", () => {
    fc.assert(
      fc.property(session, (notation) => {
        const records = addressed(sequence(notation));
        const copy = structuredClone(records);
        resume([{ ...traceFileOf(""), records }]);
        expect(records).toEqual(copy);
      }),
      { numRuns: 30 },
    );
  });
});
