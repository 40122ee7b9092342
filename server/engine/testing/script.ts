/** Scripted ports for tests of the loop and of Sessions: a model and tools that do what a list of steps says. */
import { model } from "../../../lib/omni/build";
import type { CompletePayload, OmniMessage, TokenCounts, ToolCallPayload } from "../../../lib/omni/message";
import { Inbox } from "../inbox";
import type { Approve, Llm, LlmEvent, LlmOutcome, LlmRequest, Permission, Tools } from "../ports";
import { RetryWait } from "../retry";
import type { EngineState, TaskDeps } from "../state";
import type { TaskOutcome } from "../task";

export const ZERO: TokenCounts = { cache_read: 0, cache_write: 0, output: 0, total: 0 };

export function freshState(): EngineState {
  return {
    history: [],
    carry_over: [],
    refused: [],
    pending_summary: null,
    session_tokens: ZERO,
    last_request_total: 0,
    session_turns: 0,
    tool_list: JSON.stringify(toolSchemas()),
    quick_compactions: 0,
  };
}

export const prompt = (text: string, client_id = "c1") =>
  model({ type: "text" as const, role: "user" as const, text, author: "ann", client_id });

/** One thing the scripted model does in a Request. */
export type Step =
  | { say: string }
  | { think: string }
  | { call: string; id: string; args?: string; cut?: boolean }
  | { usage: number }
  | { wait: Promise<unknown> }
  /** Waits until the signal aborts, then flushes `text` as aborted. */
  | { hang: string }
  | { stuck: true }
  | { throws: string };
export interface Answer {
  steps: Step[];
  outcome?: LlmOutcome;
}

export const answer = (...steps: Step[]): Answer => ({ steps });
export const failing = (status: LlmOutcome["status"], more: Partial<LlmOutcome> = {}, ...steps: Step[]): Answer => ({
  steps,
  outcome: { status, ...more },
});

/** A model that gives its answers in turn (the last one again and again) and keeps what it was asked. */
export class ScriptedLlm implements Llm {
  readonly requests: LlmRequest[] = [];
  constructor(private readonly answers: Answer[]) {}

  async *stream(request: LlmRequest, signal: AbortSignal): AsyncGenerator<LlmEvent, LlmOutcome, void> {
    const script = this.answers[Math.min(this.requests.length, this.answers.length - 1)] ?? answer();
    this.requests.push({ ...request, history: [...request.history] });
    for (const step of script.steps) {
      if (signal.aborted) return { status: "aborted" };
      if ("wait" in step) await Promise.race([step.wait, aborted(signal)]);
      else if ("stuck" in step) await new Promise(() => {});
      else if ("throws" in step) throw new Error(step.throws);
      else if ("usage" in step) yield { kind: "usage", request: { ...ZERO, output: step.usage, total: step.usage } };
      else if ("hang" in step) {
        yield* fragments(step.hang);
        await aborted(signal);
        yield* [complete({ type: "text", role: "assistant", text: step.hang, stop_reason: "aborted" })];
        return { status: "aborted" };
      } else yield* spoken(step);
    }
    return signal.aborted && script.outcome ? { status: "aborted" } : (script.outcome ?? { status: "completed" });
  }
}

const complete = (payload: CompletePayload): LlmEvent => ({ kind: "message", message: model(payload) });

function* fragments(text: string): Generator<LlmEvent> {
  for (const [event_type, part] of [
    ["start", ""],
    ["delta", text],
    ["stop", ""],
  ] as const) {
    yield { kind: "message", message: model({ type: "partial_text", role: "assistant", text: part, event_type }) };
  }
}

function* spoken(step: Extract<Step, { say: string } | { think: string } | { call: string }>): Generator<LlmEvent> {
  if ("say" in step) {
    yield* fragments(step.say);
    yield complete({ type: "text", role: "assistant", text: step.say, stop_reason: "completed" });
  } else if ("think" in step) {
    yield complete({ type: "thinking", role: "assistant", thinking: step.think, stop_reason: "completed" });
  } else {
    yield complete({
      type: "tool_call",
      role: "assistant",
      name: step.call,
      arguments: step.args ?? "{}",
      tool_call_id: step.id,
      stop_reason: step.cut ? "malformed" : "completed",
    });
  }
}

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

export function toolSchemas() {
  return [
    { name: "work", description: "does it" },
    { name: "look", description: "reads" },
  ];
}

