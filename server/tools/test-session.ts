/** For tests of this room: a Session's tools on a data root of their own, and a way to run one call. */
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OmniMessage, ToolCallOutputPayload } from "../../lib/omni/message";
import { layout as layoutOf } from "../paths";
import { createTools, type SessionTools, type ToolContext } from "./registry";

export const REF = { project: "default_project", agent: "default_agent" };
export const SESSION = "session-2026-11-29-10-00-00-0123abcd";

/** Without the login profile of the machine, which may be slow. */
const PLAIN = "bash -c";

export interface Bench {
  root: string;
  workspace: string;
  context: ToolContext;
  tools: SessionTools;
  /** Runs a call to its end. Arguments that are not a string are sent as JSON. */
  run(name: string, args: unknown, options?: { signal?: AbortSignal; id?: string }): Promise<RunResult>;
  cleanup(): Promise<void>;
}

export interface RunResult {
  output: string;
  stop_reason: string | undefined;
  payload: ToolCallOutputPayload;
  messages: OmniMessage[];
  /** All deltas, joined. */
  streamed: string;
}

let calls = 0;

/** Collects the messages of one call and checks nothing. */
export async function runCall(
  tools: SessionTools,
  name: string,
  args: unknown,
  { signal = new AbortController().signal, id = `call_${++calls}` }: { signal?: AbortSignal; id?: string } = {},
): Promise<RunResult> {
  const text = typeof args === "string" ? args : JSON.stringify(args);
  const messages: OmniMessage[] = [];
  let streamed = "";
  let payload: ToolCallOutputPayload | null = null;
  const call = { type: "tool_call", role: "assistant", name, arguments: text, tool_call_id: id } as const;
  for await (const message of tools.run(call, signal)) {
    messages.push(message);
    if (message.type !== "model_msg") continue;
    if (message.payload.type === "partial_tool_call_output") streamed += message.payload.output;
    if (message.payload.type === "tool_call_output") payload = message.payload;
  }
  if (!payload) throw new Error("the call gave no output");
  return { output: payload.output, stop_reason: payload.stop_reason, payload, messages, streamed };
}

/** A data root with one Agent, a Workspace beside it, and the tools. */
export async function bench(changes: Partial<ToolContext> = {}): Promise<Bench> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "tools-")));
  const root = join(base, "data");
  const workspace = changes.workspace ?? join(base, "work");
  const layout = layoutOf(root);
  await mkdir(workspace, { recursive: true });
  await mkdir(layout.agentState(REF), { recursive: true });
  const context: ToolContext = {
    layout,
    ref: REF,
    sessionId: SESSION,
    workspace,
    vision: false,
    env: {},
    shell: PLAIN,
    ...changes,
  };
  const tools = createTools(context);
  return {
    root,
    workspace,
    context,
    tools,
    run: (name, args, options) => runCall(tools, name, args, options),
    cleanup: async () => {
      await tools.dispose();
      await rm(base, { recursive: true, force: true });
    },
  };
}
