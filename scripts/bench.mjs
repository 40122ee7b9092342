/**
 * `npm run bench`: measures what the product promises to be fast at, each beside a floor from the same run, and fails
 * when a bound is missed. `npm run bench -- append replay` runs only these parts.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "./bundle.mjs";
import { projectDir } from "./setup.mjs";

const scratch = mkdtempSync(join(tmpdir(), "penguin-bench-"));
let failed = false;

const { folder, module: child } = await bundle("scripts/bench/child.ts");

/** Runs one job in a process of its own. */
function job(what, argument) {
  return JSON.parse(
    execFileSync(process.execPath, ["--expose-gc", child, what, argument], {
      cwd: projectDir,
      encoding: "utf8",
    }),
  );
}

/** The best of a few runs of each, taken in turn: what else the machine does only ever adds. */
function sideBySide(rounds, ...runs) {
  const best = [];
  for (let round = 0; round < rounds; round++) {
    for (const [i, run] of runs.entries()) {
      const result = run();
      if (!best[i] || result.ms < best[i].ms) best[i] = result;
    }
  }
  return best;
}

const ms = (value) => `${value.toFixed(0)} ms`;
const mb = (value) => `${value.toFixed(0)} MB`;

function report(name, value, ok) {
  console.log(`${ok ? "ok  " : "MISS"} ${name.padEnd(44)} ${value}`);
  failed ||= !ok;
}

function append() {
  const fresh = () => mkdtempSync(join(scratch, "append-"));
  const [floor, writer] = sideBySide(
    3,
    () => job("append-floor", fresh()),
    () => job("append-writer", fresh()),
  );
  const ratio = writer.ms / floor.ms;
  report(
    "append 100,000 small records",
    `${ms(writer.ms)}, floor ${ms(floor.ms)}: ${ratio.toFixed(2)}x (<= 3x)`,
    ratio <= 3,
  );
  report("  order kept", writer.in_order ? "yes" : "no", writer.in_order);
}

/** Traces at size: the numbers of the Trace view, the list and the search. */
function traces() {
  const root = mkdtempSync(join(scratch, "traces-"));
  const { path, records, bytes } = job("traces-generate", root);
  const name = `${(bytes / 1e6).toFixed(0)} MB, ${records} records`;
  const [first, last, analysis, floor] = sideBySide(
    3,
    () => job("traces-first", root),
    () => job("traces-last", root),
    () => job("traces-analysis", root),
    () => job("replay-floor", path),
  );
  report(`first 100 records of ${name}`, `${ms(first.ms)} (<= 100 ms)`, first.ms <= 100);
  report("  more memory", `${mb(first.more_mb)} (<= 60 MB)`, first.more_mb <= 60);
  report("  last 100 records", `${ms(last.ms)} (<= 300 ms)`, last.ms <= 300);
  const ratio = analysis.ms / floor.ms;
  report("  analysis", `${ms(analysis.ms)}, floor ${ms(floor.ms)}: ${ratio.toFixed(2)}x (<= 1.6x)`, ratio <= 1.6);
  const delay = Math.max(first.delay_ms, last.delay_ms, analysis.delay_ms);
  report("  others wait at most", `${ms(delay)} (<= 50 ms)`, delay <= 50);
  rmSync(root, { recursive: true, force: true });
  sessions();
  library();
}

function sessions() {
  const root = mkdtempSync(join(scratch, "sessions-"));
  job("sessions-generate", `${root}\n10000`);
  const [floor, list] = sideBySide(
    2,
    () => job("sessions-floor", root),
    () => {
      const { cold, ...rest } = job("sessions-list", root);
      return { ...cold, ...rest };
    },
  );
  const ratio = list.ms / floor.ms;
  report(
    `list of ${list.count} Sessions, cold`,
    `${ms(list.ms)}, floor ${ms(floor.ms)}: ${ratio.toFixed(2)}x (<= 5x)`,
    ratio <= 5,
  );
  report("  warm", `${ms(list.warm.ms)} (<= 20 ms)`, list.warm.ms <= 20);
  const { added, changed, removed } = list.seen;
  const seen = `added ${ms(added)}, changed ${ms(changed)}, removed ${ms(removed)} (<= 5 s)`;
  report("  what another program did is seen after", seen, Math.max(added, changed, removed) <= 5000);
  report("  others wait at most", `${ms(list.delay_ms)} (<= 50 ms)`, list.delay_ms <= 50);
  rmSync(root, { recursive: true, force: true });
}

