/**
 * The server's end of the spawner: commands are started, watched and ended by a small process beside the server
 * (`spawner-program.mjs`), made at the first command and again when it died. Their output comes through named pipes.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { lowerPriority, SPAWNER_NICER } from "./priority.mjs";
import { signalTree } from "./process-tree.mjs";
import { type Order, type Report, report } from "./spawner-messages";

/** The program is no part of any bundle: Node runs the source, found from the project's folder, where servers run. */
const PROGRAM = ["server", "workspace", "spawner-program.mjs"];

const ENDED = "the process that starts commands has ended";

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

export interface Program {
  program: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Has it an input? Else its reads end at once. */
  input: boolean;
  /** Its children outlive its shell. */
  background: boolean;
  /** It only leads into a room. */
  entered?: boolean;
}

/** What the processes of a room may take together. */
export interface Watch {
  /** The room's first process. */
  pid: number;
  processes: number;
  bytes: number;
}

type Later<T> = { promise: Promise<T>; resolve(value: T): void; reject(error: Error): void };

function later<T>(): Later<T> {
  let [resolve, reject]: [(value: T) => void, (error: Error) => void] = [() => {}, () => {}];
  const promise = new Promise<T>((yes, no) => {
    [resolve, reject] = [yes, no];
  });
  return { promise, resolve, reject };
}

/** Our ends of a command's pipes. A pipe may only be read once the command has its end: until then it looks ended. */
interface Ends {
  output: number;
  input: number | null;
  /** Another reader of the input, until the command is there. */
  hold: number | null;
}

/** Without waiting for the other end. */
const openPipe = (path: string, mode: number) => openSync(path, mode | constants.O_NONBLOCK | constants.O_NOFOLLOW);

function openEnds(output: string, input: string | null): Ends {
  const ends: Ends = { output: openPipe(output, constants.O_RDONLY), input: null, hold: null };
  try {
    if (input !== null) {
      ends.hold = openPipe(input, constants.O_RDONLY);
      ends.input = openPipe(input, constants.O_WRONLY);
    }
    return ends;
  } catch (error) {
    closeEnds(ends);
    throw error;
  }
}

function closeEnds({ output, input, hold }: Ends): void {
  for (const file of [output, input, hold]) if (file !== null) closeSync(file);
}

/** A command as its starter sees it. */
export class Running {
  readonly exited = later<Exit & { left: boolean }>();
  readonly gone = later<void>();
  readonly output: Readable;
  readonly input: Writable | null;

  constructor(
    readonly pid: number,
    ends: Ends,
    private readonly order: (order: "kill" | "kill_now" | "interrupt" | Watch) => void,
  ) {
    if (ends.hold !== null) closeSync(ends.hold);
    this.output = new Socket({ fd: ends.output, readable: true, writable: false });
    this.input = ends.input === null ? null : new Socket({ fd: ends.input, readable: false, writable: true });
  }

  /** SIGTERM to the whole tree, SIGKILL to what is left of it 400 ms later. */
  kill(): void {
    this.order("kill");
  }
  /** SIGKILL to the whole tree. The order is given at once; should the server end meanwhile, that kills as well. */
  killNow(): void {
    this.order("kill_now");
  }
  interrupt(): void {
    this.order("interrupt");
  }
  /** From now on; `over` is told before the end. */
  watch(limits: Watch, over: (what: "memory" | "processes") => void): void {
    this.over = over;
    this.order(limits);
  }
  over: (what: "memory" | "processes") => void = () => {};
}

/** From the order to the last report. */
interface Watched {
  ends: Ends;
  started: Later<Running>;
  running: Running | null;
  /** `exited` and `gone`, in any order. */
  expected: number;
}

class Spawner {
  readonly #child: ChildProcess;
  readonly #commands = new Map<number, Watched>();
  /** Paths of unused pipes. */
  #pipes: string[] = [];
  readonly #waiting: Later<string>[] = [];
  #serial = 0;
  /** It died: another one is needed. */
  dead = false;

