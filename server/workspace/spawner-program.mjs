// @ts-check
/**
 * The spawner: a small process that starts, watches and ends the commands of one server. A fork copies the page tables
 * of the process that forks, which holds a server of 200 MB for tens of milliseconds and this one for three.
 * Plain JavaScript without packages: Node runs this file as it stands, `spawner.ts` talks to it. When the server is
 * gone, however it ended, the channel closes, and everything it had started is killed.
 *
 *   started --exit--> children left? --no--> gone
 *                     yes, in the background: watched; else, and at every `kill`: SIGTERM, after 400 ms SIGKILL
 */
import { execFile, spawn } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { COMMAND_NICER, lowerPriority, neverInterrupt } from "./priority.mjs";
import { hasSurvivors, signalTree } from "./process-tree.mjs";
import { roomUse } from "./room-watch.mjs";

/** @typedef {import("./spawner-messages").Order} Order */
/** @typedef {import("./spawner-messages").Report} Report */
/** @typedef {{ id: number, pid: number, background: boolean, exited: boolean, killing: boolean, gone: boolean, entered: boolean, watch?: NodeJS.Timeout }} Command */
/** @typedef {{ id: number, pid: number, processes: number, bytes: number }} Room */

/** From SIGTERM to SIGKILL. Milliseconds. */
const TERM_MS = 400;
const LOOK_MS = 20;
/** How often a finished background command is asked whether its children still run. Milliseconds. */
const WATCH_MS = 2_000;
/** How often what rooms take is counted. Milliseconds. */
const COUNT_MS = 500;
/** SIGKILL is repeated for members that were forked meanwhile. */
const KILL_ROUNDS = 50;
/** Pipes made at once: `mkfifo` is a process too. */
const BATCH = 64;

const temporary = process.argv[2] ?? "/tmp";
/** Everything that may still have processes. @type {Map<number, Command>} */
const commands = new Map();
/** Rooms that are watched, by the command that made them. @type {Map<number, Room>} */
const rooms = new Map();
/** @type {NodeJS.Timeout | null} */
let looking = null;
/** Of the pipes; only this user may enter it. @type {string | null} */
let folder = null;
let made = 0;
let used = 0;

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {Report} report */
function say(report) {
  if (process.connected) process.send?.(report, undefined, undefined, () => {});
}

/** @param {unknown} error */
const reason = (error) => (error instanceof Error ? error.message : String(error));

/**
 * Node's own "pipe" is a socket, and a program that opens /dev/stdout or /dev/stderr fails on one.
 * @param {number} count
 */
async function makePipes(count) {
  try {
    const home = folder ?? mkdtempSync(join(temporary, `penguin-pipe-${process.pid}-`));
    folder = home;
    const paths = Array.from({ length: count }, () => join(home, String(made++)));
    await promisify(execFile)("mkfifo", ["-m", "600", ...paths]);
    say({ report: "pipes", paths });
  } catch (error) {
    say({ report: "no_pipes", message: `no pipe for the output: ${reason(error)}` });
  }
}

/** Never waits for the other end; what is inherited below descriptor 3 is set to blocking. @param {string} path @param {number} mode */
function openPipe(path, mode) {
  const file = openSync(path, mode | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  unlinkSync(path);
  used += 1;
  return file;
}

/** @param {Extract<Order, { order: "start" }>} order */
function start({ id, program, args, cwd, env, output, input, background, entered }) {
  /** @type {number[]} */
  const files = [];
  try {
    files.push(openPipe(output, constants.O_WRONLY));
    if (input !== null) files.push(openPipe(input, constants.O_RDONLY));
    const [out, from = /** @type {const} */ ("ignore")] = files;
    const child = spawn(program, args, { cwd, env, detached: true, stdio: [from, out, out] });
    child.once("error", (error) => {
      if (child.pid === undefined) say({ report: "failed", id, message: error.message });
    });
    if (child.pid === undefined) return;
    /** @type {Command} */
    const command = { id, pid: child.pid, background, exited: false, killing: false, gone: false, entered };
    commands.set(id, command);
    lowerPriority(child.pid, COMMAND_NICER);
    say({ report: "started", id, pid: child.pid });
    child.once("exit", (code, signal) => afterExit(command, code, signal));
  } catch (error) {
    say({ report: "failed", id, message: reason(error) });
  } finally {
    for (const file of files) closeSync(file);
    if (used >= BATCH / 2) {
      void makePipes(used);
      used = 0;
    }
  }
}

/**
 * Ends what a foreground command left behind, watches what a background command left.
 * @param {Command} command
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
function afterExit(command, code, signal) {
  command.exited = true;
  const left = !command.gone && hasSurvivors(command.pid);
  say({ report: "exited", id: command.id, code, signal, left });
  if (!left) leave(command);
  else if (!command.background) void kill(command);
  else {
    command.watch = setInterval(() => {
      if (!hasSurvivors(command.pid)) leave(command);
    }, WATCH_MS);
  }
}

/** Counts what rooms take; one that takes too much ends by its first process, at once and with everything in it. */
function lookAtRooms() {
  const watched = [...rooms.values()];
  const uses = roomUse(watched.map(({ pid }) => pid));
  for (const [i, room] of watched.entries()) {
    const use = uses[i];
    const what = !use ? null : use.processes > room.processes ? "processes" : use.bytes > room.bytes ? "memory" : null;
    if (!use) rooms.delete(room.id);
    if (!what) continue;
    rooms.delete(room.id);
    say({ report: "over", id: room.id, what });
    try {
      process.kill(room.pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
  }
  if (rooms.size > 0 || !looking) return;
  clearInterval(looking);
  looking = null;
}

/** Nothing of it is left. @param {Command} command */
function leave(command) {
  if (command.gone) return;
  command.gone = true;
  rooms.delete(command.id);
  clearInterval(command.watch);
  commands.delete(command.id);
  say({ report: "gone", id: command.id });
}

/** @param {Command} command */
async function kill(command) {
  if (command.killing) return;
  command.killing = true;
  signalTree(command.pid, "SIGTERM");
  const until = Date.now() + TERM_MS;
  while (Date.now() < until) {
    await sleep(LOOK_MS);
    if (command.exited && !hasSurvivors(command.pid)) return leave(command);
  }
  await killNow(command);
  leave(command);
}

/** SIGKILL to the whole tree, until nothing is left of it. @param {Command} command */
async function killNow(command) {
  for (let round = 0; round < KILL_ROUNDS && !command.gone; round++) {
    if (!signalTree(command.pid, "SIGKILL")) return;
    await sleep(5);
  }
}

/** @param {Order} order */
function obey(order) {
  if (order.order === "start") return start(order);
  if (order.order === "pipes") {
    folder = null;
    return void makePipes(BATCH);
  }
  const command = commands.get(order.id);
  if (!command) return;
  if (order.order === "watch") {
    rooms.set(order.id, order);
    looking ??= setInterval(lookAtRooms, COUNT_MS);
    return;
  }
  if (order.order === "kill") void kill(command);
  else if (order.order === "kill_now") void killNow(command);
  else signalTree(command.pid, "SIGINT", command.entered ? command.pid : undefined);
}

async function end() {
  await Promise.all([...commands.values()].map(killNow));
  if (folder) rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

// It ends with the server and never before: a signal to all processes of a service finds commands to be closed first.
for (const signal of /** @type {const} */ (["SIGTERM", "SIGINT", "SIGHUP"])) process.on(signal, () => {});
process.on("message", obey);
process.once("disconnect", () => void end());
// Commands wait for pipes, and so for this.
void neverInterrupt().then(() => makePipes(BATCH));
