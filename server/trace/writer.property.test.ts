import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { model } from "../../lib/omni/build";
import type { RecordAddress } from "../../lib/omni/message";
import { parseTrace } from "../../lib/trace/jsonl";
import { layout } from "../paths";
import { LARGE_WRITE_BYTES, TraceWriter } from "./writer";

const REF = { project: "p", agent: "a" };
const SID = "session-2026-01-05-10-00-00-0123abcd";

type Step =
  | { kind: "append"; sizes: number[] }
  | { kind: "rotate" | "settle" | "close" }
  | { kind: "crash"; cut: number };
const size = fc.oneof({ weight: 6, arbitrary: fc.nat(300) }, { weight: 1, arbitrary: fc.constant(LARGE_WRITE_BYTES) });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant("append" as const), sizes: fc.array(size, { maxLength: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom("rotate" as const, "settle" as const, "close" as const) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("crash" as const), cut: fc.nat(200) }) },
);

/** Runs the steps in a folder of its own; answers the file contents and where each record was said to be. */
async function run(steps: Step[]) {
  const root = mkdtempSync(join(tmpdir(), "writer-p-"));
  try {
    const disk = layout(root);
    const at = { date: "2026-01-05", index: 1 };
    const path = (index: number) => disk.traceFile(REF, at.date, SID, index);
    let writer = TraceWriter.create(disk, REF, SID, new Date(2026, 0, 5));
    let pending: Promise<void>[] = [];
    let serial = 0;
    const said: { id: number; address: RecordAddress }[] = [];
    const submit = (sizes: number[]) => {
      const ids = sizes.map(() => serial++);
      const records = sizes.map((n, i) =>
        model({ type: "text", role: "assistant", text: `${ids[i]}:${"é".repeat(n)}` }),
      );
      return writer.append(records).then((addresses) => {
        for (const [i, address] of addresses.entries()) said.push({ id: ids[i] ?? -1, address });
      });
    };
    const settle = async () => {
      await Promise.all(pending);
      pending = [];
    };
    for (const action of steps) {
      if (action.kind === "append") pending.push(submit(action.sizes));
      else if (action.kind === "rotate") writer.rotate();
      else if (action.kind === "close") writer.close();
      else await settle();
      if (action.kind !== "crash" || !writer.exists) continue;
      const bytes = readFileSync(writer.path);
      truncateSync(writer.path, Math.max(0, bytes.length - action.cut));
      const { lines, ends_with_newline } = parseTrace(readFileSync(writer.path, "utf8"));
      at.index = writer.fileIndex;
      writer = TraceWriter.resume(disk, REF, SID, at, { lines, ends_with_newline });
    }
    await settle();
    writer.close();
    const names = serial === 0 || said.length === 0 ? [] : readdirSync(join(path(1), "..")).sort();
    return { said, files: names.map((_, i) => readFileSync(path(i + 1), "utf8")) };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const idOf = (payload: Record<string, unknown>) => Number.parseInt(String(payload.text), 10);

test("TR1-TR5, TR7: appends, rotations and crash cuts in any order keep order, addresses and every whole record", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { said, files } = await run(steps);
      const cuts = steps.filter((action) => action.kind === "crash").length;
      const found = new Map<string, number>();
      const order: number[] = [];
      let damaged = 0;
      for (const [i, content] of files.entries()) {
        const parsed = parseTrace(content);
        damaged += parsed.damaged.length;
        expect(content).not.toContain("\n\n");
        for (const { line, message } of parsed.records) {
          const id = idOf(message.payload);
          found.set(`${i + 1}:${line}`, id);
          order.push(id);
        }
      }
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      // A cut takes the newest records away and leaves at most one torn line; nothing else may be missing or moved.
      expect(damaged).toBeLessThanOrEqual(cuts);
      const latest = new Map(said.map(({ id, address }) => [`${address.file_index}:${address.line}`, id]));
      if (cuts === 0) expect(found).toEqual(latest);
      else
        for (const [place, id] of found)
          expect(said.some((s) => s.id === id && `${s.address.file_index}:${s.address.line}` === place)).toBe(true);
    }),
    { numRuns: 60 },
  );
});
