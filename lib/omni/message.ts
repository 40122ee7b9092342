/**
 * OmniMessage: the one structure that streams, is stored and is what the model saw (P2).
 *
 * Every object is loose: unknown fields are kept. Hot readers use `guards.ts`; these schemas check what
 * enters from outside. Browser code imports only types from here.
 * Source of the formats: the design document and SPEC.md.
 */
import { z } from "zod";
import { APPROVAL_MODES, STOP_REASONS, THINKING_LEVELS, VISIBILITIES } from "./values";

export const stopReason = z.enum(STOP_REASONS);
export type StopReason = z.infer<typeof stopReason>;

export const approvalMode = z.enum(APPROVAL_MODES);
export type ApprovalMode = z.infer<typeof approvalMode>;

export const thinkingLevel = z.enum(THINKING_LEVELS);
export type ThinkingLevel = z.infer<typeof thinkingLevel>;

export const visibility = z.enum(VISIBILITIES);
export type Visibility = z.infer<typeof visibility>;

/** Opaque provider payload; kept and sent back byte for byte. */
export const fidelity = z.record(z.string(), z.unknown());
export type Fidelity = z.infer<typeof fidelity>;

export const toolSchema = z.looseObject({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()).optional(),
});
export type ToolSchema = z.infer<typeof toolSchema>;

/** Tokens of one model call, or their running sum over a Session. `total` = cache_read + cache_write + output. */
export const tokenCounts = z.looseObject({
  cache_read: z.number(),
  /** Input tokens not served from the cache. */
  cache_write: z.number(),
  output: z.number(),
  total: z.number(),
  /** Part of `cache_write` that was written into the provider's cache and is priced apart. */
  cache_creation: z.number().optional(),
});
export type TokenCounts = z.infer<typeof tokenCounts>;

/** USD per million tokens, as in force when the Request ran. */
export const priceStamp = z.looseObject({
  cache_read: z.number(),
  cache_write: z.number(),
  output: z.number(),
  cache_creation: z.number().optional(),
});
export type PriceStamp = z.infer<typeof priceStamp>;

const sessionRef = z.looseObject({ agent: z.string(), session_id: z.string() });

// ---- session_meta -------------------------------------------------------------------------------------------------

export const sessionMetaPayload = z.looseObject({
  session_id: z.string(),
  provider: z.string().optional(),
  model_id: z.string().optional(),
  model_context_window: z.union([z.number(), z.string()]).optional(),
  system_prompt: z.string().optional(),
  tools: z.array(toolSchema).optional(),
  agent_state: z.string().optional(),
  workspace: z.string().optional(),
  source: z.string().optional(),
  client_id: z.string().optional(),
  endpoint: z.string().optional(),
  created_by: z.string().optional(),
  forked_from: sessionRef
    .extend({ file_index: z.number(), line: z.number(), copied_lines: z.number().optional() })
    .optional(),
  switched_from: sessionRef.optional(),
  handoff_from: sessionRef.optional(),
  parent: sessionRef.extend({ tool_call_id: z.string() }).optional(),
});
export type SessionMetaPayload = z.infer<typeof sessionMetaPayload>;

// ---- complete model messages --------------------------------------------------------------------------------------

/** Fields the server adds to every user-role record that is an input. */
const inputFields = { author: z.string().optional(), client_id: z.string().optional() };

export const textPayload = z.looseObject({
  type: z.literal("text"),
  role: z.enum(["user", "assistant"]),
  text: z.string(),
  stop_reason: stopReason.optional(),
  fidelity: fidelity.optional(),
  /** Who wrote a user-role text: absent or "user" is a person. */
  sender: z.string().optional(),
  ...inputFields,
});
export const imageUrlPayload = z.looseObject({
  type: z.literal("image_url"),
  role: z.literal("user"),
  /** http(s) address or base64 data URL. */
  image_url: z.string(),
  stop_reason: stopReason.optional(),
  sender: z.string().optional(),
  ...inputFields,
});
export const inlineDataPayload = z.looseObject({
  type: z.literal("inline_data"),
  role: z.enum(["user", "assistant"]),
  /** base64 */
  data: z.string(),
  mime_type: z.string(),
  stop_reason: stopReason.optional(),
  fidelity: fidelity.optional(),
  sender: z.string().optional(),
  ...inputFields,
});
export const thinkingPayload = z.looseObject({
  type: z.literal("thinking"),
  role: z.literal("assistant"),
  thinking: z.string(),
  stop_reason: stopReason.optional(),
  fidelity: fidelity.optional(),
});
export const inlineThinkingPayload = z.looseObject({
  type: z.literal("inline_thinking"),
  role: z.literal("assistant"),
  data: z.string(),
  mime_type: z.string(),
  stop_reason: stopReason.optional(),
  fidelity: fidelity.optional(),
});
export const toolCallPayload = z.looseObject({
  type: z.literal("tool_call"),
  role: z.literal("assistant"),
  name: z.string(),
  /** A JSON string, exactly as the model wrote it; may be invalid (EN6). */
  arguments: z.string(),
  tool_call_id: z.string(),
  stop_reason: stopReason.optional(),
  fidelity: fidelity.optional(),
});
export const toolCallOutputPayload = z.looseObject({
  type: z.literal("tool_call_output"),
  role: z.literal("user"),
  /** Never empty: "[no output]" stands for nothing. */
  output: z.string(),
  tool_call_id: z.string(),
  /** data URLs */
  images: z.array(z.string()).optional(),
  stop_reason: stopReason.optional(),
});

