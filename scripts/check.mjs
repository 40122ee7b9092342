/**
 * `npm run check`: format, lint, types, import rules, cycles, size budgets, path literals, the table of cases.
 * `--fast` leaves out format, lint and types.
 */
import { spawnSync } from "node:child_process";
import { caseProblems } from "./check/cases.mjs";
import { checkSources } from "./check/imports.mjs";

const fast = process.argv.includes("--fast");
let failed = false;

function step(name, command, args) {
  const { status } = spawnSync(command, args, {
    stdio: "inherit",
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
  });
  if (status !== 0) {
    failed = true;
    console.error(`check: ${name} failed`);
  }
}

const { problems, report } = checkSources();
problems.push(...caseProblems());
for (const problem of problems) console.error(problem);
console.log(`check: ${report}, ${problems.length} problems`);
failed ||= problems.length > 0;

if (!fast) {
  step("format and lint", "node_modules/.bin/biome", ["check", "--error-on-warnings", "."]);
  step("types", "node_modules/.bin/tsc", ["--noEmit", "-p", "."]);
}
process.exit(failed ? 1 : 0);
