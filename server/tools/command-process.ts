/**
 * One running command. The exit of the shell ends it; nobody waits for the end of its pipe, which a child in the
 * background may hold open for ever.
 *
 *   running --exit--> draining (50 ms) --> ended        kill(): SIGTERM, after 400 ms SIGKILL, to the whole tree
 */
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { hasSurvivors, signalTree } from "../workspace/process-tree";
import { type CommandLine, type Started, startCommand } from "../workspace/sandbox";
import { UnreadBuffer } from "./unread-buffer";

/** What the shell wrote just before its exit may still be in the pipe. Milliseconds. */
const DRAIN_MS = 50;
const DRAIN_ROUNDS = 4;
/** From SIGTERM to SIGKILL. Milliseconds. */
const TERM_MS = 400;
/** A command that writes faster than this is slowed down through its pipe, so that it cannot starve other Sessions. */
const BYTES_PER_TICK = 16 * 1024 * 1024;
const TICK_MS = 100;
/** How often a finished background command is asked whether its children still run. Milliseconds. */
const WATCH_MS = 2_000;

export type Exit = { code: number | null; signal: NodeJS.Signals | null; error?: string };

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export class CommandProcess {
  readonly id: string;
  readonly cmd: string;
  readonly startedAt = Date.now();
  /** Started with `run_in_background`: its children outlive its shell, and its stdin is open. */
  readonly background: boolean;
  /** Resolves after exit and drain; never rejects. */
  readonly ended: Promise<Exit>;
  exit: Exit | null = null;
  /** Were children of a foreground command ended together with it? */
  endedChildren = false;
  readonly isolated: boolean;
  /** Called once when nothing of it is left. */
  onGone: () => void = () => {};
  readonly #started: Started;
  readonly #unread = new UnreadBuffer();
  #sink: ((text: string) => void) | null = null;
  /** Nothing of it is left: its number may belong to somebody else by now. */
  #gone = false;
  #killing: Promise<void> | null = null;
  /** Bytes of output so far. */
  #received = 0;
  #draining = false;

  private constructor(id: string, line: CommandLine, started: Started, background: boolean) {
    this.id = id;
    this.cmd = line.cmd;
    this.background = background;
    this.isolated = started.isolated;
    this.#started = started;
    for (const output of started.outputs) this.#read(output);
    // A program that ended without reading its input is no fault.
    started.child.stdin?.on("error", () => {});
    this.ended = this.#wait();
  }

  /** Starts the command; a shell that cannot be started gives an ended process with `exit.error`. */
  static async start(id: string, line: CommandLine, background: boolean): Promise<CommandProcess> {
    return new CommandProcess(id, line, await startCommand(line), background);
  }

  get #pid(): number | undefined {
    return this.#started.child.pid;
  }

  #read(output: Readable): void {
    const decoder = new StringDecoder("utf8");
    let bytes = 0;
    let timer: NodeJS.Timeout | null = null;
    output.on("data", (chunk: Buffer) => {
      // NUL has no meaning in a text and some providers refuse it.
      this.#emit(decoder.write(chunk).replaceAll("\0", "\uFFFD"));
      this.#received += chunk.length;
      bytes += chunk.length;
      timer ??= setTimeout(() => {
        bytes = 0;
        timer = null;
        output.resume();
      }, TICK_MS).unref();
      if (bytes > BYTES_PER_TICK && !this.#draining) output.pause();
    });
    output.on("close", () => {
      if (timer) clearTimeout(timer);
      this.#emit(decoder.end());
    });
    output.on("error", () => output.destroy());
  }

  #emit(text: string): void {
    if (text === "") return;
    if (this.#sink) this.#sink(text);
    else this.#unread.push(text);
  }

  async #wait(): Promise<Exit> {
    const { child, outputs } = this.#started;
    const exit = await new Promise<Exit>((resolve) => {
      child.once("exit", (code, signal) => resolve({ code, signal }));
      child.once("error", (error) => {
        if (child.pid === undefined) resolve({ code: null, signal: null, error: error.message });
      });
    });
    this.#afterExit();
    if (!exit.error) await this.#drain(outputs);
    if (!(this.background && !this.#gone)) for (const output of outputs) output.destroy();
    child.stdin?.destroy();
    // `close` of the streams comes one turn later and flushes the decoder.
    await new Promise(setImmediate);
    this.exit = exit;
    return exit;
  }

  /** Reads what is still in the pipe. A busy event loop gets more time, a child that goes on writing does not. */
  async #drain(outputs: Readable[]): Promise<void> {
    this.#draining = true;
    for (const output of outputs) output.resume();
    for (let round = 0; round < DRAIN_ROUNDS; round++) {
      const before = this.#received;
      await Promise.race([sleep(DRAIN_MS), Promise.all(outputs.map(closed))]);
      if (this.#received === before || outputs.every((output) => output.closed)) return;
    }
  }

  /** The shell is gone: ends what a foreground command left behind, watches what a background command left. */
  #afterExit(): void {
    if (this.#pid === undefined || !hasSurvivors(this.#pid)) {
      this.#leave();
      return;
    }
    if (this.background) {
      const timer = setInterval(() => {
        if (this.#pid !== undefined && hasSurvivors(this.#pid)) return;
        clearInterval(timer);
        this.#leave();
        for (const output of this.#started.outputs) output.destroy();
      }, WATCH_MS).unref();
      return;
    }
    this.endedChildren = true;
    void this.kill();
  }

  /** Live output goes to `sink` from now on, what was not read yet first; answers with the way to let go. */
  attach(sink: (text: string) => void): () => void {
    const unread = this.#unread.take();
    if (unread !== "") sink(unread);
    this.#sink = sink;
    return () => {
      if (this.#sink === sink) this.#sink = null;
    };
  }

  /** Does it, or anything it started, still run? */
  get alive(): boolean {
    return !this.#gone;
  }

  #leave(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.onGone();
  }

  /** Was it, or is it being, ended from outside? */
  get killed(): boolean {
    return this.#killing !== null;
  }
  /** Does a call read it right now? */
  get attached(): boolean {
    return this.#sink !== null;
  }
  /** The newest of what nobody has read; it stays readable. */
  unreadTail(chars: number): string {
    return this.#unread.tail(chars);
  }

  get acceptsInput(): boolean {
    return this.exit === null && this.#started.child.stdin?.writable === true;
  }

  /** Writes to stdin; false: it is closed. Input that the command does not take is kept by the system's buffer only. */
  write(chars: string): boolean {
    if (!this.acceptsInput) return false;
    this.#started.child.stdin?.write(chars);
    return true;
  }

  endInput(): void {
    this.#started.child.stdin?.end();
  }

  /** Ctrl-C. */
  interrupt(): void {
    if (this.#pid !== undefined && !this.#gone) signalTree(this.#pid, "SIGINT");
  }

  /** SIGTERM to the whole tree, SIGKILL to what is left of it 400 ms later. Resolves when nothing is left. */
  kill(): Promise<void> {
    this.#killing ??= this.#kill();
    return this.#killing;
  }

  async #kill(): Promise<void> {
    const pid = this.#pid;
    if (pid === undefined || this.#gone) return;
    signalTree(pid, "SIGTERM");
    const until = Date.now() + TERM_MS;
    while (Date.now() < until) {
      await sleep(20);
      if (this.exit === null && this.#started.child.exitCode === null && this.#started.child.signalCode === null)
        continue;
      if (!hasSurvivors(pid)) break;
    }
    this.killNow();
    this.#leave();
  }

  /** SIGKILL to the whole tree at once. Synchronous. */
  killNow(): void {
    if (this.#pid !== undefined && !this.#gone) signalTree(this.#pid, "SIGKILL");
  }
}

function closed(stream: Readable): Promise<void> {
  return stream.closed ? Promise.resolve() : new Promise((resolve) => stream.once("close", resolve));
}
