/** input_command: reads from, and writes to, a command in the background. */
import { z } from "zod";
import { clampYield, exitResult, runningNote, unknownProcess, waitFor } from "./command-call";
import type { CommandProcess } from "./command-process";
import { defineTool } from "./tool";

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const WRITE_MS = 250;
const POLL_MS = 5_000;

/** Delivers the input; a string says why it could not be delivered. */
function send(process: CommandProcess, chars: string): string | null {
  if (chars === "") return null;
  if (chars.includes(CTRL_C) && chars !== CTRL_C) return "Ctrl-C (\\u0003) must be sent alone: nothing was sent.";
  if (process.exit) return "The command has ended: nothing was sent.";
  if (chars === CTRL_C) process.interrupt();
  else if (!process.acceptsInput)
    return "The input of this command is closed: start it with run_in_background to write to it.";
  else if (chars === CTRL_D) process.endInput();
  else process.write(chars);
  return null;
}

export const inputCommand = defineTool({
  name: "input_command",
  description:
    "Reads new output of a command that runs in the background and, with chars, writes to its input first (a line needs its \\n). chars \\u0003 alone is Ctrl-C, \\u0004 alone closes the input. Only commands started with run_in_background have an open input.",
  permission: "rw",
  timeoutMs: 130_000,
  maxOutputLength: 16_000,
  describeCall: true,
  params: {
    process_id: z.string().describe("The process_id that exec_command returned."),
    chars: z.string().default("").describe("What to write; empty: only read."),
    yield_time_ms: z
      .number()
      .optional()
      .describe(
        "How long to collect output; ends early when the command ends. Milliseconds. Default: 250 after a write, 5000 otherwise.",
      ),
  },
  async run({ process_id, chars, yield_time_ms }, run) {
    const process = run.session.commands.get(process_id);
    if (!process) {
      run.out(unknownProcess(process_id, run.session.commands.running()));
      return { failed: true };
    }
    const detach = process.attach(run.out);
    try {
      const refused = send(process, chars);
      const wanted = yield_time_ms ?? (chars === "" ? POLL_MS : WRITE_MS);
      // Stopping a poll leaves the command alone.
      const exit =
        process.exit ?? (refused ? null : await waitFor(process, clampYield(wanted, run.timeoutMs), run.signal));
      if (refused) return { failed: true, note: refused };
      if (!exit) return { note: runningNote(process) };
      if (!process.alive) run.session.commands.remove(process.id);
      return exitResult(process, exit, true);
    } finally {
      detach();
    }
  },
});
