/**
 * What every fold over records goes through first. Files from elsewhere vouch for the discriminating fields of a record
 * only, so a record is either
 *
 *   as its kind demands               → itself
 *   odd in fields it could do without → a copy without those
 *   of an unknown kind, or lacking    → null: kept in the file, shown raw, ignored by every fold
 *
 * The kinds and their fields are those of `message.ts`; without its library, for hot readers and the browser.
 */
import { isOmniMessage } from "./guards";
import type {
  ApprovalDecisionPayload,
  ApprovalMode,
  CompleteMessage,
  CompletePayload,
  EventMessage,
  EventPayload,
  OmniMessage,
  SessionMetaMessage,
  SessionMetaPayload,
  StopReason,
  ThinkingLevel,
  Visibility,
} from "./message";

export type ReadableMessage = SessionMetaMessage | CompleteMessage | EventMessage;

type Test = (value: unknown, isText: Test) => boolean;
interface Shape {
  required: readonly (readonly [field: string, test: Test])[];
  optional: readonly (readonly [field: string, test: Test])[];
}

/** `isText` widens what counts as a text: the browser gets long ones shortened (P2). */
export function readable(message: OmniMessage, isText: Test = isString): ReadableMessage | null {
  const shape = shapeOf(message);
  if (!shape || !has(message.payload, shape.required, isText)) return null;
  if (isRecord(message, shape, isText)) return message;
  const mended: unknown = mend(message, shape, isText);
  return isOmniMessage(mended) && isRecord(mended, shape, isText) ? mended : null;
}

function isRecord(message: OmniMessage, shape: Shape, isText: Test): message is ReadableMessage {
  const { payload, timestamp, origin } = message;
  if (typeof timestamp !== "string" || (origin !== undefined && !isListOf(isString)(origin, isText))) return false;
  return shape.optional.every(([field, test]) => absentOr(test)(fieldOf(payload, field), isText));
}

function has(payload: object, fields: Shape["required"], isText: Test): boolean {
  return fields.every(([field, test]) => test(fieldOf(payload, field), isText));
}

function mend(message: OmniMessage, { optional }: Shape, isText: Test): unknown {
  const odd = new Set(
    optional.filter(([field, test]) => !test(fieldOf(message.payload, field), isText)).map(([f]) => f),
  );
  const payload = Object.fromEntries(Object.entries(message.payload).filter(([field]) => !odd.has(field)));
  const { origin: _, ...envelope } = { ...message, payload };
  const timestamp = typeof message.timestamp === "string" ? message.timestamp : "";
  return isListOf(isString)(message.origin, isText)
    ? { ...envelope, timestamp, origin: message.origin }
    : { ...envelope, timestamp };
}

function fieldOf(payload: object, field: string): unknown {
  return Reflect.get(payload, field);
}

// ---- tests --------------------------------------------------------------------------------------------------------

function isString(value: unknown): value is string {
  return typeof value === "string";
}
const isAnyText: Test = (value, isText) => isText(value, isText);
const isBoolean: Test = (value) => typeof value === "boolean";
const isNumber: Test = (value) => typeof value === "number" && Number.isFinite(value);
const isObject: Test = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function absentOr(test: Test): Test {
  return (value, isText) => value === undefined || test(value, isText);
}
function nullOr(test: Test): Test {
  return (value, isText) => value === null || test(value, isText);
}
function isOneOf<T extends string>(...values: T[]): Test {
  const known = new Set<unknown>(values);
  return (value) => known.has(value);
}
function isListOf(test: Test): Test {
  return (value, isText) => Array.isArray(value) && value.every((entry) => test(entry, isText));
}
function isShaped(required: Record<string, Test>, optional: Record<string, Test> = {}): Test {
  const shape = shaped(required, optional);
  return (value, isText) => {
    if (typeof value !== "object" || value === null || !has(value, shape.required, isText)) return false;
    return shape.optional.every(([field, test]) => absentOr(test)(fieldOf(value, field), isText));
  };
}
function shaped(required: Record<string, Test>, optional: Record<string, Test> = {}): Shape {
  return { required: Object.entries(required), optional: Object.entries(optional) };
}

const tokenRates = { cache_read: isNumber, cache_write: isNumber, output: isNumber };
const isTokenCounts = isShaped({ ...tokenRates, total: isNumber }, { cache_creation: isNumber });
const isPrice = isShaped(tokenRates, { cache_creation: isNumber });
const isTool = isShaped({ name: isString, description: isAnyText }, { parameters: isObject });
const sessionRef = { agent: isString, session_id: isString };
const isStatus = isOneOf<StopReason>("completed", "failed", "aborted", "timeout", "malformed", "auth");
const isUser = isOneOf("user");
const isAssistant = isOneOf("assistant");
const isEither = isOneOf("user", "assistant");

