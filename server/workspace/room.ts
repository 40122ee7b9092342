/** One room: made with bubblewrap, entered by commands, watched, and ended with everything in it. */
import { lstat, readFile, realpath, stat } from "node:fs/promises";
import { boundPaths, entryEnvironment, entryWords, READY, type RoomPlan, roomWords, slirpArguments } from "./room-plan";
import { type Program, type Running, startProgram } from "./spawner";

/** What this machine has of what rooms need. */
export interface Sandbox {
  bwrap: string;
  unshare: string;
  nsenter: string;
  /** Absent: no isolated network. */
  slirp?: string;
  /** Does the server run as root? */
  root: boolean;
  parts: Pick<RoomPlan, "system" | "etc" | "files">;
  limits: RoomLimits;
}
export interface RoomLimits {
  /** Of the data of one process, and of all of a Session together. Bytes. */
  memory: number;
  /** Of all commands of a Session together. */
  processes: number;
}

export type MadeRoom = { ok: true; room: Room } | { ok: false; message: string };

/** Milliseconds. */
const PATIENCE = 60_000;
const CHILD = /"child-pid":\s*(\d+)/;
/** slirp4netns writes it when the network stands. */
const NETWORK_READY = /(?<![\w.=])1(?![\w.])/;

/** Reads what a program says until `ready` is found in it. */
function said(running: Running, ready: (text: string) => boolean): Promise<{ ok: boolean; text: string }> {
  return new Promise((resolve) => {
    let text = "";
    const done = (ok: boolean) => {
      clearTimeout(timer);
      resolve({ ok, text });
    };
    const timer = setTimeout(() => done(false), PATIENCE);
    running.output.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      if (ready(text)) done(true);
    });
    running.output.on("error", () => {});
    // What it said last may still be in the pipe.
    void running.exited.promise.then(() => setTimeout(() => done(false), 50));
  });
}

const words = (text: string) => text.trim().split("\n").slice(-3).join(" ").slice(0, 500);
const background = (words: readonly string[]): Program => {
  const [program = "", ...args] = words;
  return { program, args, cwd: "/", env: { PATH: process.env.PATH ?? "" }, input: false, background: true };
};

/**
 * bubblewrap follows links, and somebody may have put one in the place of a folder meanwhile: what stands inside must
 * be what stands at the real path outside, or nobody enters. Throws.
 */
async function verify(plan: RoomPlan, inside: number): Promise<void> {
  for (const bound of boundPaths(plan)) {
    const [there, here, real] = await Promise.all([
      stat(`/proc/${inside}/root${bound.inside}`, { bigint: true }),
      lstat(bound.outside, { bigint: true }),
      realpath(bound.outside),
    ]);
    if (there.ino === here.ino && there.dev === here.dev && real === bound.outside) continue;
    throw new Error(`${bound.outside} was replaced meanwhile`);
  }
}

export class Room {
  /** What the commands took too much of, and were ended for. */
  over: "memory" | "processes" | null = null;
  #gone = false;

  private constructor(
    private readonly sandbox: Sandbox,
    private readonly plan: RoomPlan,
    private readonly inside: number,
    private readonly running: Running,
    private readonly network: Running | null,
  ) {
    void running.exited.promise.then(() => this.#leave());
    running.watch({ pid: inside, processes: sandbox.limits.processes, bytes: sandbox.limits.memory }, (what) => {
      this.over = what;
    });
  }

  /** Never throws; what bubblewrap says against it is the message. */
  static async make(sandbox: Sandbox, plan: RoomPlan): Promise<MadeRoom> {
    let running: Running | null = null;
    try {
      running = await startProgram(background(roomWords(plan, sandbox)));
      const { ok, text } = await said(running, (heard) => heard.includes(READY) && CHILD.test(heard));
      const inside = Number(CHILD.exec(text)?.[1]);
      if (!ok || !inside) throw new Error(words(text) || "bubblewrap did not answer");
      await verify(plan, inside);
      const network = plan.network === "isolated" ? await Room.#connect(sandbox, running.pid) : null;
      return { ok: true, room: new Room(sandbox, plan, inside, running, network) };
    } catch (error) {
      running?.killNow();
      return { ok: false, message: error instanceof Error ? error.message : String(error) };
    }
  }

  static async #connect({ slirp, root }: Sandbox, outside: number): Promise<Running> {
    if (!slirp) throw new Error("slirp4netns is not installed");
    const running = await startProgram(background([slirp, ...slirpArguments(outside, root)]));
    const { ok, text } = await said(running, (heard) => NETWORK_READY.test(heard));
    // Some failures have a 1 in them too.
    if (ok && (await readFile(`/proc/${outside}/net/dev`, "utf8")).includes("tap0")) return running;
    running.killNow();
    throw new Error(`no isolated network: ${words(text) || "slirp4netns did not answer"}`);
  }

  get alive(): boolean {
    return !this.#gone && this.over === null;
  }

  /** The program that runs a command line in here. */
  entry(cwd: string, command: readonly string[], given: Pick<Program, "env" | "input" | "background">): Program {
    const { sandbox, plan, inside, running } = this;
    const door = { inside, outside: running.pid };
    const { nsenter, root, limits } = sandbox;
    const entry = { nsenter, root, network: plan.network, door, memory: limits.memory };
    const [program, ...args] = entryWords(entry, cwd, command);
    return { ...given, env: entryEnvironment(given.env), program, args, cwd: "/", entered: true };
  }

  /** Everything in it ends at once. */
  end(): void {
    this.running.killNow();
    this.#leave();
  }

  #leave(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.network?.killNow();
  }
}
