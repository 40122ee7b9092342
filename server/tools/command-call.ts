/** What exec_command, input_command and kill_command share: waiting for output, and saying how a command ended. */
import type { CommandProcess, Exit } from "./command-process";
import type { ToolResult } from "./tool";

const MIN_YIELD_MS = 250;

/** The waiting time the model asked for, inside what the tool's own time limit leaves. Milliseconds. */
export function clampYield(wanted: number, timeoutMs: number): number {
  return Math.max(MIN_YIELD_MS, Math.min(wanted, timeoutMs - 1_000));
}

/** Waits until the command ended, the time is over, or the call is aborted. */
export async function waitFor(process: CommandProcess, ms: number, signal: AbortSignal): Promise<Exit | null> {
  let timer: NodeJS.Timeout | undefined;
  let leave: () => void = () => {};
  const over = new Promise<null>((resolve) => {
    leave = () => resolve(null);
    timer = setTimeout(leave, Math.min(ms, 2 ** 31 - 1));
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
  });
  const exit = await Promise.race([process.ended, over]);
  clearTimeout(timer);
  signal.removeEventListener("abort", leave);
  return exit;
}

const OVER = {
  memory: "[the commands of this Session together used too much memory: all of them were ended]",
  processes: "[the commands of this Session together had too many processes: all of them were ended]",
};

/** The note of a command that ended. A plain success is silent unless the model asked what became of it. */
export function exitResult(process: CommandProcess, exit: Exit, saySuccess: boolean): ToolResult {
  const notes: string[] = [];
  if (exit.signal) notes.push(`[terminated by signal ${exit.signal}]`);
  if (exit.signal && process.over) notes.push(OVER[process.over]);
  if (!exit.signal && (exit.code !== 0 || saySuccess)) notes.push(`[exit code: ${exit.code}]`);
  if (process.endedChildren) {
    notes.push("[what it left in the background was ended with it; use run_in_background for a server or watcher]");
  }
  if (process.background && process.alive) {
    notes.push(`[what it started still runs; end it with kill_command, process_id ${process.id}]`);
  }
  const failed = exit.code !== 0;
  return notes.length > 0 ? { failed, note: notes.join("\n") } : { failed };
}

export function runningNote(process: CommandProcess): string {
  const input = process.acceptsInput ? "read or write" : "read";
  return `[still running in the background: process_id ${process.id}; ${input} with input_command, end with kill_command]`;
}

/** The answer for an id that is not in the table. */
export function unknownProcess(id: string, running: string[]): string {
  const known = running.length > 0 ? `Running: ${running.join(", ")}.` : "No command is running in the background.";
  return `Unknown process_id "${id.slice(0, 100)}". ${known}`;
}
