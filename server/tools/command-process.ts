/**
 * One running command. The exit of the shell ends it; nobody waits for the end of its pipe, which a child in the
 * background may hold open for ever.
 *
 *   running --exit--> draining (50 ms) --> ended        gone: its children have ended too
 */
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { Room } from "../workspace/room";
import { type CommandLine, startCommand } from "../workspace/sandbox";
import type { Exit, Running } from "../workspace/spawner";
import { UnreadBuffer } from "./unread-buffer";

/** What the shell wrote just before its exit may still be in the pipe. Milliseconds. */
const DRAIN_MS = 50;
const DRAIN_ROUNDS = 4;
/** A command that writes faster than this is slowed down through its pipe, so that it cannot starve other Sessions. */
const BYTES_PER_TICK = 16 * 1024 * 1024;
const TICK_MS = 100;

export type { Exit };

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
  readonly #room: Room | undefined;
  /** Called once when nothing of it is left. */
  onGone: () => void = () => {};
  readonly #running: Running;
  readonly #unread = new UnreadBuffer();
  #sink: ((text: string) => void) | null = null;
  /** Nothing of it is left: its number may belong to somebody else by now. */
  #gone = false;
  #killing: Promise<void> | null = null;
  /** Bytes of output so far. */
  #received = 0;
  #draining = false;

  private constructor(id: string, line: CommandLine, running: Running) {
    this.id = id;
    this.cmd = line.cmd;
    this.background = line.background;
    this.#room = line.room;
    this.#running = running;
    this.#read(running.output);
    // A program that ended without reading its input is no fault.
    running.input?.on("error", () => {});
    void running.gone.promise.then(() => this.#leave());
    this.ended = this.#wait();
  }

  /** Starts the command; throws when its shell cannot be started. */
  static async start(id: string, line: CommandLine): Promise<CommandProcess> {
    return new CommandProcess(id, line, await startCommand(line));
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
    const { output, input, exited } = this.#running;
    const { code, signal, left } = await exited.promise;
    if (!left) this.#leave();
    else if (!this.background) this.#endChildren();
    await this.#drain(output);
    if (this.#gone || !this.background) output.destroy();
    input?.destroy();
    // `close` of the stream comes one turn later and flushes the decoder.
    await new Promise(setImmediate);
    this.exit = { code, signal };
    return this.exit;
  }

  /** Reads what is still in the pipe. A busy event loop gets more time, a child that goes on writing does not. */
  async #drain(output: Readable): Promise<void> {
    this.#draining = true;
    output.resume();
    for (let round = 0; round < DRAIN_ROUNDS; round++) {
      const before = this.#received;
      await Promise.race([sleep(DRAIN_MS), closed(output)]);
      if (this.#received === before || output.closed) return;
    }
  }

  /** What a foreground command left in the background is ended with it; the spawner is at it. */
  #endChildren(): void {
    this.endedChildren = true;
    this.#killing ??= this.#running.gone.promise;
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
    // After the end of its shell only its children could still write.
    if (this.exit) this.#running.output.destroy();
    this.onGone();
  }

  get isolated(): boolean {
    return this.#room !== undefined;
  }
  /** What the commands of its room took too much of; null: nothing. */
  get over(): "memory" | "processes" | null {
    return this.#room?.over ?? null;
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
    return this.exit === null && this.#running.input?.writable === true;
  }

  /** Writes to stdin; false: it is closed. Input that the command does not take is kept by the system's buffer only. */
  write(chars: string): boolean {
    if (!this.acceptsInput) return false;
    this.#running.input?.write(chars);
    return true;
  }

  endInput(): void {
    this.#running.input?.end();
  }

  /** Ctrl-C. */
  interrupt(): void {
    if (!this.#gone) this.#running.interrupt();
  }

  /** SIGTERM to the whole tree, SIGKILL to what is left of it 400 ms later. Resolves when nothing is left. */
  kill(): Promise<void> {
    if (!this.#killing && !this.#gone) this.#running.kill();
    this.#killing ??= this.#running.gone.promise;
    return this.#killing;
  }

  /** SIGKILL to the whole tree. Does not wait. */
  killNow(): void {
    if (!this.#gone) this.#running.killNow();
  }
}

function closed(stream: Readable): Promise<void> {
  return stream.closed ? Promise.resolve() : new Promise((resolve) => stream.once("close", resolve));
}
