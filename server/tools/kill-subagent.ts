/** kill_subagent: ends what a subagent does. Its conversation stays. */
import { z } from "zod";
import { type Subagents, unknownSubagent } from "./subagents";
import { defineTool, type Tool } from "./tool";

export function killSubagent(subagents: Subagents): Tool {
  return defineTool({
    name: "kill_subagent",
    description:
      "Ends what a subagent does, with everything it started. Returns what it said and was not read yet. Its conversation stays: input_subagent can continue it.",
    permission: "rw",
    timeoutMs: 30_000,
    maxOutputLength: 16_000,
    describeCall: true,
    params: { subagent_id: z.string().describe("The subagent_id that run_subagent returned.") },
    async run({ subagent_id }, run) {
      const child = await subagents.find(subagent_id);
      if (!child) {
        run.out(unknownSubagent(subagent_id, subagents.known()));
        return { failed: true };
      }
      const detach = child.attach(run.out);
      try {
        const ran = child.running;
        await child.kill();
        return { note: ran ? `[subagent_id ${child.id}: ended]` : `[subagent_id ${child.id}: it was not running]` };
      } finally {
        detach();
      }
    },
  });
}
