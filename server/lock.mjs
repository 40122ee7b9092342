// @ts-check
/**
 * One server process per data root. The lock is a file made with link(2), so that it appears whole or not at all; it
 * is dead when its process is gone, was started at another time, or ran before the last boot. Plain JavaScript,
 * because the start script asks before anything is built.
 */
import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";

/** @typedef {{ pid: number, started: string | null, boot_id: string | null, nonce: string, port: number }} LockFile */
/** @typedef {{ pid: number, port: number | null }} Holder */
/** @typedef {{ ok: true, release: () => void } | { ok: false, holder: Holder }} Taken */

/** @param {string} path */
function readOrNull(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** @param {unknown} error @param {string} code */
const isCode = (error, code) => error instanceof Error && "code" in error && error.code === code;

/** @param {number} pid */
function exists(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, "EPERM");
  }
}

/** Ticks since boot at which a process began (Linux), else null. @param {number} pid */
function startTime(pid) {
  const stat = readOrNull(`/proc/${pid}/stat`);
  // The command's name may hold blanks and brackets; fields are counted from its end.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

const bootId = () => readOrNull("/proc/sys/kernel/random/boot_id")?.trim() ?? null;

/** @param {string | null} text @returns {Record<string, unknown> | null} */
function parse(text) {
  try {
    const value = JSON.parse(text ?? "null");
    return typeof value === "object" && value !== null ? value : null;
  } catch {
    return null;
  }
}

/** @param {unknown} value */
const numberOrNull = (value) => (typeof value === "number" ? value : null);

/** Who holds our lock; null: nobody alive. @param {string} path @returns {Holder | null} */
function ownHolder(path) {
  const lock = parse(readOrNull(path));
  const pid = numberOrNull(lock?.pid);
  if (!lock || pid === null || !exists(pid)) return null;
  const [boot, start] = [bootId(), startTime(pid)];
  if (boot && typeof lock.boot_id === "string" && lock.boot_id !== boot) return null;
  if (start && typeof lock.started === "string" && lock.started !== start) return null;
  return { pid, port: numberOrNull(lock.port) };
}

/** Time at which a process began, in ms since the epoch (Linux), else null. @param {number} pid */
function startedAt(pid) {
  const boot = /^btime (\d+)$/m.exec(readOrNull("/proc/stat") ?? "")?.[1];
  const ticks = startTime(pid);
  return boot && ticks ? Number(boot) * 1000 + Number(ticks) * 10 : null;
}

/** Who holds the lock file of the reference implementation; null: nobody alive. @param {string} path */
function foreignHolder(path) {
  const lock = parse(readOrNull(path));
  const pid = numberOrNull(lock?.pid);
  if (!lock || pid === null || !exists(pid)) return null;
  const locked = new Date(/** @type {string | number} */ (lock.startedAt ?? Number.NaN)).getTime();
  const began = startedAt(pid);
  // A process that began after the lock was written only got the same number.
  if (began !== null && began > locked + 5_000) return null;
  return { pid, port: numberOrNull(lock.port) };
}

/** Who runs on this data root; null: nobody. @param {{ own: string, foreign: string }} paths */
export function lockHolder(paths) {
  return foreignHolder(paths.foreign) ?? ownHolder(paths.own);
}

/** @param {string} path @param {string} nonce */
function release(path, nonce) {
  if (parse(readOrNull(path))?.nonce === nonce) unlinkSync(path);
}

/** Moves a dead lock away, unless somebody else has just put a live one there. @param {string} path */
function moveAway(path) {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (isCode(error, "ENOENT")) return;
    throw error;
  }
  try {
    if (ownHolder(aside)) linkSync(aside, path);
  } finally {
    unlinkSync(aside);
  }
}

/**
 * Takes the lock or says who has it.
 * @param {{ own: string, foreign: string }} paths
 * @param {number} port
 * @returns {Taken}
 */
export function takeLock(paths, port) {
  const nonce = randomUUID();
  /** @type {LockFile} */
  const lock = { pid: process.pid, started: startTime(process.pid), boot_id: bootId(), nonce, port };
  const temp = `${paths.own}.${nonce}`;
  writeFileSync(temp, `${JSON.stringify(lock)}\n`, { mode: 0o600, flag: "wx" });
  try {
    for (;;) {
      const holder = lockHolder(paths);
      if (holder) return { ok: false, holder };
      try {
        linkSync(temp, paths.own);
        return { ok: true, release: () => release(paths.own, nonce) };
      } catch (error) {
        if (!isCode(error, "EEXIST")) throw error;
        moveAway(paths.own);
      }
    }
  } finally {
    unlinkSync(temp);
  }
}
