/**
 * `npm run crash`: SIGKILLs the runtime at random points of its work and checks what is left (TR1-TR5, EN1, RS5, RS6).
 * `npm run crash -- --kills 40 --seed 7` repeats the random choices of a run; what the machine does in between differs.
 */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { bundle } from "./bundle.mjs";

const number = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const kills = number("kills", 300);
const seed = number("seed", Math.floor(Math.random() * 2 ** 31));

const { folder, module } = await bundle("scripts/crash/main.ts");
const began = Date.now();
console.log(`crash: ${kills} kills, seed ${seed}`);
const { status, stdout } = spawnSync(process.execPath, [module, "crash", JSON.stringify({ kills, seed })], {
  stdio: ["ignore", "pipe", "inherit"],
  encoding: "utf8",
  maxBuffer: 1 << 28,
});
rmSync(folder, { recursive: true, force: true });
if (status !== 0) process.exit(1);
const { counts, problems, root } = JSON.parse(stdout.trim().split("\n").at(-1));
for (const problem of problems) console.error(`FAULT ${problem.slice(0, 2000)}`);
const told = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
console.log(`crash: ${told.join(", ")}; ${((Date.now() - began) / 1000).toFixed(1)} s`);
console.log(
  problems.length === 0 ? "crash: nothing lost" : `crash: ${problems.length} faults; the files are in ${root}`,
);
process.exit(problems.length === 0 ? 0 : 1);
