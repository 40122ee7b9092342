/** The calls of one Request: approvals one at a time (EN5), tools side by side, exactly one output per call (EN3). */
import { event, model } from "../../lib/omni/build";
import { interruptedOutput } from "../../lib/omni/carry-over";
import { isOwn, isPayloadOf } from "../../lib/omni/guards";
import type { CompletePayload, OmniMessage, ToolCallOutputPayload, ToolCallPayload } from "../../lib/omni/message";
import type { Merge } from "./merge";
import type { Approve, Tools } from "./ports";

/** Texts of outputs that no tool gave. */
const OUTPUT_TEXT = {
  aborted: interruptedOutput("", "aborted").output,
  deny: "Tool call denied by user.",
  forbidden: "Tool call denied by policy.",
  request_failed: "[interrupted: the request failed before the tool was started]",
  no_output: "[tool error] the tool ended without an output",
} as const;

/** Why the arguments of a call cannot be executed, said to the model; null when they are a JSON object (EN6). */
export function argumentsProblem(call: ToolCallPayload): string | null {
  if (call.arguments.trim() === "") return null;
  try {
    const value: unknown = JSON.parse(call.arguments);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return null;
    return `[tool error] the arguments of ${call.name} are not a JSON object; the tool was not run. Call it again with valid arguments.`;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `[tool error] the arguments of ${call.name} are not valid JSON (${why}); the tool was not run. Call it again with valid arguments.`;
  }
}

export interface CallPorts {
  tools: Tools;
  approve: Approve;
  /** No tool runs in this Request: every call gets this text for an output. */
  refuse_calls?: string;
}

export class ToolCalls {
  /** First output of each call. */
  readonly #outputs = new Map<string, ToolCallOutputPayload>();
  readonly #calls: ToolCallPayload[] = [];
  #asked = 0;
  #complete = false;
  #wake = () => {};
  readonly #requestFailed = new AbortController();

  constructor(
    private readonly ports: CallPorts,
    private readonly merge: Merge<OmniMessage>,
    private readonly signal: AbortSignal,
  ) {}

  /** A complete call whose record is on disk. False: an id that this Request already used; it gets no second output. */
  offer(call: ToolCallPayload): boolean {
    if (this.#calls.some((known) => known.tool_call_id === call.tool_call_id)) return false;
    this.#calls.push(call);
    this.#wake();
    return true;
  }

  /** No further call will come. A failed Request starts no tool any more and withdraws the question that waits. */
  close(failed: boolean): void {
    this.#complete = true;
    if (failed) this.#requestFailed.abort();
    this.#wake();
  }

  /** Producer: decisions in call order. An allowed tool joins the merge as a producer of its own (EN2). */
  async *decisions(): AsyncGenerator<OmniMessage, void, void> {
    for (;;) {
      const call = this.#calls[this.#asked];
      if (call) {
        this.#asked += 1;
        yield* this.#decide(call);
      } else if (this.#complete) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  async *#decide(call: ToolCallPayload): AsyncGenerator<OmniMessage, void, void> {
    const stopped = AbortSignal.any([this.signal, this.#requestFailed.signal]);
    if (stopped.aborted) return yield this.#answer(call, this.#whyStopped(), "aborted");
    const problem = this.ports.refuse_calls ?? argumentsProblem(call);
    if (problem) return yield this.#answer(call, problem, "failed");
    if (this.ports.tools.permission(call) === null) return this.merge.add(this.#run(call));
    const { message, ...decided } = await this.ports.approve(call, stopped);
    yield event({ type: "approval_decision", tool_call_id: call.tool_call_id, ...decided });
    if (stopped.aborted) yield this.#answer(call, this.#whyStopped(), "aborted");
    else if (decided.decision === "allow") this.merge.add(this.#run(call));
    else {
      const words = OUTPUT_TEXT[decided.decision];
      yield this.#answer(call, message ? `${words} ${message}` : words, "aborted");
    }
  }

  #whyStopped(): string {
    return this.signal.aborted ? OUTPUT_TEXT.aborted : OUTPUT_TEXT.request_failed;
  }

  /** Producer: one running tool. Whatever it does, its call gets exactly one output. */
  async *#run(call: ToolCallPayload): AsyncGenerator<OmniMessage, void, void> {
    let failure: string | null = null;
    try {
      for await (const message of this.ports.tools.run(call, this.signal)) {
        if (isOwn(message) && isPayloadOf(message, "tool_call_output")) {
          if (this.#outputs.has(call.tool_call_id)) continue;
          this.#outputs.set(call.tool_call_id, message.payload);
        }
        yield message;
      }
    } catch (error) {
      failure = `[tool error] ${error instanceof Error ? error.message : String(error)}`;
    }
    if (!this.#outputs.has(call.tool_call_id)) yield this.#answer(call, failure ?? OUTPUT_TEXT.no_output, "failed");
  }

  #answer(call: ToolCallPayload, output: string, stop_reason: "aborted" | "failed"): OmniMessage {
    const payload: ToolCallOutputPayload = {
      type: "tool_call_output",
      role: "user",
      output,
      tool_call_id: call.tool_call_id,
      stop_reason,
    };
    this.#outputs.set(call.tool_call_id, payload);
    return model(payload);
  }

  /** Outputs for calls that have none, because their producer never settled after an abort. */
  closing(): OmniMessage[] {
    return this.#calls
      .filter((call) => !this.#outputs.has(call.tool_call_id))
      .map((call) => this.#answer(call, OUTPUT_TEXT.aborted, "aborted"));
  }

  /** The next input of the model: one output per call, in call order (RS2). */
  inCallOrder(): CompletePayload[] {
    return this.#calls.flatMap((call) => this.#outputs.get(call.tool_call_id) ?? []);
  }
}
