/**
 * The one place where a command line of an Agent is started, so that isolation can be switched on here later.
 * Until then commands run with the rights of the server's own account, and `ISOLATION` says so.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import type { Readable } from "node:stream";
import { openPipe } from "./pipe";

export const ISOLATION: { isolated: boolean; reason: string } = {
  isolated: false,
  reason: "Commands are not isolated: they run with the rights of the server's account.",
};

/** Besides LC_*, all that a command inherits from the server's environment (AC3). */
const INHERITED = ["PATH", "LANG", "LANGUAGE", "TZ"];
const FORCED: Record<string, string> = {
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
};
const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Environment of a command: an allow-list of the host's, the Agent's vault, then what must not be changed. */
export function commandEnvironment(
  host: Readonly<Record<string, string | undefined>>,
  dirs: { home: string; tmp: string },
  vault: Readonly<Record<string, string>>,
): Record<string, string> {
  const inherited = Object.entries(host).flatMap(([key, value]) =>
    value !== undefined && (INHERITED.includes(key) || key.startsWith("LC_")) ? [[key, value]] : [],
  );
  return {
    PATH: DEFAULT_PATH,
    ...Object.fromEntries(inherited),
    HOME: dirs.home,
    TMPDIR: dirs.tmp,
    ...vault,
    ...FORCED,
  };
}

/** `PENGUIN_SHELL`, possibly with its options; absent: `bash -lc`. */
function shellWords(shell: string | undefined): [string, ...string[]] {
  const [program, ...options] = (shell ?? "bash -lc").split(/\s+/).filter(Boolean);
  return [program ?? "bash", ...(options.length > 0 ? options : ["-lc"])];
}

export interface CommandLine {
  cmd: string;
  cwd: string;
  env: Record<string, string>;
  shell?: string;
  /** "none": reads end at once, so a program that asks for input does not hang. */
  stdin: "none" | "pipe";
}

export interface Started {
  child: ChildProcess;
  /** stdout and stderr, in the order written where the system allows it. */
  outputs: Readable[];
  isolated: boolean;
}

let turn: Promise<void> = Promise.resolve();

/** One process start per turn of the event loop: each holds it for milliseconds, and many Sessions start some at once. */
function spawnTurn(): Promise<void> {
  const mine = turn;
  turn = turn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return mine;
}

/** Starts a command line as leader of a session and group of its own. Spawn errors arrive as the child's `error` event. */
export async function startCommand(line: CommandLine): Promise<Started> {
  const [program, ...options] = shellWords(line.shell);
  const pipe = await openPipe();
  await spawnTurn();
  // Next declares NODE_ENV as a must of every environment; a command's has none.
  const env: NodeJS.ProcessEnv = Object.assign(Object.create(null), line.env);
  const out = pipe ? pipe.write : "pipe";
  try {
    const child = spawn(program, [...options, line.cmd], {
      cwd: line.cwd,
      env,
      detached: true,
      stdio: [line.stdin === "pipe" ? "pipe" : "ignore", out, out],
    });
    const outputs = pipe ? [pipe.read] : [child.stdout, child.stderr].filter((s) => s !== null);
    return { child, outputs, isolated: ISOLATION.isolated };
  } catch (error) {
    pipe?.read.destroy();
    throw error;
  } finally {
    if (pipe) closeSync(pipe.write);
  }
}
