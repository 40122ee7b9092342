import { expect, it } from "vitest";
import { isImported } from "./use-who";

it("only what came in with an imported file is from the file; what was written after it is not", () => {
  const lines = [
    { file_index: 1, lines: 12 },
    { file_index: 2, lines: null },
  ];
  const at = (file_index: number, line: number) => isImported(lines, { file_index, line });
  expect([at(1, 1), at(1, 12), at(1, 13), at(2, 999), at(3, 1)]).toEqual([true, true, false, true, false]);
  // What happens now has no record yet.
  expect(isImported(lines, undefined)).toBe(false);
  expect(isImported(undefined, { file_index: 1, line: 1 })).toBe(false);
});
