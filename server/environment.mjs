// @ts-check
/**
 * What the system shows of this process's environment (/proc/<pid>/environ) can be read by every program of the same
 * account, so by every command that is not isolated. Once the settings are read, the server overwrites there all that
 * is not harmless; for this process the variables stay as they are. Linux only; plain JavaScript, so that a test can
 * run it in a process of its own.
 */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

/** What a command is given anyway, and what says nothing about anybody's keys. */
const HARMLESS =
  /^(PATH|HOME|PWD|OLDPWD|SHELL|SHLVL|_|USER|LOGNAME|HOSTNAME|TERM|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|NODE_ENV|HOST|PORT)$/;

/** Where the block stands in this process's memory: fields 50 and 51 of proc(5), bytes. */
function blockStart() {
  const stat = readFileSync("/proc/self/stat", "latin1");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[47]);
}

/** Values that are still shown, as [offset, length] in bytes. @param {Buffer} block */
function shown(block) {
  /** @type {[number, number][]} */
  const found = [];
  for (let from = 0; from < block.length; ) {
    const zero = block.indexOf(0, from);
    const to = zero < 0 ? block.length : zero;
    const equals = block.subarray(from, to).indexOf("=");
    const name = equals < 0 ? "" : block.toString("latin1", from, from + equals);
    if (equals > 0 && to > from + equals + 1 && !HARMLESS.test(name)) {
      found.push([from + equals + 1, to - from - equals - 1]);
    }
    from = to + 1;
  }
  return found;
}

/** True: nothing but harmless values is shown any more. */
export function hideEnvironment() {
  if (process.platform !== "linux") return false;
  try {
    // A variable that is set anew stands elsewhere, so that nothing refers to the block any more.
    for (const [name, value] of Object.entries(process.env)) process.env[name] = value;
    const start = blockStart();
    const memory = openSync("/proc/self/mem", "r+");
    try {
      for (const [offset, length] of shown(readFileSync("/proc/self/environ"))) {
        writeSync(memory, Buffer.alloc(length), 0, length, start + offset);
      }
    } finally {
      closeSync(memory);
    }
    return shown(readFileSync("/proc/self/environ")).length === 0;
  } catch {
    return false;
  }
}