export const completePayload = z.discriminatedUnion("type", [
  textPayload,
  imageUrlPayload,
  inlineDataPayload,
  thinkingPayload,
  inlineThinkingPayload,
  toolCallPayload,
  toolCallOutputPayload,
]);

export type TextPayload = z.infer<typeof textPayload>;
export type ImageUrlPayload = z.infer<typeof imageUrlPayload>;
export type InlineDataPayload = z.infer<typeof inlineDataPayload>;
export type ThinkingPayload = z.infer<typeof thinkingPayload>;
export type InlineThinkingPayload = z.infer<typeof inlineThinkingPayload>;
export type ToolCallPayload = z.infer<typeof toolCallPayload>;
export type ToolCallOutputPayload = z.infer<typeof toolCallOutputPayload>;
/** What a model is given and what it answers with: the content of history. */
export type CompletePayload = z.infer<typeof completePayload>;

// ---- streaming fragments (never recorded) -------------------------------------------------------------------------

const eventType = z.enum(["start", "delta", "stop"]);
const partial = { event_type: eventType, stop_reason: stopReason.optional() };

export const partialTextPayload = z.looseObject({
  type: z.literal("partial_text"),
  role: z.enum(["user", "assistant"]),
  text: z.string(),
  ...partial,
});
export const partialThinkingPayload = z.looseObject({
  type: z.literal("partial_thinking"),
  role: z.literal("assistant"),
  thinking: z.string(),
  ...partial,
});
export const partialToolCallPayload = z.looseObject({
  type: z.literal("partial_tool_call"),
  role: z.literal("assistant"),
  /** Set on `start`, empty on `delta` and `stop`. */
  name: z.string(),
  arguments: z.string(),
  tool_call_id: z.string(),
  ...partial,
});
export const partialToolCallOutputPayload = z.looseObject({
  type: z.literal("partial_tool_call_output"),
  role: z.literal("user"),
  output: z.string(),
  tool_call_id: z.string(),
  images: z.array(z.string()).optional(),
  ...partial,
});
export const partialPayload = z.discriminatedUnion("type", [
  partialTextPayload,
  partialThinkingPayload,
  partialToolCallPayload,
  partialToolCallOutputPayload,
]);
export type PartialTextPayload = z.infer<typeof partialTextPayload>;
export type PartialThinkingPayload = z.infer<typeof partialThinkingPayload>;
export type PartialToolCallPayload = z.infer<typeof partialToolCallPayload>;
export type PartialToolCallOutputPayload = z.infer<typeof partialToolCallOutputPayload>;
export type PartialPayload = z.infer<typeof partialPayload>;

// ---- events -------------------------------------------------------------------------------------------------------

const compaction = { reason: z.string(), mode: z.string() };

