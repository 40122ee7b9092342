/** kill_command: ends a command in the background, with everything it started. */
import { z } from "zod";
import { exitResult, unknownProcess } from "./command-call";
import { defineTool } from "./tool";

export const killCommand = defineTool({
  name: "kill_command",
  description:
    "Ends a command that runs in the background together with everything it started: SIGTERM, and SIGKILL 400 ms later. Returns output that was not read yet.",
  permission: "rw",
  timeoutMs: 30_000,
  maxOutputLength: 16_000,
  describeCall: true,
  params: { process_id: z.string().describe("The process_id that exec_command returned.") },
  async run({ process_id }, run) {
    const process = run.session.commands.get(process_id);
    if (!process) {
      run.out(unknownProcess(process_id, run.session.commands.running()));
      return { failed: true };
    }
    const detach = process.attach(run.out);
    try {
      await process.kill();
      const exit = await process.ended;
      run.session.commands.remove(process.id);
      return { ...exitResult(process, exit, true), failed: false };
    } finally {
      detach();
    }
  },
});
