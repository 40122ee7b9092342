/** RS5: whatever is left of a Trace, it resumes or says why not, and the next Request is legal. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requestProblems } from "../omni/history";
import { runs, session } from "./fixtures/arbitrary";
import { checkContinuation, fileOf, PROBE } from "./fixtures/continuation";
import { addressed, sequence, traceFileOf, traceText } from "./fixtures/sequence";
import { nextRequestHistory, resume, type TraceFile } from "./resume";

const utf8 = new TextEncoder();

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

describe("RS5 RS7: random sessions", () => {
  it("what was said after a crash is what is replayed later", () => {
    fc.assert(
      fc.property(session, fc.nat(), (notation, at) => {
        const bytes = utf8.encode(traceText(sequence(notation)));
        checkContinuation(bytes.slice(0, at % (bytes.length + 1)));
      }),
      runs(120),
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
      runs(500),
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
      runs(30),
    );
  });
});
