/**
 * A Session as OpenTelemetry spans (OTLP/HTTP, JSON). Every id is made of the address of the record that a span begins
 * with, so that the same Trace gives the same spans however often and from wherever it is exported.
 *
 *   Task (invoke_agent) ─▶ Request (chat) ─▶ tool call (execute_tool) ─▶ Task of the subagent it started …
 */
import { createHash } from "node:crypto";
import { costOf } from "../../lib/model/price";
import type { RecordAddress, SessionMetaPayload } from "../../lib/omni/message";
import type { Moment, Request, Task, ToolSpan } from "../../lib/trace/task";
import { NAMES, OPERATIONS, providerName } from "./otlp-names";

export interface Attribute {
  key: string;
  value: { stringValue: string } | { intValue: string } | { doubleValue: number } | { boolValue: boolean };
}
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 1 internal, 3 client */
  kind: 1 | 3;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  /** 0 unset, 1 ok, 2 error */
  status: { code: 0 | 1 | 2; message?: string };
}
export interface OtlpDocument {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { scope: { name: string; version: string }; schemaUrl: string; spans: Span[] }[];
  }[];
}

/** One Session of the export. */
export interface SessionSpans {
  project: string;
  agent: string;
  session_id: string;
  /** `<agent>/<session id>` of the Session that started it all. */
  root: string;
  meta: SessionMetaPayload | null;
  tasks: readonly Task[];
  /** The tool call that started it; null: a person did. */
  started: { agent: string; session_id: string; call: RecordAddress } | null;
  /** Texts of records; absent: none are exported. */
  content?: Content;
}
export interface Content {
  prompt(task: Task): string | null;
  answer(request: Request): string | null;
  call(tool: ToolSpan): { arguments: string; result: string | null } | null;
}

const hash = (text: string, bytes: number) =>
  createHash("sha256")
    .update(text)
    .digest("hex")
    .slice(0, bytes * 2);

export const traceId = (project: string, root: string) => hash(`trace\n${project}\n${root}`, 16);
/** `what` tells spans apart that begin with the same record. */
export function spanId(
  session: { project: string; agent: string; session_id: string },
  what: keyof typeof OPERATIONS,
  { file_index, line }: RecordAddress,
): string {
  return hash([what, session.project, session.agent, session.session_id, file_index, line].join("\n"), 8);
}

type Value = string | number | boolean | null | undefined;
/** Integers are strings in OTLP's JSON. */
function attributes(values: [key: string, value: Value][]): Attribute[] {
  return values.flatMap(([key, value]): Attribute[] => {
    if (value === null || value === undefined) return [];
    if (typeof value === "string") return [{ key, value: { stringValue: value } }];
    if (typeof value === "boolean") return [{ key, value: { boolValue: value } }];
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }];
  });
}

/** Nanoseconds; a time that cannot be read is that of `or`. */
function nanos(timestamp: string, or: string): string {
  const ms = Date.parse(timestamp);
  return Number.isFinite(ms) ? (BigInt(ms) * 1_000_000n).toString() : or;
}

interface Place {
  id: string;
  parent: string | undefined;
  from: Moment;
  to: Moment;
}

export function spansOf(session: SessionSpans): Span[] {
  const { started } = session;
  const above = started && spanId({ ...session, ...started }, "tool", started.call);
  return session.tasks.flatMap((task) => {
    const id = spanId(session, "task", task.start.address);
    const place = { id, parent: above ?? undefined, from: task.requests[0]?.begin ?? task.start, to: task.end };
    return [taskSpan(session, task, place), ...task.requests.flatMap((one) => requestSpans(session, one, id))];
  });
}

function span(
  session: SessionSpans,
  operation: keyof typeof OPERATIONS,
  about: string,
  { id, parent, from, to }: Place,
  values: [string, Value][],
): Omit<Span, "status"> {
  const start = nanos(from.timestamp, "0");
  const end = nanos(to.timestamp, start);
  return {
    traceId: traceId(session.project, session.root),
    spanId: id,
    ...(parent ? { parentSpanId: parent } : {}),
    name: `${OPERATIONS[operation]} ${about}`,
    kind: operation === "request" ? 3 : 1,
    startTimeUnixNano: start,
    endTimeUnixNano: BigInt(end) < BigInt(start) ? start : end,
    attributes: attributes([
      [NAMES.operation, OPERATIONS[operation]],
      [NAMES.conversation, session.session_id],
      [NAMES.agent, session.agent],
      [NAMES.project, session.project],
      [NAMES.file, from.address.file_index],
      [NAMES.line, from.address.line],
      ...values,
    ]),
  };
}

