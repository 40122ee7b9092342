import { expect, test } from "vitest";
import { tableProblems } from "./cases.mjs";

const read = (file: string) =>
  ({
    "a.test.ts": 'it("ZZ01 ZZ02 works", () => {});\n// ZZ03 is only talked about',
    "c.spec.ts": 'test("ux 4, 16; AP01: works", () => {})',
    "b.test.ts": "",
  })[file] ?? null;
const problems = (...rows: string[]) => tableProblems(["| id | proof |", "|---|---|", ...rows].join("\n"), read);

test("a row is good with a test that names the id, or with a reason", () => {
  expect(problems("| ZZ01 | `a.test.ts` |", "| ZZ09 | not yet covered: needs a phone in the hand |")).toEqual([]);
});

test.each([
  ["| ZZ03 | `a.test.ts` |", "no test of a.test.ts has it in its title"],
  ["| ZZ01 | `a.test.ts`, `b.test.ts` |", "no test of b.test.ts"],
  ["| ZZ01 | `c.test.ts` |", "c.test.ts does not exist"],
  ["| ZZ01 | later |", "neither a test nor a reason"],
  ["| ZZ01 | not yet covered: |", "neither a test nor a reason"],
])("%s is told", (row, words) => {
  expect(problems(row)).toEqual([expect.stringContaining(words)]);
});

test("an id that stands there twice, and a table without rows, are told", () => {
  expect(problems("| ZZ01 | `a.test.ts` |", "| ZZ01 | `a.test.ts` |")).toEqual([expect.stringContaining("twice")]);
  expect(problems()).toEqual([expect.stringContaining("nothing stands there")]);
});

test("a check of a person is found by its number behind ux, also in a row with three columns", () => {
  expect(problems("| 16 | it \\`opens\\` | `c.spec.ts` |", "| 4 | it closes | `c.spec.ts` |")).toEqual([]);
  expect(problems("| 6 | it opens | `c.spec.ts` |")).toEqual([expect.stringContaining("no test of c.spec.ts")]);
});
