/**
 * What the loop is given. The engine touches no disk and knows no provider, no tool and no person: it sees these
 * ports. Failures are values here; a throw from a port is a bug in that port.
 */
import type {
  CompleteMessage,
  CompletePayload,
  OmniMessage,
  PartialMessage,
  StopReason,
  ThinkingLevel,
  TokenCounts,
  ToolCallPayload,
  ToolSchema,
} from "../../lib/omni/message";

// ---- model --------------------------------------------------------------------------------------------------------

export interface LlmRequest {
  system_prompt: string;
  /** The whole conversation the model gets, oldest first; calls and outputs are paired, outputs in call order. */
  history: CompletePayload[];
  tools: ToolSchema[];
  thinking_level: ThinkingLevel;
  /** Absent: the key is left out of the request. */
  max_tokens?: number;
  /** No event from upstream for this long ends the Request as `timeout`; <= 0: never. Milliseconds. */
  idle_timeout_ms: number;
}

export type LlmEvent =
  /** Fragments, and complete assistant messages right after the last fragment of each. */
  | { kind: "message"; message: PartialMessage | CompleteMessage }
  /** Usage of this Request; the last one wins. */
  | { kind: "usage"; request: TokenCounts };

/** How a model call ended. `completed` means the provider said so; messages already yielded stay valid in any case. */
export interface LlmOutcome {
  status: StopReason;
  /** The provider's own words, without secrets. */
  error_message?: string;
  /** What the provider asked for, at most 60,000. Milliseconds. */
  retry_after_ms?: number;
  /** A 400, 404, 413 or 422 with a provider's error body: the prompt is refused, a retry is useless (EN4). */
  refused?: boolean;
  /** A hard budget refused it: the model was not called. */
  over_budget?: boolean;
  /** The provider said that the context is too long (EN4: compact once, then end). */
  context_too_long?: boolean;
  /** Completed, but neither text nor a tool call came: nothing is to be sent back to the model, the person is told. */
  empty?: boolean;
}

export interface Llm {
  /**
   * One Request. Never throws, and settles within a second after `signal` aborts, even when the provider ignores it.
   * When the finish reason has already arrived the outcome is `completed` in spite of an abort.
   */
  stream(request: LlmRequest, signal: AbortSignal): AsyncGenerator<LlmEvent, LlmOutcome, void>;
}

// ---- tools --------------------------------------------------------------------------------------------------------

export type Permission = "r" | "rw";

export interface Tools {
  /** As sent to the model; the same list in every Request of a context. */
  schemas(): ToolSchema[];
  /** What this call is allowed as; null: no such tool. */
  permission(call: Pick<ToolCallPayload, "name" | "arguments">): Permission | null;
  /**
   * Runs one call with bounded output. Yields `partial_tool_call_output` start, delta…, stop, then the complete
   * `tool_call_output` as its last message; in between also messages of children, tagged with `origin`, and recordable
   * events such as `subagent`. Never throws. An abort settles within a second.
   */
  run(call: ToolCallPayload, signal: AbortSignal): AsyncGenerator<OmniMessage, void, void>;
}

// ---- people -------------------------------------------------------------------------------------------------------

export interface Decision {
  decision: "allow" | "deny" | "forbidden";
  /** User id, `mode:<approval mode>` or `policy:<rule>`. */
  by: string;
  /** Milliseconds a person was waited for; absent when nobody was asked. */
  waited_ms?: number;
  /** Told to the model after the fixed words; not recorded with the decision. */
  message?: string;
}
/** Asked one at a time. An abort while waiting resolves as deny. */
export type Approve = (call: ToolCallPayload, signal: AbortSignal) => Promise<Decision>;
