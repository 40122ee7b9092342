/** `ps` without ps. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Processes whose command line holds a mark (and that work in this folder), and zombies below this process. */
export function processes(mark: string, cwd?: string): { marked: number; zombies: number } {
  let marked = 0;
  let zombies = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      if (line.includes(mark) && (cwd === undefined || readlinkSync(`/proc/${pid}/cwd`) === cwd)) marked += 1;
      const [, state, parent] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      if (state === "Z" && parent === String(process.pid)) zombies += 1;
    } catch {
      // It ended while it was looked at.
    }
  }
  return { marked, zombies };
}