const message = (role: string, text: string | null | undefined) =>
  text ? JSON.stringify([{ role, parts: [{ type: "text", content: text }] }]) : null;

function taskSpan(session: SessionSpans, task: Task, place: Place): Span {
  const last = task.requests.at(-1);
  const status = task.abort ? "aborted" : (last?.end?.result.status ?? "open");
  const reason = task.abort?.payload.reason ?? last?.end?.result.error_message;
  return {
    ...span(session, "task", session.agent, place, [
      [NAMES.provider, providerName(session.meta?.provider ?? "")],
      [NAMES.model, session.meta?.model_id],
      [NAMES.kind, task.kind],
      [NAMES.status, status],
      [NAMES.user, last?.usage?.counts.user ?? session.meta?.created_by],
      [NAMES.input_messages, message("user", session.content?.prompt(task))],
    ]),
    status: ended(status, reason),
  };
}

/** Stopping is no failure of the program. */
function ended(status: string, reason: string | null | undefined): Span["status"] {
  if (status === "completed") return { code: 1 };
  if (status === "aborted" || status === "open") return { code: 0 };
  return { code: 2, ...(reason ? { message: reason } : {}) };
}

function requestSpans(session: SessionSpans, request: Request, parent: string): Span[] {
  const { begin, end, usage, tools } = request;
  const id = spanId(session, "request", begin.address);
  const tokens = usage?.counts.request;
  const price = usage?.counts.price;
  const status = end?.result.status ?? "open";
  const failed = status !== "completed" && status !== "aborted" && status !== "open";
  const last = end ?? request.answer.at(-1)?.at ?? begin;
  const made: Span = {
    ...span(session, "request", session.meta?.model_id ?? "", { id, parent, from: begin, to: last }, [
      [NAMES.provider, providerName(session.meta?.provider ?? "")],
      [NAMES.model, session.meta?.model_id],
      [NAMES.input_tokens, tokens && tokens.cache_read + tokens.cache_write],
      [NAMES.output_tokens, tokens?.output],
      [NAMES.cache_read_tokens, tokens?.cache_read],
      [NAMES.cache_creation_tokens, tokens?.cache_creation],
      [NAMES.estimated, usage?.counts.estimated],
      [NAMES.usd, tokens && price ? costOf(tokens, price) : null],
      [NAMES.user, usage?.counts.user],
      [NAMES.attempt, request.attempt],
      [NAMES.status, status],
      [NAMES.error, failed ? status : null],
      [NAMES.output_messages, message("assistant", session.content?.answer(request))],
    ]),
    status: ended(status, end?.result.error_message),
  };
  return [made, ...tools.map((tool) => toolSpan(session, tool, id))];
}

function toolSpan(session: SessionSpans, tool: ToolSpan, parent: string): Span {
  const { call, approval, output } = tool;
  const id = spanId(session, "tool", call.address);
  const status = output?.stop_reason ?? "open";
  const failed = status !== "completed" && status !== "aborted" && status !== "open";
  const content = session.content?.call(tool);
  return {
    ...span(session, "tool", tool.name, { id, parent, from: call, to: output ?? approval ?? call }, [
      [NAMES.tool, tool.name],
      [NAMES.tool_call, tool.tool_call_id],
      [NAMES.decision, approval?.decision],
      [NAMES.decided_by, approval?.by],
      [NAMES.waited, tool.waited_ms],
      [NAMES.status, status],
      [NAMES.error, failed ? status : null],
      [NAMES.tool_arguments, content?.arguments],
      [NAMES.tool_result, content?.result],
    ]),
    status: ended(status, null),
  };
}

export function otlpDocument(spans: Span[]): OtlpDocument {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributes([["service.name", NAMES.scope]]) },
        scopeSpans: [{ scope: { name: NAMES.scope, version: NAMES.version }, schemaUrl: NAMES.schema_url, spans }],
      },
    ],
  };
}
