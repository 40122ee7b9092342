/**
 * `npm test`: installs what is needed, runs the unit tests, then the browser tests against the built server, and
 * prints `N passed, N failed` as its last line. `--slow` runs the cases that must wait longer instead.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt, ensureChromium, ensureInstalled, projectDir, requireNode } from "./setup.mjs";

const slow = process.argv.includes("--slow");

requireNode();
ensureInstalled();
const chromium = ensureChromium();
ensureBuilt();

const reports = mkdtempSync(join(tmpdir(), "penguin-test-"));
let children = [];
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
    process.exit(1);
  });
}

/** Runs one test tool to its end; its own report says what passed. */
function runTool(args, env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: projectDir,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...env },
    });
    children = [...children, child];
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

const readJson = (path) => {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
};

async function unitTests() {
  const report = join(reports, "unit.json");
  const args = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ];
  const code = await runTool(slow ? [...args, ".slow.test"] : args, slow ? { PENGUIN_SLOW: "1" } : {});
  const result = readJson(report);
  const failed = result?.numFailedTests ?? 0;
  // A file that cannot even be loaded has no failed tests of its own.
  return { passed: result?.numPassedTests ?? 0, failed: code === 0 ? failed : Math.max(failed, 1) };
}

async function browserTests() {
  const report = join(reports, "browser.json");
  const args = [
    "node_modules/@playwright/test/cli.js",
    "test",
    "--reporter=list,json",
    ...(slow ? ["--grep", "@slow", "--pass-with-no-tests"] : ["--grep-invert", "@slow"]),
  ];
  const code = await runTool(args, { PLAYWRIGHT_JSON_OUTPUT_NAME: report, CHROMIUM: chromium });
  const stats = readJson(report)?.stats;
  const failed = (stats?.unexpected ?? 0) + (stats?.flaky ?? 0);
  return { passed: stats?.expected ?? 0, failed: code === 0 ? failed : Math.max(failed, 1) };
}

/** The gates of `npm run check` count as one test. */
async function gates() {
  const code = await runTool(["scripts/check.mjs"], {});
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Proofs that need processes of their own; each counts as one test. `--slow` runs them in full. */
async function proof(script, short) {
  const code = await runTool([script, ...(slow ? [] : short)], {});
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

const results = [await gates(), await unitTests(), await proof("scripts/crash.mjs", ["--kills", "20"])];
results.push(await proof("scripts/load.mjs", ["--seconds", "10", "--only-loss"]), await browserTests());
// The ordinary run has these properties among its unit tests, with fewer runs.
if (slow) results.push(await proof("scripts/properties.mjs", []));
rmSync(reports, { recursive: true, force: true });
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
process.exit(sum("failed") === 0 && sum("passed") > 0 ? 0 : 1);
