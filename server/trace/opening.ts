/** What a page of a Trace shows first: the Trace as a whole, and the rows at which it opens. */
import { elide } from "../../lib/api/elide";
import type { TraceOpening, TraceOverview } from "../../lib/api/trace-overview";
import type { SummariesPage } from "../../lib/api/trace-summary";
import type { OmniMessage } from "../../lib/omni/message";
import { describe } from "../../lib/trace/describe";
import { QUICK_BYTES, windowSize } from "../../lib/trace/rows-window";
import type { AgentRef } from "../paths";
import { readableSession } from "./access";
import type { TraceStore, TraceWindow } from "./store";

type Ref = AgentRef & { session: string };

/** Throws `not_found`. `state`: what the Session does here and now. */
export async function traceOverview(
  traces: TraceStore,
  ref: Ref,
  user: string,
  state: TraceOverview["state"],
): Promise<TraceOverview> {
  const facts = await readableSession(traces, ref, user);
  const files = await traces.filesWithLines(ref, ref.session);
  const { meta } = facts;
  const window = meta?.model_context_window;
  return {
    session_id: ref.session,
    title: facts.info?.title ?? facts.title_fallback,
    imported: facts.imported,
    files,
    provider: meta?.provider,
    model_id: meta?.model_id,
    context_window: typeof window === "number" ? window : undefined,
    workspace: meta?.workspace,
    created_by: meta?.created_by,
    source: meta?.source,
    parent: meta?.parent,
    forked_from: meta?.forked_from,
    switched_from: meta?.switched_from,
    handoff_from: meta?.handoff_from,
    state,
  };
}

/** Text at once: what was shortened does not keep the whole record in memory. */
export const shortened = (message: OmniMessage) => JSON.stringify(elide(message));

/** Characters: a time has fewer, but a record may say anything. */
const LONGEST_TIME = 64;
const summed = (message: OmniMessage) => ({
  timestamp: message.timestamp.slice(0, LONGEST_TIME),
  ...describe(message),
});

/** A line about each of these physical lines; null: no such file. */
export async function summaries(
  traces: TraceStore,
  ref: Ref,
  index: number,
  range: { offset: number; limit: number },
): Promise<SummariesPage | null> {
  const window = await traces.window(ref, ref.session, index, range, summed);
  if (!window) return null;
  const records = window.records.map((row) =>
    "message" in row ? { line: row.line, ...row.message } : { line: row.line, error: row.error },
  );
  return { records, total: window.total };
}

/** Rows by physical line as JSON, long strings shortened (P2). */
export function* rowsJson({ records, total }: TraceWindow<string>): Generator<string> {
  yield '{"records":[';
  for (const [i, row] of records.entries()) {
    const comma = i === 0 ? "" : ",";
    yield "message" in row ? `${comma}{"line":${row.line},"message":${row.message}}` : `${comma}${JSON.stringify(row)}`;
  }
  yield `],"total":${total}}`;
}

interface Start {
  index: number;
  line: number | undefined;
  /** The reading by records was asked for, or a search. */
  events: boolean;
}

/** As JSON of `TraceOpening`; null when there is nothing that this person may read: the page itself says why. */
export async function traceOpening(
  traces: TraceStore,
  ref: Ref,
  user: string,
  { state, start }: { state: TraceOverview["state"]; start: Start },
): Promise<string | null> {
  try {
    const overview = await traceOverview(traces, ref, user, state);
    const rows = await firstRows(traces, ref, overview, start);
    const linked = await linkedRow(traces, ref, rows ? start : null);
    return `{"overview":${JSON.stringify(overview)},"rows":${JSON.stringify(rows)},"linked":${linked}}`;
  } catch {
    return null;
  }
}

async function firstRows(
  traces: TraceStore,
  ref: Ref,
  { files }: TraceOverview,
  { index, line = 1, events }: Start,
): Promise<TraceOpening["rows"]> {
  const file = files.find((one) => one.index === index);
  const large = files.reduce((sum, { bytes }) => sum + bytes, 0) > QUICK_BYTES;
  if (!file || !(events || large || line > 1)) return null;
  const size = windowSize(file);
  const window = Math.floor((line - 1) / size);
  const page = await summaries(traces, ref, index, { offset: window * size, limit: size });
  return page && { index, window, page };
}

/** The record that the address names, as JSON. */
async function linkedRow(traces: TraceStore, ref: Ref, start: Start | null): Promise<string> {
  if (!start?.line) return "null";
  const { index, line } = start;
  const row = await traces.window(ref, ref.session, index, { offset: line - 1, limit: 1 }, shortened);
  return row ? `{"index":${index},"line":${line},"page":${[...rowsJson(row)].join("")}}` : "null";
}