/** `work` and `look` exist. `gate` decides when a call ends; it says what it did in `started`. */
export class ScriptedTools implements Tools {
  readonly started: string[] = [];
  constructor(
    private readonly gate: (call: ToolCallPayload) => Promise<unknown> = async () => {},
    private readonly misbehave: "throw" | "silent" | "stuck" | "twice" | null = null,
  ) {}
  schemas() {
    return toolSchemas();
  }
  permission({ name }: { name: string }): Permission | null {
    return name === "work" ? "rw" : name === "look" ? "r" : null;
  }
  async *run(call: ToolCallPayload, signal: AbortSignal): AsyncGenerator<OmniMessage, void, void> {
    this.started.push(call.tool_call_id);
    const part = (event_type: "start" | "delta" | "stop", output: string) =>
      model({
        type: "partial_tool_call_output" as const,
        role: "user" as const,
        output,
        tool_call_id: call.tool_call_id,
        event_type,
      });
    if (this.misbehave === "throw") throw new Error("tool broke its contract");
    if (this.misbehave === "silent") return;
    if (this.misbehave === "stuck") await new Promise(() => {});
    yield part("start", "");
    await Promise.race([this.gate(call), aborted(signal)]);
    const known = this.permission(call) !== null;
    const output = !known
      ? `Unknown tool: ${call.name}`
      : signal.aborted
        ? "[interrupted: tool aborted by user]"
        : `did ${call.tool_call_id}`;
    const stop_reason = !known ? "failed" : signal.aborted ? "aborted" : "completed";
    yield part("delta", output);
    yield part("stop", "");
    const done = () =>
      model({
        type: "tool_call_output" as const,
        role: "user" as const,
        output,
        tool_call_id: call.tool_call_id,
        stop_reason: stop_reason as "failed" | "aborted" | "completed",
      });
    yield done();
    if (this.misbehave === "twice") yield done();
  }
}

export const allowAll: Approve = async () => ({ decision: "allow", by: "mode:allow-all" });
export const denyAll: Approve = async () => ({ decision: "deny", by: "ann", waited_ms: 5 });

export function scriptedDeps(llm: Llm, more: Partial<TaskDeps> = {}): TaskDeps {
  return {
    llm,
    tools: new ScriptedTools(),
    approve: allowAll,
    inbox: new Inbox(),
    retry: new NoWait(),
    stamp: () => ({ user: "ann" }),
    system_prompt: "be good",
    thinking_level: "medium",
    idle_timeout_ms: 0,
    max_turns: 0,
    compaction: null,
    ...more,
  };
}

/** The announced waits, without waiting. */
export class NoWait extends RetryWait {
  readonly waits: number[] = [];
  override async sleep(ms: number): Promise<void> {
    this.waits.push(ms);
  }
}

/** Drives a Task to its end. `seen` is called per message, as a driver that writes would be. */
export async function drive(
  task: AsyncGenerator<OmniMessage, TaskOutcome, void>,
  seen: (message: OmniMessage) => void | Promise<void> = () => {},
): Promise<{ records: OmniMessage[]; all: OmniMessage[]; outcome: TaskOutcome }> {
  const all: OmniMessage[] = [];
  for (;;) {
    const step = await task.next();
    if (step.done) return { records: all.filter((message) => !isFragment(message)), all, outcome: step.value };
    all.push(step.value);
    await seen(step.value);
  }
}

const isFragment = (message: OmniMessage) =>
  message.type === "model_msg" && message.payload.type.startsWith("partial_");

/** Records in the notation of the format's canonical sequences: U B A C1 D1 O1 K E X. */
export function sequence(records: OmniMessage[]): string {
  return records.map(symbol).join(" ");
}

function symbol(message: OmniMessage): string {
  if (message.type === "session_meta") return "M";
  const payload = message.payload;
  switch (payload.type) {
    case "text":
      if (payload.role === "assistant") return "A";
      return payload.text.startsWith("[user_steering]") ? "Z" : "U";
    case "thinking":
      return "T";
    case "tool_call":
      return `C${payload.tool_call_id}`;
    case "tool_call_output":
      return `O${payload.tool_call_id}`;
    case "approval_decision":
      return `D${payload.tool_call_id}`;
    case "request_begin":
      return "B";
    case "request_end":
      return `E(${payload.status})`;
    case "token_usage":
      return "K";
    case "abort":
      return "X";
    case "compaction_begin":
      return payload.mode === "discard" ? "CB(discard)" : "CB";
    case "compaction_end":
      return `CE(${payload.status})`;
    default:
      return payload.type;
  }
}

/** Calls and outputs of a history pair up, outputs directly after their calls and in call order; "" when legal. */
export function historyProblem(history: CompletePayload[]): string {
  let open: string[] = [];
  const seen = new Set<string>();
  for (const payload of history) {
    if (payload.type === "tool_call") {
      if (seen.has(payload.tool_call_id)) return `call ${payload.tool_call_id} twice`;
      seen.add(payload.tool_call_id);
      open.push(payload.tool_call_id);
    } else if (payload.type === "tool_call_output") {
      if (open[0] !== payload.tool_call_id) return `output ${payload.tool_call_id}, expected ${open[0] ?? "none"}`;
      open = open.slice(1);
    } else if (open.length > 0 && payload.role === "user") return `call ${open[0]} without output`;
  }
  return open.length > 0 ? `call ${open[0]} without output` : "";
}
