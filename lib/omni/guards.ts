/** Cheap structural questions about messages: no validation library, safe in the browser and in hot readers. */
import type {
  ApprovalMode,
  CompleteMessage,
  CompletePayload,
  EventMessage,
  EventPayload,
  ModelMessage,
  OmniMessage,
  PartialMessage,
  PartialPayload,
  SessionInfoPayload,
  SessionMetaMessage,
  ThinkingLevel,
  TokenCounts,
  Visibility,
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
  return message.origin === undefined || message.origin.length === 0;
}

/** TR2: own, and a meta, a complete model message or any event. Fragments and messages of children are not recorded. */
export function isRecordable(message: OmniMessage): boolean {
  return isOwn(message) && (message.type !== "model_msg" || isComplete(message));
}

// ---- payloads of Trace records, which only their discriminating fields vouch for ----------------------------------

/** Does a complete model payload have the fields that every reader of its kind relies on? */
export function isCompletePayload(payload: unknown): payload is CompletePayload {
  if (!isObject(payload)) return false;
  const { role } = payload;
  switch (payload.type) {
    case "text":
      return (role === "user" || role === "assistant") && typeof payload.text === "string";
    case "thinking":
      return role === "assistant" && typeof payload.thinking === "string";
    case "tool_call":
      return (
        role === "assistant" && isString(payload.name) && isString(payload.arguments) && isString(payload.tool_call_id)
      );
    case "tool_call_output":
      return role === "user" && isString(payload.output) && isString(payload.tool_call_id);
    case "image_url":
      return role === "user" && typeof payload.image_url === "string";
    case "inline_data":
      return (role === "user" || role === "assistant") && isString(payload.data) && isString(payload.mime_type);
    case "inline_thinking":
      return role === "assistant" && isString(payload.data) && isString(payload.mime_type);
    default:
      return false;
  }
}

export function isTokenCounts(value: unknown): value is TokenCounts {
  return isObject(value) && [value.cache_read, value.cache_write, value.output, value.total].every(isFiniteNumber);
}

export function isSessionInfo(payload: unknown): payload is SessionInfoPayload {
  if (!isObject(payload)) return false;
  const { title, archived, approval_mode, thinking_level, visibility } = payload;
  return (
    (title === null || typeof title === "string") &&
    typeof archived === "boolean" &&
    isOneOf(MODES, approval_mode) &&
    (thinking_level === null || isOneOf(LEVELS, thinking_level)) &&
    isOneOf(VISIBILITIES, visibility)
  );
}

const MODES = new Set<string>(["allow-all", "deny-all", "read-only", "always-ask"] satisfies ApprovalMode[]);
const LEVELS = new Set<string>(["none", "low", "medium", "high", "xhigh", "max"] satisfies ThinkingLevel[]);
const VISIBILITIES = new Set<string>(["team", "private"] satisfies Visibility[]);

function isOneOf(values: Set<string>, value: unknown): boolean {
  return typeof value === "string" && values.has(value);
}
function isString(value: unknown): boolean {
  return typeof value === "string";
}
function isFiniteNumber(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value);
}
