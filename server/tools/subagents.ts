/** What the subagent tools need of the runtime, and what they share. Tools know no Sessions: these ports are given. */
import type { ThinkingLevel } from "../../lib/omni/message";
import type { ToolResult } from "./tool";

export interface SubagentOrder {
  prompt: string;
  /** Default: the Agent of the Session that asks. */
  agent_id?: string;
  /** Both or none; none: the model of the Session that asks. */
  provider?: string;
  model_id?: string;
  thinking_level?: ThinkingLevel;
}

/** How a piece of work of a subagent ended. */
export interface SubagentEnd {
  status: "completed" | "failed" | "stopped";
  /** One sentence; absent after a plain success. */
  detail?: string;
}

export interface Subagent {
  /** `subagent-<8hex>` */
  readonly id: string;
  readonly running: boolean;
  /** Calls of it that wait for a person. */
  readonly waiting: number;
  /** Resolves when what it was last told to do has ended; never rejects. */
  readonly ended: Promise<SubagentEnd>;
  /** What it says goes to `sink` from now on, what was not read yet first; answers with the way to let go. While nobody reads, its end is reported. */
  attach(sink: (text: string) => void): () => void;
  /** Something new to do, or a word to what it does. A string says why not. */
  send(prompt: string): Promise<string | null>;
  /** Ends what it does; no report follows. */
  kill(): Promise<void>;
}

export interface Subagents {
  /** Starts one with a Session of its own; `callId`: the call that asked. A string says why not. */
  spawn(order: SubagentOrder, callId: string): Promise<Subagent | string>;
  /** Also one that an earlier process started. */
  find(id: string): Promise<Subagent | null>;
  /** Ids of those that can be named. */
  known(): string[];
}

/** Waits until it ended, the time is over, or the call is aborted. */
export async function waitForEnd(child: Subagent, ms: number, signal: AbortSignal): Promise<SubagentEnd | null> {
  let timer: NodeJS.Timeout | undefined;
  let leave: () => void = () => {};
  const over = new Promise<null>((resolve) => {
    leave = () => resolve(null);
    timer = setTimeout(leave, Math.min(ms, 2 ** 31 - 1));
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
  });
  const end = await Promise.race([child.ended, over]);
  clearTimeout(timer);
  signal.removeEventListener("abort", leave);
  // It may have ended in the very step in which the time was over.
  return end ?? (child.running ? null : child.ended);
}

/** The note of a subagent that ended. Always with its id: its conversation can be continued. */
export function endResult(child: Subagent, end: SubagentEnd): ToolResult {
  const note = `[subagent_id ${child.id}${end.detail ? `: ${end.detail}` : ""}]`;
  return { note, failed: end.status !== "completed" };
}

export function stillRunning(child: Subagent, waitedMs: number | null): ToolResult {
  const waited = waitedMs === null ? "it runs" : `timed out after ${waitedMs} ms of waiting; it still runs`;
  const asks = child.waiting > 0 ? " and waits for an approval" : "";
  return {
    note: `[subagent_id ${child.id}: ${waited} in the background${asks}. You are told when it ends; input_subagent waits for it or tells it more, kill_subagent ends it]`,
  };
}

export function unknownSubagent(id: string, known: string[]): string {
  const list = known.length > 0 ? `Known: ${known.join(", ")}.` : "This Session has started none.";
  return `Unknown subagent_id "${id.slice(0, 100)}". ${list}`;
}
