/** Any Session with its subagents as one OTLP document. Content only when it is asked for. */
import type { AddressedMessage, OmniMessage, RecordAddress } from "../../lib/omni/message";
import type { Request, Task, ToolSpan } from "../../lib/trace/task";
import type { AgentRef } from "../paths";
import { type Content, type OtlpDocument, otlpDocument, type SessionSpans, type Span, spansOf } from "../trace/otlp";
import type { TraceStore } from "../trace/store";
import type { SessionCalls } from "./session-calls";

/** Sessions of one export. */
const MOST = 1_000;

export interface ExportParts {
  project: string;
  sessions: readonly SessionCalls[];
  traces: Pick<TraceStore, "tasks" | "fold" | "files">;
  /** Sessions that are left out, with what is below them. */
  hidden(key: string): boolean;
  content: boolean;
}

export async function exportSession(parts: ExportParts, key: string): Promise<OtlpDocument> {
  const byKey = new Map(parts.sessions.map((session) => [session.key, session]));
  const spans: Span[] = [];
  const open = [key];
  for (let next = open.shift(), count = 0; next !== undefined && count < MOST; next = open.shift(), count += 1) {
    const session = byKey.get(next);
    if (!session || parts.hidden(next)) continue;
    spans.push(...spansOf(await sessionSpans(parts, session, byKey)));
    for (const { key: child, parent } of parts.sessions) if (parent === next) open.push(child);
  }
  return otlpDocument(spans);
}

/** `from`: only Tasks from this one on. */
export async function sessionSpans(
  parts: ExportParts,
  session: SessionCalls,
  byKey: ReadonlyMap<string, SessionCalls>,
  from = 0,
): Promise<SessionSpans> {
  const { project, traces } = parts;
  const { agent, session_id, root, meta, copied } = session;
  const ref = { project, agent };
  const folded = await traces.tasks(ref, session_id);
  // What a fork copied is told by its source.
  const own = (folded?.tasks ?? []).filter(
    ({ index, end }) => index >= from && end.address.line > (copied.get(end.address.file_index) ?? 0),
  );
  const above = session.parent === null ? undefined : byKey.get(session.parent);
  return {
    project,
    agent,
    session_id,
    root,
    meta,
    tasks: own,
    started: above ? await startOf(parts, above, session) : null,
    ...(parts.content ? { content: await contentOf(traces, ref, session_id) } : {}),
  };
}

/** The call that started a subagent: the one its meta names, else the last one before the pointer to it. */
async function startOf(
  { project, traces }: ExportParts,
  parent: SessionCalls,
  child: SessionCalls,
): Promise<SessionSpans["started"]> {
  const folded = await traces.tasks({ project, agent: parent.agent }, parent.session_id);
  const requests = folded?.tasks.flatMap(({ requests }) => requests) ?? [];
  const named = child.meta?.parent?.tool_call_id;
  const call =
    requests.flatMap(({ tools }) => tools).find(({ tool_call_id }) => tool_call_id === named) ??
    lastBefore(requests, child);
  return call ? { agent: parent.agent, session_id: parent.session_id, call: call.call.address } : null;
}

function lastBefore(requests: readonly Request[], { session_id }: SessionCalls): ToolSpan | undefined {
  for (const { tools, subagents } of requests) {
    const pointer = subagents.find((one) => one.session_id === session_id);
    if (!pointer) continue;
    return tools.findLast(({ call }) => call.address.line < pointer.address.line) ?? tools[0];
  }
  return undefined;
}

// ---- content ------------------------------------------------------------------------------------------------------

const placeOf = ({ file_index, line }: RecordAddress) => `${file_index}:${line}`;

async function contentOf(traces: ExportParts["traces"], ref: AgentRef, session: string): Promise<Content> {
  const said = new Map<string, string>();
  for (const { index } of await traces.files(ref, session)) {
    await traces.fold(ref, session, index, ({ address, message }: AddressedMessage) => {
      const text = textOf(message);
      if (text !== null) said.set(placeOf(address), text);
    });
  }
  const join = (addresses: RecordAddress[]) =>
    addresses.flatMap((at) => said.get(placeOf(at)) ?? []).join("\n\n") || null;
  return {
    prompt: (task: Task) => join(task.prompt),
    answer: ({ answer }: Request) => join(answer.flatMap(({ kind, at }) => (kind === "text" ? [at.address] : []))),
    call: ({ call, output }: ToolSpan) => ({
      arguments: said.get(placeOf(call.address)) ?? "",
      result: output ? (said.get(placeOf(output.address)) ?? null) : null,
    }),
  };
}

function textOf({ type, payload }: OmniMessage): string | null {
  if (type !== "model_msg") return null;
  if (payload.type === "text") return payload.text;
  if (payload.type === "tool_call") return payload.arguments;
  return payload.type === "tool_call_output" ? payload.output : null;
}