function library() {
  const root = mkdtempSync(join(scratch, "library-"));
  const { count, bytes } = job("library-generate", `${root}\n1000`);
  const [floor, search] = sideBySide(
    2,
    () => job("library-floor", `${root}\n${count}`),
    () => job("library-search", root),
  );
  const name = `search over ${(bytes / 1e6).toFixed(0)} MB`;
  report(name, `${ms(search.ms)}, reading alone ${ms(floor.ms)} (<= 5 s)`, search.ms <= 5000);
  report("  first hit", `${ms(search.first_ms)} (<= 1 s)`, search.first_ms <= 1000);
  report("  hits", `${search.hits}`, search.hits === 2);
  report("  others wait at most", `${ms(search.delay_ms)} (<= 50 ms)`, search.delay_ms <= 50);
  rmSync(root, { recursive: true, force: true });
}

function replay() {
  for (const megabytes of [50, 200]) {
    const root = mkdtempSync(join(scratch, "replay-"));
    const { path, records } = job("generate", `${root}\n${megabytes}`);
    const [floor, store] = sideBySide(
      3,
      () => job("replay-floor", path),
      () => job("replay-store", root),
    );
    const ratio = store.ms / floor.ms;
    const more = store.peak_mb - floor.peak_mb;
    const name = `replay of ${megabytes} MB, ${records} records`;
    report(name, `${ms(store.ms)}, floor ${ms(floor.ms)}: ${ratio.toFixed(2)}x (<= 1.6x)`, ratio <= 1.6);
    report("  peak memory", `${mb(store.peak_mb)}, floor ${mb(floor.peak_mb)} + ${mb(more)} (<= 60 MB)`, more <= 60);
    report("  records", `${store.records}`, store.records === records && floor.records === records);
    rmSync(root, { recursive: true, force: true });
  }
}

function channel() {
  for (const sessions of [1, 50]) {
    const { ours, floor } = job("channel", String(sessions));
    const name = `provider to browser, ${sessions} Session${sessions === 1 ? "" : "s"}`;
    const rate = `${ours.deltas_per_s.toFixed(0)} deltas/s, bare node:http ${floor.deltas_per_s.toFixed(0)}/s`;
    report(name, rate, ours.complete && floor.complete);
    const added = `p50 ${(ours.p50_ms - floor.p50_ms).toFixed(1)} ms, p95 ${(ours.p95_ms - floor.p95_ms).toFixed(1)} ms`;
    report("  added latency", `${added} (bare: ${floor.p50_ms.toFixed(1)} / ${floor.p95_ms.toFixed(1)} ms)`, true);
    report("  every delta once and in order", ours.complete ? "yes" : "no", ours.complete);
  }
}

function stop() {
  for (const [name, took] of Object.entries(job("stop", "5"))) {
    report(`Stop to idle: ${name}`, `${ms(took)}, the longest of five (<= 1000 ms)`, took <= 1000);
  }
}

/** In a browser, against the built server. */
async function chat() {
  const { chatBench } = await import("./bench/chat/main.mjs");
  await chatBench(mkdtempSync(join(scratch, "chat-")), report, process.argv.slice(2));
}

async function view() {
  const { viewBench } = await import("./bench/trace-view.mjs");
  const to = { report, words: process.argv.slice(2) };
  await viewBench(mkdtempSync(join(scratch, "view-")), to, (root) => job("view-generate", root));
}
async function usage() {
  const { usageBench } = await import("./bench/count-usage.mjs");
  usageBench(scratch, report, job);
}
async function imports() {
  const { importBench } = await import("./bench/import.mjs");
  await importBench(mkdtempSync(join(scratch, "import-")), report);
}

const parts = { append, replay, traces, usage, view, import: imports, channel, stop, chat };
const wanted = process.argv.slice(2).filter((name) => name in parts);
try {
  for (const name of wanted.length > 0 ? wanted : Object.keys(parts)) await parts[name]();
} finally {
  for (const made of [scratch, folder]) rmSync(made, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
