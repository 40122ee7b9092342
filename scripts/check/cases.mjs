/** The table of cases names a test for each id: that file exists, and the id stands in the title of a test of it. */
import { existsSync, readFileSync } from "node:fs";

export const CASES = "docs/cases.md";
const ROW = /^\|\s*([A-Z]{2}\d{2})\s*\|\s*(.*?)\s*\|\s*$/;
const FILE = /`([^`\s]+\.(?:ts|tsx))`/g;

/** Lines with a string in which this id is a word: titles, not comments. */
const inTitle = (text, id) => new RegExp(`["'\`][^\\n]*\\b${id}\\b`).test(text.replace(/^\s*(\/\/|\/?\*).*$/gm, ""));

/** Problems of a table, each one line. `read`: the text of a file, null when there is none. */
export function tableProblems(table, read) {
  const problems = [];
  const seen = new Set();
  for (const line of table.split("\n")) {
    const [, id, proof = ""] = ROW.exec(line) ?? [];
    if (!id) continue;
    if (seen.has(id)) problems.push(`${CASES}: ${id} stands there twice`);
    seen.add(id);
    const files = [...proof.matchAll(FILE)].map(([, file]) => file);
    if (files.length === 0 && !/^not yet covered: \S.{10,}/.test(proof))
      problems.push(`${CASES}: ${id} has neither a test nor a reason`);
    for (const file of files) {
      const text = read(file);
      if (text === null) problems.push(`${CASES}: ${id}: ${file} does not exist`);
      else if (!inTitle(text, id)) problems.push(`${CASES}: ${id}: no test of ${file} has it in its title`);
    }
  }
  if (seen.size === 0) problems.push(`${CASES}: no case stands there`);
  return problems;
}

/** The same for the table of this repository. */
export function caseProblems() {
  return tableProblems(readFileSync(CASES, "utf8"), (file) => (existsSync(file) ? readFileSync(file, "utf8") : null));
}
