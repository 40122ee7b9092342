/**
 * `npm run load`: 50 Sessions at once, each with tools, for two minutes on the runtime without Next. Nothing may be
 * lost, the event loop has to stay free and memory flat. `--seconds 10 --only-loss` asserts only the first.
 */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { bundle } from "./bundle.mjs";

const number = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const given = { sessions: number("sessions", 50), seconds: number("seconds", 120), seed: number("seed", 1) };
/** So much may the heap of the last quarter hold of what it held in the second. */
const FLAT = 1.15;
const onlyLoss = process.argv.includes("--only-loss");

const { folder, module } = await bundle("scripts/crash/main.ts");
// A terminal session of its own, so that it can be put behind the server; it ends with this process.
const child = spawn(process.execPath, [module, "load", JSON.stringify(given)], {
  detached: true,
  stdio: ["ignore", "pipe", "inherit", "ipc"],
});
let output = "";
child.stdout.setEncoding("utf8").on("data", (text) => {
  output += text;
});
const status = await new Promise((resolve) => child.once("close", resolve));
rmSync(folder, { recursive: true, force: true });
if (status !== 0) process.exit(1);
const { faults, tasks, records, requests, start, loop, rss_mb, heap } = JSON.parse(output.trim().split("\n").at(-1));

let failed = false;
function report(name, value, ok = true) {
  console.log(`${ok ? "ok    " : "MISSED"} ${name.padEnd(28)} ${value}`);
  failed ||= !ok;
}
const whole = (value) => value.toFixed(0);
const delay = ({ p50_ms, p99_ms, p999_ms, max_ms }) =>
  `p50 ${p50_ms.toFixed(1)} ms, p99 ${p99_ms.toFixed(1)} ms, p99.9 ${whole(p999_ms)} ms, longest ${whole(max_ms)} ms`;
/** Of the time of the server's main thread; a server that waits has fewer processors than it would need. */
function shares({ seconds, ran_ms, waited_ms, gc_ms, gc_longest_ms, long_by_work, long_by_wait }) {
  const share = (ms) => `${whole(ms / seconds / 10)} %`;
  const gc = `garbage ${share(gc_ms)} (longest ${whole(gc_longest_ms)} ms)`;
  const long = `over 50 ms: ${long_by_work} times by work, ${long_by_wait} times by waiting`;
  return `at work ${share(ran_ms)}, waiting for a processor ${share(waited_ms)}, ${gc}; ${long}`;
}

for (const fault of faults.slice(0, 20)) console.error(`FAULT ${fault.slice(0, 2000)}`);
console.log("     The provider and whoever sends the prompts stand for other machines: they run behind the server.");
const lost = `${faults.length} faults; ${tasks} Tasks, ${requests} Requests, ${records} records`;
report("nothing lost", lost, faults.length === 0);
report(`first Tasks, ${whole(start.seconds)} s`, delay(start));
report("", shares(start));
report(`event-loop delay, ${whole(loop.seconds)} s`, `${delay(loop)} (p99 < 50)`, onlyLoss || loop.p99_ms < 50);
report("", shares(loop));
const grown = heap.late_mb / heap.early_mb;
const memory = `heap after gc ${whole(heap.early_mb)} MB in the second quarter, ${whole(heap.late_mb)} MB in the last: ${grown.toFixed(2)}x (<= ${FLAT}x); resident ${whole(rss_mb)} MB`;
report("memory flat", memory, onlyLoss || grown <= FLAT);
process.exit(failed ? 1 : 0);
