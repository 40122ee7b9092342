import { expect, test } from "vitest";
import type { TaskBlock } from "@/lib/trace/transcript-items";
import { blockOf, recordIn } from "./use-arrival";

test("a link names a record by file and line; anything else is no link", () => {
  expect(recordIn("#record-2-14")).toEqual({ file_index: 2, line: 14 });
  for (const hash of ["", "#record-0-1", "#record-1", "#record-1-1x", "#approval-1-1"])
    expect(recordIn(hash)).toBeNull();
});

test("the block that a record belongs to is the newest one that begins at or before it", () => {
  const block = (id: string, file_index: number, line: number) =>
    ({ id, items: [{ kind: "text", address: { file_index, line } }] }) as unknown as TaskBlock;
  const tasks = [block("a", 1, 3), block("b", 1, 9), block("c", 2, 2)];
  expect(blockOf(tasks, { file_index: 1, line: 8 })?.id).toBe("a");
  expect(blockOf(tasks, { file_index: 1, line: 9 })?.id).toBe("b");
  expect(blockOf(tasks, { file_index: 2, line: 1 })?.id).toBe("b");
  expect(blockOf(tasks, { file_index: 3, line: 1 })?.id).toBe("c");
  expect(blockOf(tasks, { file_index: 1, line: 2 })).toBeNull();
});
