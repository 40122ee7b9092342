// @ts-check
/**
 * Who waits for whom while the processors are busy: a command waits for the spawner, and the spawner for the server,
 * which answers everybody. Plain JavaScript, because the spawner runs it.
 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { promisify } from "node:util";

/** How much nicer the spawner is than the server. */
export const SPAWNER_NICER = 5;
/** How much nicer a command is than the spawner. */
export const COMMAND_NICER = 10;
/** Who has no right to do it as often as they like may change one group in a tenth of a second. Milliseconds. */
const AGAIN_MS = 150;

/** Processes whose group was not changed yet. @type {{ pid: number, nice: number }[]} */
const waiting = [];

/** Makes it, and what it starts from now on, nicer than this process. @param {number} pid @param {number} by */
export function lowerPriority(pid, by) {
  const nice = Math.min(19, getPriority() + by);
  try {
    setPriority(pid, nice);
  } catch {
    // It has ended.
  }
  lowerSession(pid, nice);
}

/**
 * Where the system shares its time out by terminal session, a process's own priority counts inside its session only.
 * `pid` leads a session of its own. @param {number} pid @param {number} nice
 */
function lowerSession(pid, nice) {
  if (set(pid, nice)) return;
  if (waiting.length === 0) setTimeout(again, AGAIN_MS).unref();
  waiting.push({ pid, nice });
}

/** False: not now. @param {number} pid @param {number} nice */
function set(pid, nice) {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(nice));
    return true;
  } catch (error) {
    // Anything else: it has ended, or the system has no such groups.
    return !(error instanceof Error && "code" in error && error.code === "EAGAIN");
  }
}

/** The oldest first; those that have ended meanwhile take no time. */
function again() {
  for (let next = waiting[0]; next && set(next.pid, next.nice); next = waiting[0]) waiting.shift();
  if (waiting.length > 0) setTimeout(again, AGAIN_MS).unref();
}

/** From now on neither this process nor what it starts takes a processor from somebody who is at work on it. */
export async function neverInterrupt() {
  // Where it does not exist, the priorities have to do.
  await promisify(execFile)("chrt", ["-b", "-p", "0", String(process.pid)]).catch(() => {});
}
