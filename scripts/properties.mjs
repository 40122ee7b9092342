/**
 * `npm run properties`: the properties of a damaged Trace (RS5, TR6) with ten thousand runs each; `-- --runs 500`
 * makes fewer, `-- --seed 7` repeats a choice.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { projectDir } from "./setup.mjs";

const number = (name) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? null : Number(process.argv[at + 1]);
};
const runs = number("runs") ?? 10_000;
const seed = number("seed") ?? Math.floor(Math.random() * 2 ** 31);

const began = Date.now();
console.log(`properties: ${runs} runs each, seed ${seed}`);
const files = ["lib/trace/damage.property.test.ts", "lib/trace/cuts.test.ts", "-t", "any|what was said|damage"];
const { status } = spawnSync(
  process.execPath,
  [join(projectDir, "node_modules/vitest/vitest.mjs"), "run", "--testTimeout=3600000", ...files],
  {
    cwd: projectDir,
    stdio: "inherit",
    env: { ...process.env, PENGUIN_PROPERTY_RUNS: String(runs), PENGUIN_PROPERTY_SEED: String(seed) },
  },
);
console.log(`properties: ${status === 0 ? "hold" : "broken"}; ${((Date.now() - began) / 1000).toFixed(1)} s`);
process.exit(status ?? 1);
