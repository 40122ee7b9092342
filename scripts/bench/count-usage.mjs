/** `npm run bench -- usage`: what counting usage costs, beside GNU grep counting one marker in the same file. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";

const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

/** The floor: how fast grep counts the lines with one marker. */
function grep(path) {
  const start = performance.now();
  const count = Number(execFileSync("grep", ["-c", '"token_usage"', path], { encoding: "utf8" }));
  return { ms: performance.now() - start, count };
}

export function usageBench(scratch, report, job) {
  // Where little stands between the Requests, most of the time goes into each of them and not into the bytes.
  for (const [shape, perRequest, most] of [
    ["usual", 87_000, 3],
    ["dense", 8_000, 5],
  ]) {
    const root = mkdtempSync(join(scratch, "usage-"));
    const { path, records } = job("usage-generate", `${root}\n${perRequest}`);
    const { size } = statSync(path);
    const runs = [];
    for (let round = 0; round < 4; round++) {
      runs.push({ floor: grep(path), ours: job("usage-file", path) });
      truncateSync(path, size);
    }
    const best = (value) => Math.min(...runs.map(value));
    const [floor, cold] = [best(({ floor }) => floor.ms), best(({ ours }) => ours.ms)];
    const ratio = cold / floor;
    report(
      `usage of 200 MB, ${records} records (${shape})`,
      `${ms(cold)}, grep -c ${ms(floor)}: ${ratio.toFixed(2)}x (<= ${most}x, aim 1.5x)`,
      ratio <= most,
    );
    const same = runs.every(({ floor, ours }) => floor.count === ours.requests);
    report("  as many as grep finds", same ? "yes" : "no", same);
    const warm = best(({ ours }) => ours.warm_ms);
    report("  warm", `${ms(warm)} (<= 5 ms)`, warm <= 5);
    const grown = best(({ ours }) => ours.grown_ms);
    const bound = (3 * cold) / 200 + 5;
    report("  after 1 MB was appended", `${ms(grown)} (<= 3 x cold / 200 + 5 ms = ${ms(bound)})`, grown <= bound);
    const delay = best(({ ours }) => ours.delay_ms);
    report("  others wait at most", `${ms(delay)} (<= 50 ms)`, delay <= 50);
    rmSync(root, { recursive: true, force: true });
  }
  library(scratch, report, job);
}

function library(scratch, report, job) {
  const root = mkdtempSync(join(scratch, "usage-library-"));
  const { bytes } = job("usage-generate-library", root);
  const runs = [job("usage-library", root), job("usage-library", root)];
  const best = (value) => Math.min(...runs.map(value));
  const cold = best(({ ms }) => ms);
  report(`usage page of ${(bytes / 1e6).toFixed(0)} MB in 2,000 files, cold`, `${ms(cold)} (<= 3 s)`, cold <= 3000);
  const delay = best(({ delay_ms }) => delay_ms);
  report("  others wait at most", `${ms(delay)} (<= 50 ms)`, delay <= 50);
  report("  warm", `${ms(best(({ warm_ms }) => warm_ms))}, ${runs[0].requests} Requests`, true);
  const few = mkdtempSync(join(scratch, "usage-few-"));
  job("usage-generate-few", few);
  const [alone, among] = [job("usage-budget", few).ms, job("usage-budget", root).ms];
  const ratio = among / alone;
  report(
    "a call under a hard budget among 2,000 Sessions",
    `${among.toFixed(2)} ms, alone ${alone.toFixed(2)} ms: ${ratio.toFixed(2)}x (<= 2x)`,
    ratio <= 2,
  );
  for (const folder of [root, few]) rmSync(folder, { recursive: true, force: true });
}