  constructor() {
    // No settings of the server, no keys: whatever runs here can read the environment of its parent.
    const env = Object.assign(Object.create(null), { PATH: process.env.PATH });
    this.#child = spawn(process.execPath, [join(/* turbopackIgnore: true */ process.cwd(), ...PROGRAM), tmpdir()], {
      cwd: "/",
      env,
      // A session of its own: Ctrl-C in the server's terminal must not come here first.
      detached: true,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    // Before the first command is ordered: what it starts inherits it.
    if (this.#child.pid !== undefined) lowerPriority(this.#child.pid, SPAWNER_NICER);
    this.#child.on("message", (message) => this.#hear(report.parse(message)));
    this.#child.once("error", () => this.#lost());
    this.#child.once("disconnect", () => this.#lost());
    this.#child.unref();
  }

  /** Throws when the program cannot be started; its message says why. */
  async start({ input, ...program }: Program): Promise<Running> {
    const { ends, ...paths } = await this.#open(input).catch(() => {
      // Somebody tidied the folder away.
      this.#pipes = [];
      this.#order({ order: "pipes" });
      return this.#open(input);
    });
    if (this.dead) {
      closeEnds(ends);
      throw new Error(ENDED);
    }
    const id = ++this.#serial;
    const watched: Watched = { ends, started: later(), running: null, expected: 2 };
    this.#commands.set(id, watched);
    this.#order({ order: "start", id, entered: false, ...program, ...paths });
    this.#hold();
    return watched.started.promise;
  }

  async #open(withInput: boolean) {
    const output = await this.#pipe();
    const input = withInput ? await this.#pipe() : null;
    return { output, input, ends: openEnds(output, input) };
  }

  async #pipe(): Promise<string> {
    const ready = this.#pipes.shift();
    if (ready !== undefined) return ready;
    const wanted = later<string>();
    if (this.dead) wanted.reject(new Error(ENDED));
    else this.#waiting.push(wanted);
    this.#hold();
    return wanted.promise;
  }

  /** While something is expected from it, the spawner keeps this process running. */
  #hold(): void {
    if (this.#commands.size + this.#waiting.length > 0) this.#child.channel?.ref();
    else this.#child.channel?.unref();
  }

  #order(order: Order): void {
    // A failure is followed by the end of the channel, which settles everything.
    if (this.#child.connected) this.#child.send(order, () => {});
  }

  #hear(heard: Report): void {
    if (heard.report === "pipes") {
      this.#pipes.push(...heard.paths);
      for (const wanted of this.#waiting.splice(0, this.#pipes.length)) wanted.resolve(this.#pipes.shift() ?? "");
    } else if (heard.report === "no_pipes") {
      for (const wanted of this.#waiting.splice(0)) wanted.reject(new Error(heard.message));
    } else this.#hearOf(heard.id, heard);
    this.#hold();
  }

  #hearOf(id: number, heard: Extract<Report, { id: number }>): void {
    const watched = this.#commands.get(id);
    if (!watched) return;
    if (heard.report === "started") {
      watched.running = new Running(heard.pid, watched.ends, (order) =>
        this.#order(typeof order === "string" ? { order, id } : { order: "watch", id, ...order }),
      );
      watched.started.resolve(watched.running);
    } else if (heard.report === "failed") {
      this.#commands.delete(id);
      closeEnds(watched.ends);
      watched.started.reject(new Error(heard.message));
    } else if (heard.report === "over") watched.running?.over(heard.what);
    else {
      if (heard.report === "exited") watched.running?.exited.resolve(heard);
      else watched.running?.gone.resolve();
      watched.expected -= 1;
      if (watched.expected === 0) this.#commands.delete(id);
    }
  }

  /** It died, and nobody watches its commands any more: they end here. */
  #lost(): void {
    if (this.dead) return;
    this.dead = true;
    const why = new Error(ENDED);
    for (const wanted of this.#waiting.splice(0)) wanted.reject(why);
    for (const { running, started, ends } of this.#commands.values()) {
      if (!running) {
        closeEnds(ends);
        started.reject(why);
        continue;
      }
      signalTree(running.pid, "SIGKILL");
      running.exited.resolve({ code: null, signal: "SIGKILL", left: false });
      running.gone.resolve();
    }
    this.#commands.clear();
  }
}

/** One is enough: only the copy of this module that the runtime's Sessions use ever makes it. */
let spawner: Spawner | null = null;

/** Starts a program as leader of a session and group of its own. Throws when it cannot be started. */
export function startProgram(program: Program): Promise<Running> {
  if (!spawner || spawner.dead) spawner = new Spawner();
  return spawner.start(program);
}
