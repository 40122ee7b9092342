/**
 * `npm run load`: 50 Sessions at once, each with tools, for two minutes on the runtime without Next. Nothing may be
 * lost, the event loop has to stay free and memory flat. `--seconds 10 --only-loss` asserts only the first.
 */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { bundle } from "./bundle.mjs";

const number = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const given = { sessions: number("sessions", 50), seconds: number("seconds", 120), seed: number("seed", 1) };
const onlyLoss = process.argv.includes("--only-loss");

const { folder, module } = await bundle("scripts/crash/main.ts");
const { status, stdout } = spawnSync(process.execPath, [module, "load", JSON.stringify(given)], {
  stdio: ["ignore", "pipe", "inherit"],
  encoding: "utf8",
  maxBuffer: 1 << 28,
});
rmSync(folder, { recursive: true, force: true });
if (status !== 0) process.exit(1);
const { faults, tasks, records, requests, p99_ms, max_ms, rss_mb, heap } = JSON.parse(stdout.trim().split("\n").at(-1));

let failed = false;
function report(name, value, ok) {
  console.log(`${ok ? "ok  " : "MISS"} ${name.padEnd(28)} ${value}`);
  failed ||= !ok;
}
for (const fault of faults.slice(0, 20)) console.error(`FAULT ${fault.slice(0, 2000)}`);
report(
  "nothing lost",
  `${faults.length} faults; ${tasks} Tasks, ${requests} Requests, ${records} records`,
  faults.length === 0,
);
report(
  "event-loop delay",
  `p99 ${p99_ms.toFixed(1)} ms (< 50), longest ${max_ms.toFixed(0)} ms`,
  onlyLoss || p99_ms < 50,
);
const grown = heap.late_mb - heap.early_mb;
const flat = grown < 10 + heap.early_mb * 0.15;
const memory = `heap ${heap.early_mb.toFixed(0)} MB, later ${heap.late_mb.toFixed(0)} MB; resident ${rss_mb.toFixed(0)} MB`;
report("memory flat", memory, onlyLoss || flat);
process.exit(failed ? 1 : 0);
