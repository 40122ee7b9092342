/** The Requests that a figure is made of, newest first, down to their records. */
import { AppError } from "../../lib/api/errors";
import type { UsageRequestRow, UsageRequestsPage, UsageRequestsQuery } from "../../lib/api/usage";
import { activeMs } from "../../lib/trace/usage-fold";
import { Pace } from "../trace/scan";
import { isFailure, type Priced, Sum } from "./figures";
import { type Range, rangeOf } from "./range";
import type { Reading } from "./reading";
import { type Call, headOf } from "./session-calls";

type Asked = Omit<UsageRequestsQuery, "limit" | "cursor">;

/**
 * Which of the calls that `reading.each` gives are asked for, by time and by how they ended; the same for the rows of a
 * figure and for every table as CSV. Throws `bad_request`.
 */
export function choice(reading: Reading, query: Asked, { from, to }: Range): (call: Call) => boolean {
  const since = query.since === undefined ? from : Math.max(from, Date.parse(query.since));
  const until = query.until === undefined ? to : Math.min(to, Date.parse(query.until));
  if (query.since !== undefined && query.until !== undefined && Date.parse(query.since) >= Date.parse(query.until)) {
    throw new AppError("bad_request", "`since` must be before `until`: exchange the two, or leave one out.");
  }
  const { status, errors, message, certainty } = query;
  return (call) =>
    call.at >= since &&
    call.at < until &&
    (status === undefined || status === call.request.status) &&
    (errors === undefined || isFailure(call.request.status)) &&
    (message === undefined || message === (errorOf(reading, call) ?? "")) &&
    (certainty === undefined || certainty === reading.priced(call).certainty);
}

/** All of them, newest first, with their sum. */
export async function chosenCalls(reading: Reading, query: Asked, now: number): Promise<{ calls: Call[]; sum: Sum }> {
  const chosen = choice(reading, query, rangeOf(query, now, reading.span));
  const calls: Call[] = [];
  const sum = new Sum();
  await reading.each(query, (call) => {
    if (!chosen(call)) return;
    sum.add(call.request, reading.priced(call));
    calls.push(call);
  });
  return { calls: await inOrder(calls), sum };
}

const PIECE = 4_096;

/** Newest first. Sorted in pieces that are merged, so that nobody waits long. */
async function inOrder(calls: Call[]): Promise<Call[]> {
  const pace = new Pace();
  let runs: Call[][] = [];
  for (let at = 0; at < calls.length; at += PIECE) {
    runs.push(calls.slice(at, at + PIECE).sort(newestFirst));
    if (pace.due) await pace.rest();
  }
  while (runs.length > 1) {
    const merged: Call[][] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(await mergedRuns(runs[i] ?? [], runs[i + 1] ?? [], pace));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergedRuns(a: Call[], b: Call[], pace: Pace): Promise<Call[]> {
  const all: Call[] = [];
  for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
    const [left, right] = [a[i], b[j]];
    const first = left && (!right || newestFirst(left, right) <= 0) ? left : right;
    if (!first) break;
    if (first === left) i += 1;
    else j += 1;
    all.push(first);
    if (all.length % 1_024 === 0 && pace.due) await pace.rest();
  }
  return all;
}

const MESSAGE_CHARS = 300;

/** Why it failed, as groups of errors tell it; null: not recorded, or not to be told. */
export function errorOf(reading: Reading, { session, request }: Call): string | null {
  return reading.hidden(session.key) || request.error === null ? null : headOf(request.error, MESSAGE_CHARS);
}

function newestFirst(a: Call, b: Call): number {
  if (a.at !== b.at) return b.at - a.at;
  if (a.session.key !== b.session.key) return a.session.key < b.session.key ? -1 : 1;
  return b.file_index - a.file_index || b.request.line - a.request.line;
}

export async function usageRequests(
  reading: Reading,
  query: UsageRequestsQuery,
  now: number,
): Promise<UsageRequestsPage> {
  const { calls, sum } = await chosenCalls(reading, query, now);
  const from = query.cursor === undefined ? 0 : placeAfter(reading, calls, query.cursor);
  const shown = calls.slice(from, from + query.limit);
  const last = shown.at(-1);
  return {
    requests: await oneByOne(shown, (call) => requestRow(reading, call)),
    total: calls.length,
    figures: sum.figures(),
    next: last && from + shown.length < calls.length ? cursorOf(reading, last) : null,
  };
}

/** Rows read titles from files: one after the other, and others have their turn in between. */
export async function oneByOne<From, To>(list: readonly From[], make: (one: From) => To | Promise<To>): Promise<To[]> {
  const pace = new Pace();
  const made: To[] = [];
  for (const one of list) {
    made.push(await make(one));
    if (pace.due) await pace.rest();
  }
  return made;
}

/** A place in the order; a private Session of somebody else is named by its cover here too (US6). */
function cursorOf(reading: Reading, { at, session, file_index, request }: Call): string {
  return [at, file_index, request.line, reading.sessionKey(session.key)].join("_");
}

/** After that Request; where it is gone, with the first that is no newer. */
function placeAfter(reading: Reading, calls: Call[], cursor: string): number {
  const [, at, file, line, key] = /^(-?\d+|NaN)_(\d+)_(\d+)_(.+)$/.exec(cursor) ?? [];
  if (key === undefined) throw new AppError("bad_request", "This cursor is not known.");
  const same = calls.findIndex(
    (call) =>
      Object.is(call.at, Number(at)) &&
      call.file_index === Number(file) &&
      call.request.line === Number(line) &&
      reading.sessionKey(call.session.key) === key,
  );
  if (same >= 0) return same + 1;
  const next = calls.findIndex((call) => call.at <= Number(at));
  return next < 0 ? calls.length : next;
}

export async function requestRow(reading: Reading, call: Call): Promise<UsageRequestRow> {
  const { request, session, file_index } = call;
  const { key, agent, session_id, root } = session;
  const hidden = reading.hidden(key);
  const cost: Priced = reading.priced(call);
  const active = activeMs(request);
  const { user, name, from_file } = await reading.person(call.user);
  const place = {
    agent,
    session_id,
    title: hidden ? null : await reading.title(key),
    address: { file_index, line: request.line },
  };
  return {
    key: `${reading.sessionKey(key)}:${file_index}:${request.line}`,
    kind: request.kind,
    purpose: request.aux?.purpose ?? null,
    compaction: request.compaction,
    place: hidden ? null : place,
    session: reading.sessionKey(root),
    agent,
    model: call.model,
    user: call.user,
    user_name: name ?? (from_file ? user : null),
    imported: call.imported,
    at: new Date(call.at).toISOString(),
    status: request.status,
    error_message: hidden ? null : request.error,
    attempt: request.attempt,
    refused: request.refused,
    tokens: request.tokens,
    ...cost,
    duration_ms: active === null ? null : active + Math.min(request.waited, whole(request)),
    waited_ms: request.waited,
    tokens_per_second: active !== null && active > 0 && request.tokens ? (request.tokens.output * 1000) / active : null,
  };
}

function whole({ begin, end }: Call["request"]): number {
  return begin === null || end === null ? 0 : Math.max(0, end - begin);
}
