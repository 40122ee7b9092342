/** Cheap structural questions about messages: no validation library, safe in the browser and in hot readers. */
import type {
  CompleteMessage,
  CompletePayload,
  EventMessage,
  EventPayload,
  ModelMessage,
  OmniMessage,
  PartialMessage,
  PartialPayload,
  SessionMetaMessage,
} from "./message";

const COMPLETE = new Set<string>([
  "text",
  "image_url",
  "inline_data",
  "thinking",
  "inline_thinking",
  "tool_call",
  "tool_call_output",
] satisfies CompletePayload["type"][]);

const PARTIAL = new Set<string>([
  "partial_text",
  "partial_thinking",
  "partial_tool_call",
  "partial_tool_call_output",
] satisfies PartialPayload["type"][]);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Is this parsed JSON value an envelope at all? Checks the discriminating fields only, so unknown payload types pass.
 * A value that fails is a damaged line to every reader.
 */
export function isOmniMessage(value: unknown): value is OmniMessage {
  if (!isObject(value) || !isObject(value.payload)) return false;
  if (value.type === "session_meta") return true;
  return (value.type === "model_msg" || value.type === "event_msg") && typeof value.payload.type === "string";
}

/** Deeper records are damaged to every reader: what walks a record may call itself once per level. */
export const MAX_LEVELS = 200;

/** Does a parsed JSON value nest more than `levels` arrays and objects? Costs its nodes, not its bytes. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const member of Object.values(value)) if (isDeeperThan(member, levels - 1)) return true;
  return false;
}

export function isSessionMeta(message: OmniMessage): message is SessionMetaMessage {
  return message.type === "session_meta";
}
export function isModelMessage(message: OmniMessage): message is ModelMessage {
  return message.type === "model_msg";
}
export function isComplete(message: OmniMessage): message is CompleteMessage {
  return message.type === "model_msg" && COMPLETE.has(message.payload.type);
}
export function isPartial(message: OmniMessage): message is PartialMessage {
  return message.type === "model_msg" && PARTIAL.has(message.payload.type);
}
export function isEvent(message: OmniMessage): message is EventMessage {
  return message.type === "event_msg";
}
/** Narrow an event to one payload type. */
export function isEventOf<T extends EventPayload["type"]>(
  message: OmniMessage,
  type: T,
): message is EventMessage<Extract<EventPayload, { type: T }>> {
  return message.type === "event_msg" && message.payload.type === type;
}
/** Narrow a model message to one payload type. */
export function isPayloadOf<T extends (CompletePayload | PartialPayload)["type"]>(
  message: OmniMessage,
  type: T,
): message is ModelMessage<Extract<CompletePayload | PartialPayload, { type: T }>> {
  return message.type === "model_msg" && message.payload.type === type;
}

/** Does the message belong to this Session, not to a child of it? */
export function isOwn(message: OmniMessage): boolean {
  return !Array.isArray(message.origin) || message.origin.length === 0;
}

/** TR2: own, and a meta, a complete model message or any event. Fragments and messages of children are not recorded. */
export function isRecordable(message: OmniMessage): boolean {
  return isOwn(message) && (message.type !== "model_msg" || isComplete(message));
}
