/** input_subagent: tells a subagent more, or waits for what it does. */
import { z } from "zod";
import { clampYield } from "./command-call";
import { endResult, type Subagents, stillRunning, unknownSubagent, waitForEnd } from "./subagents";
import { defineTool, type Tool } from "./tool";

const SENT_MS = 300_000;
const POLL_MS = 10_000;

export function inputSubagent(subagents: Subagents): Tool {
  return defineTool({
    name: "input_subagent",
    description:
      "Continues the conversation with a subagent: with a prompt it gets more to do (while it works: a word that reaches it at its next step); without one this only waits for it and returns what it said since the last reading.",
    permission: "rw",
    timeoutMs: 600_000,
    maxOutputLength: 16_000,
    describeCall: true,
    params: {
      subagent_id: z.string().describe("The subagent_id that run_subagent returned."),
      prompt: z.string().default("").describe("What to tell it; empty: only wait and read."),
      yield_time_ms: z
        .number()
        .optional()
        .describe("How long to wait for its end. Milliseconds. Default: 300000 after a prompt, 10000 otherwise."),
    },
    async run({ subagent_id, prompt, yield_time_ms }, run) {
      const child = await subagents.find(subagent_id);
      if (!child) {
        run.out(unknownSubagent(subagent_id, subagents.known()));
        return { failed: true };
      }
      const detach = child.attach(run.out);
      try {
        const refused = prompt.trim() === "" ? null : await child.send(prompt);
        if (refused) return { failed: true, note: refused };
        const wait = clampYield(yield_time_ms ?? (prompt === "" ? POLL_MS : SENT_MS), run.timeoutMs);
        // Stopping a poll leaves the subagent alone; a stop of the whole Task ends it all the same.
        const end = await waitForEnd(child, wait, run.signal);
        return end ? endResult(child, end) : run.signal.aborted ? {} : stillRunning(child, wait);
      } finally {
        detach();
      }
    },
  });
}
