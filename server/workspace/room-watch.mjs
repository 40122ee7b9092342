// @ts-check
/**
 * How much the processes of a room take together. Limits of the system do not hold for a server that runs as root, so
 * they are counted from outside: by the process namespace they are in. Plain JavaScript, because the spawner runs it.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Bytes. */
const PAGE = 4096;

/** @param {number | string} pid */
function spaceOf(pid) {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return null;
  }
}

/** Memory of one process that it shares with no file. Bytes. @param {string} pid */
function memoryOf(pid) {
  try {
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, "latin1").split(" ").map(Number);
    return Math.max(0, resident - shared) * PAGE;
  } catch {
    return 0;
  }
}

/**
 * Processes and bytes of each room, in the order of the rooms' first processes; null: that room is gone.
 * @param {readonly number[]} firsts
 * @returns {({ processes: number, bytes: number } | null)[]}
 */
export function roomUse(firsts) {
  const spaces = firsts.map(spaceOf);
  /** @type {Map<string, { processes: number, bytes: number }>} */
  const use = new Map(spaces.flatMap((space) => (space === null ? [] : [[space, { processes: 0, bytes: 0 }]])));
  if (use.size === 0) return spaces.map(() => null);
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const room = use.get(spaceOf(pid) ?? "");
    if (!room) continue;
    room.processes += 1;
    room.bytes += memoryOf(pid);
  }
  return spaces.map((space) => (space === null ? null : (use.get(space) ?? null)));
}
