/** What the model is told when a command in the background has ended. */
import { writeBackgroundTaskDone } from "../../lib/omni/blocks";
import type { CommandEnded } from "../tools/command-table";

export function commandReport({ process_id, exit, tail }: CommandEnded): string {
  const detail = exit.signal ? `terminated by signal ${exit.signal}` : `exit code: ${exit.code}`;
  const status = exit.code === 0 ? "completed" : "failed";
  return writeBackgroundTaskDone({ kind: "command", id: process_id, status, detail }, tail);
}
