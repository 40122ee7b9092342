/**
 * exec_command: runs a command line in the Workspace.
 *
 * The rule of input and of children: a foreground command reads nothing (its stdin is empty) and what it leaves in the
 * background ends with its shell, also when it went on behind yield_time_ms and input_command only reads it. With
 * run_in_background stdin stays open for input_command, and children live until kill_command or the Session's end.
 */
import { realpath, stat } from "node:fs/promises";
import { z } from "zod";
import { openDir } from "../workspace/open";
import { clampYield, exitResult, runningNote, waitFor } from "./command-call";
import { defineTool, type ToolRun, type ToolSession } from "./tool";

/** How long a background command is watched for an early end. Milliseconds. */
const EARLY_MS = 250;

/** The folder to start in, or why there is none. A missing folder must not look like a missing shell. */
async function workdirOf(
  session: ToolSession,
  given: string,
): Promise<{ ok: true; path: string } | { ok: false; message: string }> {
  const { confinement } = session;
  if (!(await confinement.workspaceExists()))
    return { ok: false, message: `Workspace does not exist: ${confinement.workspace}` };
  if (given.includes("\0")) return { ok: false, message: "workdir contains a NUL character." };
  const wanted = confinement.absolute(given === "" ? "." : given);
  const path = await realpath(wanted).catch(() => null);
  const found = path === null ? null : await stat(path).catch(() => null);
  if (path === null || !found?.isDirectory())
    return { ok: false, message: `workdir does not exist or is not a directory: ${wanted}` };
  if (!(await confinement.allowsWorkdir(path)))
    return { ok: false, message: `Refused: this Session may not work in ${path}.` };
  return { ok: true, path };
}

/** HOME and TMPDIR exist before the first command needs them. A link in their place is not followed: why, else null. */
async function ensureHome({ layout, ref, sessionId, confinement }: ToolSession): Promise<string | null> {
  for (const path of [layout.sharedHome(ref), layout.sessionTmp(ref, sessionId)]) {
    const folder = await openDir(await confinement.realPlace(path), 0o700);
    if (!folder.ok) return `The command was not run: ${path} cannot be used as a folder (${folder.code}).`;
    await folder.close();
  }
  return null;
}

async function start(run: ToolRun, cmd: string, workdir: string, background: boolean) {
  const { session } = run;
  const cwd = await workdirOf(session, workdir);
  if (!cwd.ok) return cwd;
  if (cmd.includes("\0")) return { ok: false as const, message: "cmd contains a NUL character." };
  const homeless = await ensureHome(session);
  if (homeless !== null) return { ok: false as const, message: homeless };
  const entered = await session.enterRoom();
  if (entered && !entered.ok) {
    return { ok: false as const, message: `The command was not run: it cannot be isolated (${entered.message}).` };
  }
  const line = {
    cmd,
    cwd: cwd.path,
    env: session.commandEnv(),
    shell: session.shell,
    background,
    ...(entered ? { room: entered.room } : {}),
  };
  try {
    return { ok: true as const, process: await session.commands.start(line) };
  } catch (error) {
    return { ok: false as const, message: `[spawn error: ${error instanceof Error ? error.message : String(error)}]` };
  }
}

export const execCommand = defineTool({
  name: "exec_command",
  description:
    "Runs a command line with bash in the Workspace and returns what it writes to stdout and stderr. The call ends when the shell exits; whatever a foreground command leaves in the background is ended with it. Input is closed, so a program that asks a question gets none. A command that is still running after yield_time_ms goes on in the background under a process_id (input_command reads it, kill_command ends it). Use run_in_background for servers, watchers and programs that need input.",
  permission: "rw",
  timeoutMs: 120_000,
  maxOutputLength: 16_000,
  describeCall: true,
  params: {
    cmd: z.string().describe("The command line."),
    workdir: z
      .string()
      .default("")
      .describe("Folder to start in; relative paths count from the Workspace. Default: the Workspace."),
    yield_time_ms: z
      .number()
      .default(60_000)
      .describe("How long to wait for the end before the command goes on in the background. Milliseconds."),
    run_in_background: z
      .boolean()
      .default(false)
      .describe(
        "Return at once with a process_id, keep the input open, and keep what it starts running after its shell has ended.",
      ),
  },
  async run({ cmd, workdir, yield_time_ms, run_in_background }, run) {
    if (cmd.trim() === "") {
      run.out("cmd is empty: nothing was run.");
      return { failed: true };
    }
    const started = await start(run, cmd, workdir, run_in_background);
    if (!started.ok) {
      run.out(started.message);
      return { failed: true };
    }
    const { process } = started;
    const detach = process.attach(run.out);
    try {
      const wait = run_in_background ? EARLY_MS : clampYield(yield_time_ms, run.timeoutMs);
      const exit = await waitFor(process, wait, run.signal);
      if (run.signal.aborted) {
        await process.kill();
        return {};
      }
      if (exit) {
        if (process.background && process.alive) run.session.commands.keep(process);
        return exitResult(process, exit, run_in_background);
      }
      run.session.commands.keep(process);
      return { note: runningNote(process) };
    } finally {
      detach();
    }
  },
});