export const requestBeginPayload = z.looseObject({ type: z.literal("request_begin") });
export const requestEndPayload = z.looseObject({
  type: z.literal("request_end"),
  status: stopReason,
  error_message: z.string().optional(),
  /** 1-based; on every end that is not a clean first success. */
  attempt: z.number().optional(),
  /** Set only when the engine will retry: the wait in milliseconds. */
  retry_in_ms: z.number().optional(),
  /** The provider refused this prompt; it is not carried over (EN4). */
  refused: z.boolean().optional(),
  /** The provider finds the context too long, whatever was counted before. */
  context_too_long: z.boolean().optional(),
  /** A hard budget refused it: the model was not called. */
  over_budget: z.boolean().optional(),
});
export const approvalDecisionPayload = z.looseObject({
  type: z.literal("approval_decision"),
  decision: z.enum(["allow", "deny", "forbidden"]),
  tool_call_id: z.string(),
  /** User id, `mode:<approval mode>` or `policy:<rule>`. */
  by: z.string().optional(),
  waited_ms: z.number().optional(),
});
export const tokenUsagePayload = z.looseObject({
  type: z.literal("token_usage"),
  session: tokenCounts,
  request: tokenCounts,
  price: priceStamp.optional(),
  user: z.string().optional(),
  estimated: z.boolean().optional(),
});
export const compactionBeginPayload = z.looseObject({
  type: z.literal("compaction_begin"),
  ...compaction,
  /** Tokens in the context when it began. */
  context: z.number().optional(),
  turns: z.number().optional(),
});
export const compactionEndPayload = z.looseObject({
  type: z.literal("compaction_end"),
  ...compaction,
  status: stopReason,
  attempt: z.number().optional(),
  error_message: z.string().optional(),
});
export const abortPayload = z.looseObject({
  type: z.literal("abort"),
  reason: z.string().nullish(),
  by: z.string().optional(),
});
export const subagentPayload = z.looseObject({
  type: z.literal("subagent"),
  session_id: z.string(),
  agent: z.string().optional(),
});
export const goalFinishedPayload = z.looseObject({
  type: z.literal("goal_finished"),
  outcome: z.string(),
  rounds: z.number(),
  tokens_used: z.number(),
});
export const toolListReadyPayload = z.looseObject({ type: z.literal("tool_list_ready"), tools: z.array(toolSchema) });
export const mcpConnectBeginPayload = z.looseObject({ type: z.literal("mcp_connect_begin") });
export const mcpConnectEndPayload = z.looseObject({ type: z.literal("mcp_connect_end") });
/** Always carries all current values of a Session's changeable settings. */
export const sessionInfoPayload = z.looseObject({
  type: z.literal("session_info"),
  title: z.string().nullable(),
  archived: z.boolean(),
  approval_mode: approvalMode,
  thinking_level: thinkingLevel.nullable(),
  visibility,
  by: z.string().optional(),
});
/** A model call outside any Task (titles, image descriptions). */
export const auxUsagePayload = z.looseObject({
  type: z.literal("aux_usage"),
  purpose: z.string(),
  provider: z.string(),
  model_id: z.string(),
  request: tokenCounts,
  price: priceStamp.optional(),
  user: z.string().optional(),
});

export const eventPayload = z.discriminatedUnion("type", [
  requestBeginPayload,
  requestEndPayload,
  approvalDecisionPayload,
  tokenUsagePayload,
  compactionBeginPayload,
  compactionEndPayload,
  abortPayload,
  subagentPayload,
  goalFinishedPayload,
  toolListReadyPayload,
  mcpConnectBeginPayload,
  mcpConnectEndPayload,
  sessionInfoPayload,
  auxUsagePayload,
]);
export type RequestBeginPayload = z.infer<typeof requestBeginPayload>;
export type RequestEndPayload = z.infer<typeof requestEndPayload>;
export type ApprovalDecisionPayload = z.infer<typeof approvalDecisionPayload>;
export type TokenUsagePayload = z.infer<typeof tokenUsagePayload>;
export type CompactionBeginPayload = z.infer<typeof compactionBeginPayload>;
export type CompactionEndPayload = z.infer<typeof compactionEndPayload>;
export type AbortPayload = z.infer<typeof abortPayload>;
export type SubagentPayload = z.infer<typeof subagentPayload>;
export type GoalFinishedPayload = z.infer<typeof goalFinishedPayload>;
export type ToolListReadyPayload = z.infer<typeof toolListReadyPayload>;
export type SessionInfoPayload = z.infer<typeof sessionInfoPayload>;
export type AuxUsagePayload = z.infer<typeof auxUsagePayload>;
export type EventPayload = z.infer<typeof eventPayload>;

// ---- envelope -----------------------------------------------------------------------------------------------------

interface Envelope {
  /** ISO 8601, UTC. */
  timestamp: string;
  /** Chain of child Session ids, outermost first; absent for the Session itself. */
  origin?: string[];
}
export interface SessionMetaMessage extends Envelope {
  type: "session_meta";
  payload: SessionMetaPayload;
}
export interface ModelMessage<P extends CompletePayload | PartialPayload = CompletePayload | PartialPayload>
  extends Envelope {
  type: "model_msg";
  payload: P;
}
export interface EventMessage<P extends EventPayload = EventPayload> extends Envelope {
  type: "event_msg";
  payload: P;
}
/**
 * One envelope. Files of other versions may hold payload types that are not in these unions: the lenient reader keeps
 * them as they are, so every `switch` over a payload type needs a default that ignores or shows it raw.
 */
export type OmniMessage = SessionMetaMessage | ModelMessage | EventMessage;
export type CompleteMessage = ModelMessage<CompletePayload>;
export type PartialMessage = ModelMessage<PartialPayload>;

/** What every line must satisfy to be a record at all: the discriminating fields, nothing more. */
export const envelope = z.looseObject({
  timestamp: z.string(),
  type: z.enum(["session_meta", "model_msg", "event_msg"]),
  payload: z.looseObject({}),
  origin: z.array(z.string()).optional(),
});

/** Where a record stands: Trace file index and physical line, both 1-based. */
export interface RecordAddress {
  file_index: number;
  line: number;
}
/** A record together with its place in the Session's Trace. */
export interface AddressedMessage {
  address: RecordAddress;
  message: OmniMessage;
}