// ---- kinds --------------------------------------------------------------------------------------------------------

const META = shaped({ session_id: isString }, {
  provider: isString,
  model_id: isString,
  model_context_window: (value, isText) => isString(value) || isNumber(value, isText),
  system_prompt: isAnyText,
  tools: isListOf(isTool),
  agent_state: isString,
  workspace: isString,
  source: isString,
  client_id: isString,
  endpoint: isString,
  created_by: isString,
  forked_from: isShaped({ ...sessionRef, file_index: isNumber, line: isNumber }, { copied_lines: isNumber }),
  switched_from: isShaped(sessionRef),
  handoff_from: isShaped(sessionRef),
  parent: isShaped({ ...sessionRef, tool_call_id: isString }),
} satisfies Partial<Record<keyof SessionMetaPayload, Test>>);

/** An unknown `stop_reason` stays: such a message did not complete. */
const ending = { stop_reason: isString, fidelity: isObject };
const input = { sender: isString, author: isString, client_id: isString };

const CONTENT: Record<CompletePayload["type"], Shape> = {
  text: shaped({ role: isEither, text: isAnyText }, { ...ending, ...input }),
  image_url: shaped({ role: isUser, image_url: isAnyText }, { ...ending, ...input }),
  inline_data: shaped({ role: isEither, data: isAnyText, mime_type: isString }, { ...ending, ...input }),
  thinking: shaped({ role: isAssistant, thinking: isAnyText }, ending),
  inline_thinking: shaped({ role: isAssistant, data: isAnyText, mime_type: isString }, ending),
  tool_call: shaped({ role: isAssistant, name: isString, arguments: isAnyText, tool_call_id: isString }, ending),
  tool_call_output: shaped(
    { role: isUser, output: isAnyText, tool_call_id: isString },
    { images: isListOf(isAnyText), stop_reason: isString },
  ),
};

const EVENTS: Record<EventPayload["type"], Shape> = {
  request_begin: shaped({}),
  request_end: shaped(
    { status: isStatus },
    {
      error_message: isAnyText,
      attempt: isNumber,
      retry_in_ms: isNumber,
      refused: isBoolean,
      context_too_long: isBoolean,
      over_budget: isBoolean,
    },
  ),
  approval_decision: shaped(
    { decision: isOneOf<ApprovalDecisionPayload["decision"]>("allow", "deny", "forbidden"), tool_call_id: isString },
    { by: isString, waited_ms: isNumber },
  ),
  token_usage: shaped(
    { session: isTokenCounts, request: isTokenCounts },
    { price: isPrice, user: isString, estimated: isBoolean },
  ),
  compaction_begin: shaped({ reason: isString, mode: isString }, { context: isNumber, turns: isNumber }),
  compaction_end: shaped(
    { reason: isString, mode: isString, status: isStatus },
    { attempt: isNumber, error_message: isAnyText },
  ),
  abort: shaped({}, { reason: nullOr(isAnyText), by: isString }),
  subagent: shaped({ session_id: isString }, { agent: isString }),
  goal_finished: shaped({ outcome: isString, rounds: isNumber, tokens_used: isNumber }),
  tool_list_ready: shaped({ tools: isListOf(isTool) }),
  mcp_connect_begin: shaped({}),
  mcp_connect_end: shaped({}),
  session_info: shaped(
    {
      title: nullOr(isString),
      archived: isBoolean,
      approval_mode: isOneOf<ApprovalMode>("allow-all", "deny-all", "read-only", "always-ask"),
      thinking_level: nullOr(isOneOf<ThinkingLevel>("none", "low", "medium", "high", "xhigh", "max")),
      visibility: isOneOf<Visibility>("team", "private"),
    },
    { by: isString },
  ),
  aux_usage: shaped(
    { purpose: isString, provider: isString, model_id: isString, request: isTokenCounts },
    { price: isPrice, user: isString },
  ),
};

const CONTENT_SHAPES = new Map<string, Shape>(Object.entries(CONTENT));
const EVENT_SHAPES = new Map<string, Shape>(Object.entries(EVENTS));

function shapeOf(message: OmniMessage): Shape | undefined {
  if (message.type === "session_meta") return META;
  return (message.type === "model_msg" ? CONTENT_SHAPES : EVENT_SHAPES).get(message.payload.type);
}
