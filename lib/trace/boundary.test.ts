/** P5: the conversation's Tasks are segment()'s Tasks. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AddressedMessage } from "../omni/message";
import { addressed, sequence } from "./fixtures/sequence";
import { parseTrace } from "./jsonl";
import { segment } from "./segment";
import { prepend, push, start } from "./transcript";
import type { Transcript } from "./transcript-items";

interface Drawn {
  kind: string;
  from: number | undefined;
  to: number | undefined;
}

function segmented(records: AddressedMessage[]): Drawn[] {
  return segment(records)
    .filter((task) => task.within === null)
    .map((task) => ({ kind: task.kind, from: task.start.address.line, to: task.end.address.line }));
}

/** A block that holds only records of no Task is none. */
function drawn({ tasks }: Transcript): Drawn[] {
  return tasks
    .filter((block) => block.fold.task !== null)
    .map((block) => ({ kind: block.kind, from: block.from?.line, to: block.to?.line }));
}

const letter = fc.constantFrom(
  ...[
    "M",
    "U",
    "U",
    "U(a)",
    "U(b)",
    "I",
    "B",
    "B",
    "E",
    "E",
    "E(failed)",
    "E(timeout,1,1)",
    "E(aborted)",
    "A",
    "A(failed)",
  ],
  ...[
    "C1",
    "C2",
    "C3",
    "D1",
    "D2",
    "O1",
    "O2",
    "O9",
    "K",
    "X",
    "CB",
    "CB(discard)",
    "CE",
    "CE(failed)",
    "S",
    "Z",
    "N",
    "G(1)",
  ],
  ...["P", "V", "T"],
);
const letters = fc.array(letter, { maxLength: 40 });

describe("P5: one definition of a Task", () => {
  it("any sequence of records: the conversation's Tasks are segment()'s Tasks", () => {
    fc.assert(
      fc.property(letters, (notation) => {
        const records = addressed(sequence(notation.join(" ")));
        expect(drawn(start({ records }))).toEqual(segmented(records));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["a Request that got its Prompt late", "M U B E(auth) X B U A E"],
    ["a Task that goes on behind a compaction of its own", "M U B E(auth) X CB U B A E CE B A E"],
    ["an output behind the next Prompt", "M U B C1 E U O1 B A E"],
    ["steering that wakes a finished Task", "M U B A E Z B A E U"],
  ])("%s: %s", (_name, notation) => {
    const records = addressed(sequence(notation));
    expect(drawn(start({ records }))).toEqual(segmented(records));
  });

  it("wherever the older part is loaded later", () => {
    fc.assert(
      fc.property(letters, fc.nat(), (notation, at) => {
        const records = addressed(sequence(notation.join(" ")));
        const inputs = records.flatMap(({ message: { payload } }, i) => {
          const opens = "role" in payload && payload.role === "user" && payload.type === "text";
          return opens && start({ records: records.slice(0, i) }).boundaries.span === null ? [i] : [];
        });
        const cut = inputs[at % inputs.length] ?? 0;
        const late = start({ records: records.slice(cut) });
        const joined = prepend(late, records.slice(0, cut), false);
        const whole = start({ records });
        expect(joined.tasks.flatMap(({ items }) => items.map(({ address }) => address?.line)).toSorted()).toEqual(
          whole.tasks.flatMap(({ items }) => items.map(({ address }) => address?.line)).toSorted(),
        );
        const more = addressed(sequence("U B A E"));
        expect(() => more.reduce<Transcript>(push, joined)).not.toThrow();
      }),
      { numRuns: 100 },
    );
  });
});

const shared = process.env.PENGUIN_SHARED ?? join(import.meta.dirname, "../../../shared");
const folders = ["corpus", "cases/traces"].map((name) => join(shared, name)).filter((folder) => existsSync(folder));
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".jsonl") && !file.includes("cuts"))
    .map((file) => join(folder, file)),
);
describe.skipIf(files.length === 0)("recorded Traces (skipped where they are not there)", () => {
  it("P5 the conversation's Tasks are segment()'s Tasks in every one", () => {
    let tasks = 0;
    for (const file of files) {
      const { records: parsed } = parseTrace(readFileSync(file, "utf8"));
      const records = parsed.map(({ line, message }) => ({ address: { file_index: 1, line }, message }));
      const expected = segmented(records);
      expect(drawn(start({ records })), file).toEqual(expected);
      tasks += expected.length;
    }
    expect(tasks).toBeGreaterThan(0);
    console.info(`P5: ${tasks} Tasks of ${files.length} files agree`);
  });
});
