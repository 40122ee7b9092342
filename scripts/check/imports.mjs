/** Reads the sources as text and reports broken import rules, cycles, size budgets and stray path literals. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { BUDGET, PATH_LITERALS, ROOMS } from "./rooms.mjs";

const SOURCE = /\.(ts|tsx|mts|mjs)$/;
const FREE = /(\.test\.tsx?$|\.slow\.test\.ts$|^e2e\/|^scripts\/|\/fixtures\/|\/test-support\/|^[^/]+\.config\.)/;
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^"'`;]*?from\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;
const EXTENSION = /\.(tsx?|mts|mjs)$/;

/** Files that git tracks or would track. */
export function sourceFiles() {
  const out = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { encoding: "utf8" });
  return [...new Set(out.split("\n"))].filter((file) => SOURCE.test(file));
}

/** "../omni/message" seen from `file` -> "lib/omni/message"; null for a package. */
function resolveImport(file, specifier) {
  if (specifier.startsWith("@/")) return specifier.slice(2).replace(EXTENSION, "");
  if (specifier.startsWith(".")) return posix.join(posix.dirname(file), specifier).replace(EXTENSION, "");
  return null;
}

function importsOf(file, text) {
  return [...text.matchAll(IMPORT)].map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? "";
    return { specifier, target: resolveImport(file, specifier) };
  });
}

function ruleProblems(file, imports) {
  const name = file.replace(EXTENSION, "");
  const room = ROOMS.find((candidate) => candidate.match.test(name));
  if (!room) return [`${file}: belongs to no room of scripts/check/rooms.mjs`];
  const problems = [];
  for (const { specifier, target } of imports) {
    if (target === null) {
      if (room.never?.test(specifier)) problems.push(`${file}: ${room.room} never imports ${specifier}`);
      continue;
    }
    if (/\.(css|json|svg)$/.test(specifier)) continue;
    const own = room.match.test(target) && (room.room !== "components/<view>" || sameView(name, target));
    if (!own && !room.may.some((pattern) => pattern.test(target)))
      problems.push(`${file}: ${room.room} may not import ${target}`);
  }
  return problems;
}

const sameView = (a, b) => a.split("/")[1] === b.split("/")[1];

/** Strongly connected files, found by depth-first search; each cycle is reported once. */
function cycles(graph) {
  const state = new Map();
  const stack = [];
  const found = [];
  const visit = (node) => {
    state.set(node, "open");
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (state.get(next) === "open") found.push([...stack.slice(stack.indexOf(next)), next].join(" -> "));
      else if (!state.has(next) && graph.has(next)) visit(next);
    }
    stack.pop();
    state.set(node, "done");
  };
  for (const node of graph.keys()) if (!state.has(node)) visit(node);
  return found;
}

/** All problems, each one line of text. */
export function checkSources() {
  const problems = [];
  const graph = new Map();
  const lengths = [];
  for (const file of sourceFiles()) {
    const text = readFileSync(file, "utf8");
    const lines = text.split("\n").length - 1;
    const budget = BUDGET.raised[file]?.lines ?? BUDGET.lines;
    if (!/\.test\.tsx?$/.test(file)) {
      lengths.push(lines);
      if (lines > budget) problems.push(`${file}: ${lines} lines, the budget is ${budget}`);
    }
    if (FREE.test(file)) continue;
    const imports = importsOf(file, text);
    problems.push(...ruleProblems(file, imports));
    graph.set(
      file.replace(EXTENSION, ""),
      imports.flatMap(({ target }) => (target === null ? [] : [target])),
    );
    if (!PATH_LITERALS.allowed.test(file.replace(EXTENSION, ""))) problems.push(...literalProblems(file, text));
  }
  problems.push(...cycles(graph).map((cycle) => `import cycle: ${cycle}`));
  const small = lengths.filter((n) => n <= 250).length;
  return {
    problems,
    report: `${lengths.length} files, ${Math.round((100 * small) / lengths.length)} % of them <= 250 lines`,
  };
}

function literalProblems(file, text) {
  const problems = [];
  text.split("\n").forEach((line, index) => {
    if (/^\s*(\/\/|\/?\*)/.test(line)) return;
    const match = PATH_LITERALS.literal.exec(line);
    if (match)
      problems.push(`${file}:${index + 1}: path literal ${match[0]} belongs in server/paths.ts or lib/trace/name.ts`);
  });
  return problems;
}
