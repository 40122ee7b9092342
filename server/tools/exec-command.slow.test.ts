import { readdirSync, readFileSync, statSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Bench, bench } from "./test-session";

let b: Bench;
beforeEach(async () => {
  b = await bench();
});
afterEach(() => b.cleanup());

const MIB = 1024 * 1024;

/** State letters of what this process and its spawner have as children. */
function children(): string[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [state = "", parent] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
        return [{ pid: Number(pid), parent: Number(parent), state }];
      } catch {
        return [];
      }
    });
  const own = all.filter(({ parent }) => parent === process.pid);
  const ids = new Set(own.map(({ pid }) => pid));
  return [...own, ...all.filter(({ parent }) => ids.has(parent))].map(({ state }) => state);
}

/** Peak of the resident size while something runs, above what it was before. Bytes. */
async function growth(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  await work();
  clearInterval(timer);
  return peak - before;
}

it("CX07: 700 MB of output without a line break leave memory bounded and a recovery file below 8 MiB", async () => {
  let output = "";
  const grown = await growth(async () => {
    ({ output } = await b.run("exec_command", { cmd: 'head -c 700000000 /dev/zero | tr "\\0" x' }));
  });
  const path = /\[output archived \(8 MiB limit; head and tail kept\): (.*)\]/.exec(output)?.[1] ?? "";
  expect(statSync(path).size).toBeLessThan(8 * MIB);
  expect(grown).toBeLessThan(250 * MIB);
}, 120_000);

it("CX08: endless output over seconds leaves memory bounded and the event loop free", async () => {
  let longest = 0;
  let last = performance.now();
  const grown = await growth(async () => {
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 10);
    const { output } = await b.run("exec_command", { cmd: "yes buglog", yield_time_ms: 3_000 });
    const id = /proc-[0-9a-f]{8}/.exec(output)?.[0] ?? "";
    await b.run("input_command", { process_id: id, yield_time_ms: 3_000 });
    await b.run("kill_command", { process_id: id });
    clearInterval(timer);
  });
  console.info(
    `longest pause of the event loop: ${Math.round(longest)} ms; memory grew by ${Math.round(grown / MIB)} MiB`,
  );
  expect(grown).toBeLessThan(250 * MIB);
}, 60_000);

it("CX14: thirty commands with children leave neither processes nor zombies; the table is bounded", async () => {
  for (let i = 0; i < 30; i++) await b.run("exec_command", { cmd: "( sleep 4321 ) &\necho started" });
  for (let i = 0; i < 70; i++) await b.run("exec_command", { cmd: "sleep 4322", run_in_background: true });
  expect(b.tools.processes().length).toBe(64);
  await b.tools.dispose();
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(children()).not.toContain("Z");
  const left = readdirSync("/proc").filter((pid) => {
    try {
      return /sleep.432[12]/.test(readFileSync(`/proc/${pid}/cmdline`, "latin1"));
    } catch {
      return false;
    }
  });
  expect(left).toEqual([]);
}, 120_000);
