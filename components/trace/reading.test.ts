import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventItems, groupOf, groups, HEAD, itemOf, nextRow, Positions, timelineItems } from "./reading";

const task = (index: number, file_index: number, line: number, within: number | null = null) => ({
  index,
  within,
  start: { address: { file_index, line } },
});

describe("all files of a Session are one reading", () => {
  const files = [
    { index: 1, lines: 5 },
    { index: 3, lines: 4 },
  ];
  const positions = new Positions(files);

  it("positions and addresses are each other's inverse; lines that are not there have none", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 6 }), (lengths) => {
        const all = new Positions(lengths.map((lines, i) => ({ index: i + 1, lines })));
        expect(all.total).toBe(lengths.reduce((a, b) => a + b, 0));
        for (let at = 0; at < all.total; at++) expect(all.of(all.at(at) ?? { file_index: 0, line: 0 })).toBe(at);
        expect(all.at(all.total)).toBeNull();
      }),
    );
    expect(positions.of({ file_index: 2, line: 1 })).toBe(-1);
    expect(positions.of({ file_index: 1, line: 6 })).toBe(-1);
  });

  it("every line is under exactly one card, or before the first; a compaction inside a Task has no card", () => {
    const tasks = [task(0, 1, 2), task(1, 1, 4, 0), task(2, 3, 3)];
    expect(groups(positions, tasks)).toEqual([
      { task: HEAD, from: 0, to: 1 },
      { task: 0, from: 1, to: 7 },
      { task: 2, from: 7, to: 9 },
    ]);
    const all = timelineItems(positions, tasks, new Set([HEAD, 0, 2]));
    expect(all.filter((i) => i.kind === "row")).toEqual(eventItems(positions).filter((i) => i.kind === "row"));
    expect(timelineItems(positions, tasks, new Set()).map((i) => i.kind)).toEqual([
      "totals",
      "file",
      "head",
      "task",
      "file",
      "task",
    ]);
    expect(groupOf(positions, tasks, { file_index: 3, line: 1 })).toBe(0);
    expect(groupOf(positions, tasks, { file_index: 1, line: 1 })).toBe(HEAD);
    expect(itemOf(all, { file_index: 3, line: 1 })).toBeGreaterThan(0);
    expect(itemOf(all, { file_index: 9, line: 1 })).toBe(-1);
  });

  it("keys go from record to record, over all that stands between them", () => {
    const all = timelineItems(positions, [task(0, 1, 1), task(1, 3, 1)], new Set([0, 1]));
    const there: number[] = [];
    for (let at = nextRow(all, -1, 1); at !== null; at = nextRow(all, at, 1)) there.push(at);
    const back: number[] = [];
    for (let at = nextRow(all, all.length, -1); at !== null; at = nextRow(all, at, -1)) back.push(at);
    expect(there.map((at) => all[at])).toEqual(eventItems(positions).filter(({ kind }) => kind === "row"));
    expect(back).toEqual([...there].reverse());
  });
});
