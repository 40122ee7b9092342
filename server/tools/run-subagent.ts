/** run_subagent: gives a piece of work to a subagent with a conversation of its own. */
import { z } from "zod";
import { thinkingLevel } from "../../lib/omni/message";
import { clampYield } from "./command-call";
import { endResult, type Subagents, stillRunning, waitForEnd } from "./subagents";
import { defineTool, type Tool } from "./tool";

export function runSubagent(subagents: Subagents): Tool {
  return defineTool({
    name: "run_subagent",
    description:
      "Starts a subagent in the same Workspace with a conversation of its own, gives it a prompt, and returns what it says. It knows nothing of this conversation, so the prompt must hold everything it needs. Several calls at once run side by side. When it is not done after yield_time_ms it goes on in the background and you are told when it ends; with run_in_background at once. A subagent cannot start subagents.",
    permission: "rw",
    timeoutMs: 600_000,
    maxOutputLength: 16_000,
    describeCall: true,
    params: {
      prompt: z.string().describe("The whole task, with all context."),
      agent_id: z.string().optional().describe("Another Agent of this Project that shall do it. Default: this Agent."),
      provider: z.string().optional().describe("Only together with model_id: another model. Default: this model."),
      model_id: z.string().optional().describe("Only together with provider."),
      thinking_level: thinkingLevel.optional().describe("Default: as here."),
      yield_time_ms: z
        .number()
        .default(300_000)
        .describe("How long to wait for the end before it goes on in the background. Milliseconds."),
      run_in_background: z.boolean().default(false).describe("Return at once with a subagent_id."),
    },
    async run({ yield_time_ms, run_in_background, ...order }, run) {
      if (order.prompt.trim() === "") {
        run.out("prompt is empty: no subagent was started.");
        return { failed: true };
      }
      const child = await subagents.spawn(order, run.call.tool_call_id);
      if (typeof child === "string") {
        run.out(child);
        return { failed: true };
      }
      if (run.signal.aborted) {
        await child.kill();
        return {};
      }
      if (run_in_background) return stillRunning(child, null);
      const detach = child.attach(run.out);
      try {
        const wait = clampYield(yield_time_ms, run.timeoutMs);
        const end = await waitForEnd(child, wait, run.signal);
        if (run.signal.aborted) await child.kill();
        return end ? endResult(child, end) : run.signal.aborted ? {} : stillRunning(child, wait);
      } finally {
        detach();
      }
    },
  });
}
