/**
 * The tables of cases, of attacks and of what a person must see name a test for each id: that file exists, and the id
 * stands in the title of a test of it (`SR02`; `ux 13`, `ux 12, 13`).
 */
import { existsSync, readFileSync } from "node:fs";

const CASES = "docs/cases.md";
const CHECKS = "docs/checks.md";
const ATTACKS = "docs/attacks.md";
/** Id in the first column, proof in the last. */
const ROW = /^\|\s*([A-Z]{2}\d{2}|\d{1,2})\s*\|(?:.*\|)?\s*([^|]*?)\s*\|\s*$/;
const FILE = /`([^`\s]+\.(?:ts|tsx))`/g;

/** Lines with a string in which this id is a word: titles, not comments. */
const inTitle = (text, id) => {
  const word = /^\d/.test(id) ? `\\bux (?:\\d+, )*${id}` : `\\b${id}`;
  return new RegExp(`["'\`][^\\n]*${word}\\b`).test(text.replace(/^\s*(\/\/|\/?\*).*$/gm, ""));
};

/** Problems of a table, each one line. `read`: the text of a file, null when there is none. */
export function tableProblems(table, read, name = CASES) {
  const problems = [];
  const seen = new Set();
  for (const line of table.split("\n")) {
    const [, id, proof = ""] = ROW.exec(line) ?? [];
    if (!id) continue;
    if (seen.has(id)) problems.push(`${name}: ${id} stands there twice`);
    seen.add(id);
    const files = [...proof.matchAll(FILE)].map(([, file]) => file);
    if (files.length === 0 && !/^(not yet covered|measured): \S.{10,}/.test(proof))
      problems.push(`${name}: ${id} has neither a test nor a reason`);
    for (const file of files) {
      const text = read(file);
      if (text === null) problems.push(`${name}: ${id}: ${file} does not exist`);
      else if (!inTitle(text, id)) problems.push(`${name}: ${id}: no test of ${file} has it in its title`);
    }
  }
  if (seen.size === 0) problems.push(`${name}: nothing stands there`);
  return problems;
}

/** The same for the tables of this repository. */
export function caseProblems() {
  const read = (file) => (existsSync(file) ? readFileSync(file, "utf8") : null);
  return [CASES, CHECKS, ATTACKS].flatMap((name) => tableProblems(readFileSync(name, "utf8"), read, name));
}
