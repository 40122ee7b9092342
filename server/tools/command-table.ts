/** The commands of one Session that outlive the call that started them, and those still inside it. */
import { randomBytes } from "node:crypto";
import type { CommandLine } from "../workspace/sandbox";
import { CommandProcess, type Exit } from "./command-process";

/** Kept at most; ended ones make room first, then the one that was not looked at for longest. */
const MAX_KEPT = 64;

export interface ProcessView {
  process_id: string;
  cmd: string;
  /** ISO 8601 */
  started_at: string;
  isolated: boolean;
}

/** A command that ran in the background and ended by itself. */
export interface CommandEnded {
  process_id: string;
  exit: Exit;
  /** The newest part of what was not read. */
  tail: string;
}
export interface CommandHooks {
  ended(ended: CommandEnded): void;
  changed(): void;
}

/** UTF-16 units. */
const TAIL_CHARS = 4_000;

export class CommandTable {
  /** In the order of their last use. */
  readonly #kept = new Map<string, CommandProcess>();
  /** Everything that may still have processes, kept or not. */
  readonly #alive = new Set<CommandProcess>();
  #disposed = false;

  constructor(private readonly hooks: CommandHooks = { ended: () => {}, changed: () => {} }) {}

  /** Starts a command that is not in the table yet: `keep` gives it its place there. */
  async start(line: CommandLine): Promise<CommandProcess> {
    const process = await CommandProcess.start(`proc-${randomBytes(4).toString("hex")}`, line);
    this.#alive.add(process);
    for (const old of this.#alive) if (!old.alive) this.#alive.delete(old);
    if (this.#disposed) process.killNow();
    return process;
  }

  /** From now on it runs in the background: its end is told to whoever reads it then, else to the Session. */
  keep(process: CommandProcess): void {
    this.#kept.set(process.id, process);
    process.onGone = () => this.hooks.changed();
    if (!process.exit) void process.ended.then((exit) => this.#tell(process, exit));
    this.hooks.changed();
    while (this.#kept.size > MAX_KEPT) {
      const others = [...this.#kept.values()].filter((p) => p !== process);
      const victim = others.find((p) => !p.alive) ?? others[0];
      if (!victim) return;
      this.#kept.delete(victim.id);
      void victim.kill();
    }
  }

  #tell(process: CommandProcess, exit: Exit): void {
    if (process.killed || process.attached || this.#disposed) return;
    this.hooks.ended({ process_id: process.id, exit, tail: process.unreadTail(TAIL_CHARS) });
  }

  async stop(id: string): Promise<boolean> {
    const found = this.#kept.get(id);
    await found?.kill();
    return found !== undefined;
  }

  /** Finds a kept command and notes that it was used. */
  get(id: string): CommandProcess | null {
    const found = this.#kept.get(id);
    if (!found) return null;
    this.#kept.delete(id);
    this.#kept.set(id, found);
    return found;
  }

  remove(id: string): void {
    this.#kept.delete(id);
  }

  /** Does anything that was started here still run? */
  get busy(): boolean {
    return [...this.#alive].some((process) => process.alive);
  }

  /** Ids of the commands that still run, for a message. */
  running(): string[] {
    return [...this.#kept.values()].filter((p) => p.alive).map((p) => p.id);
  }

  views(): ProcessView[] {
    const running = [...this.#kept.values()].filter((p) => p.alive);
    return running.map((p) => ({
      process_id: p.id,
      cmd: p.cmd,
      started_at: new Date(p.startedAt).toISOString(),
      isolated: p.isolated,
    }));
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await Promise.all([...this.#alive].map((p) => p.kill()));
    this.#kept.clear();
  }

  disposeNow(): void {
    this.#disposed = true;
    for (const process of this.#alive) process.killNow();
  }
}
