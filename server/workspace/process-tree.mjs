// @ts-check
/**
 * Signalling everything a command started. A command runs in a session (setsid) of its own; programs such as
 * `timeout` or a shell with job control open process groups of their own inside it, so one group is not enough.
 * Plain JavaScript, because the spawner runs it.
 */
import { closeSync, openSync, readdirSync, readSync } from "node:fs";

/** @typedef {{ pid: number, parent: number, group: number, session: number, zombie: boolean }} Proc */

/** One for all: reading a file of /proc whole takes 64 KiB of fresh memory, once per process of the machine. */
const line = Buffer.alloc(4096);

/** @param {string} pid */
function readStat(pid) {
  const file = openSync(`/proc/${pid}/stat`, "r");
  try {
    return line.toString("latin1", 0, readSync(file, line, 0, line.length, 0));
  } finally {
    closeSync(file);
  }
}

/** @param {string} pid @returns {Proc | null} */
function readProc(pid) {
  try {
    const stat = readStat(pid);
    // The name in parentheses may hold anything; the fixed fields follow the last one.
    const [state, parent, group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      zombie: state === "Z",
    };
  } catch {
    return null;
  }
}

/**
 * Living processes of the session led by `leader`, and descendants that left it while their parent was still there.
 * Synchronous: about 10 microseconds per process of the machine. Linux only.
 * @param {number} leader
 */
function members(leader) {
  /** @type {string[]} */
  let names;
  try {
    names = readdirSync("/proc");
  } catch {
    return [];
  }
  const all = names.filter((name) => /^\d+$/.test(name)).flatMap((name) => readProc(name) ?? []);
  /** @type {Set<number>} */
  const inside = new Set();
  for (const proc of all) if (proc.session === leader) inside.add(proc.pid);
  for (let grew = true; grew; ) {
    grew = false;
    for (const proc of all) {
      if (inside.has(proc.parent) && !inside.has(proc.pid)) {
        inside.add(proc.pid);
        grew = true;
      }
    }
  }
  return all.filter((proc) => inside.has(proc.pid) && !proc.zombie);
}

/** @param {number} pid @param {NodeJS.Signals} signal */
function send(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Is anything of the command's session still running, apart from its leader? @param {number} leader */
export function hasSurvivors(leader) {
  return members(leader).some((proc) => proc.pid !== leader);
}

/**
 * Signals the whole tree, or all of it but one process; false when nothing was there to signal.
 * @param {number} leader
 * @param {NodeJS.Signals} signal
 * @param {number} [spared]
 */
export function signalTree(leader, signal, spared) {
  if (process.platform !== "linux") return send(-leader, signal);
  if (spared !== undefined) {
    const others = members(leader).filter(({ pid }) => pid !== spared);
    return others.map(({ pid }) => send(pid, signal)).includes(true);
  }
  // By group where there is one, so that a member forked between the scan and the signal is hit as well.
  const ids = new Set(
    members(leader).map((proc) => (proc.group > 1 && proc.group !== ownGroup() ? -proc.group : proc.pid)),
  );
  let hit = false;
  for (const id of ids) hit = send(id, signal) || hit;
  return hit;
}

/** @type {number | null} */
let own = null;
function ownGroup() {
  own ??= readProc("self")?.group ?? 0;
  return own;
}
