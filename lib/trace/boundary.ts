/**
 * Where Tasks begin, and to which of them a record belongs: the one decision (P5). `segment.ts` makes Tasks and
 * Requests of it, `transcript.ts` the blocks of a conversation; both fold over `step`. By position, never by timestamp.
 *
 *   A Task starts at a user's text or image that is no steering, no report from the background and no context summary,
 *   or at a request_begin that nothing before it explains. The next Request belongs to it while it is not finished: its
 *   last Request called tools, or did not complete (retries, /retry), or steering came since.
 *   A compaction is a Task of its own; in the middle of a Task it lies within that Task, which then goes on.
 *   Records between Tasks (meta, settings, summary) belong to none.
 *
 * States are never changed: a step gives a new one, and shares what stayed the same.
 */
import { readBackgroundTaskDone, readContextSummary, readSteering } from "../omni/blocks";
import { isCommittableCall } from "../omni/history";
import type { CompactionBeginPayload, CompletePayload, EventPayload, StopReason, TextPayload } from "../omni/message";
import type { ReadableMessage } from "../omni/readable";
import { long } from "./long";

/** A Task by its position among all Tasks. */
export interface Place {
  task: number;
  /** The Task that it lies within, for a compaction in the middle of one; else the Task itself. */
  host: number;
}

export interface Step {
  state: Boundaries;
  /** The Task that the record belongs to; null: to none. */
  place: Place | null;
  /** The record opens the Task that it belongs to. */
  opens: "task" | "compaction" | null;
  /** The open Request came before its Prompt: it goes over to the Task that opens here. */
  late: boolean;
  /** What a user's text or image is. */
  input: "prompt" | "steering" | "report" | "summary" | "compaction" | null;
}

/** A Request, as far as boundaries depend on it. */
interface RequestState {
  /** How it ended; null: it has not. */
  status: StopReason | null;
  answered: boolean;
  /** Calls that need an output. */
  calls: number;
  /** Opened without an input of its own before it. */
  bare: boolean;
}
interface TaskState extends Place {
  requests: number;
  last: RequestState | null;
  /** The Request that the records are still in, of the Task before, until this one has its own. */
  earlier: RequestState | null;
  aborted: boolean;
  max_turns: boolean;
  client_id?: string;
}
interface SpanState extends Place {
  requests: number;
  last: RequestState | null;
  discard: boolean;
}
/** Newest first, so that the usual look-up is short. */
interface Calls {
  id: string;
  place: Place;
  before: Calls | null;
}

export interface Boundaries {
  /** How many Tasks were opened. */
  count: number;
  newest: Place | null;
  /** The Task that the records are in, or were in last; never a compaction. */
  task: TaskState | null;
  /** The compaction that they are in. */
  span: SpanState | null;
  /** Whose last Request the records are in. */
  request: "task" | "span" | null;
  /** Input since the last request_begin. */
  input: "none" | "steering" | "prompt";
  after_steering: boolean;
  calls: Calls | null;
}

export const START: Boundaries = {
  count: 0,
  newest: null,
  task: null,
  span: null,
  request: null,
  input: "none",
  after_steering: false,
  calls: null,
};

/** One record more. Texts may be shortened. */
export function step(state: Boundaries, message: ReadableMessage): Step {
  if (message.type === "session_meta") return at(state, null);
  return message.type === "event_msg" ? onEvent(state, message.payload) : onContent(state, message.payload);
}

/** The Task that what is being streamed belongs to. */
export function currentPlace({ span, task }: Boundaries): Place | null {
  return span ?? task;
}

function at(state: Boundaries, place: Place | null, more: Partial<Omit<Step, "state" | "place">> = {}): Step {
  return {
    state,
    place: place && { task: place.task, host: place.host },
    opens: null,
    late: false,
    input: null,
    ...more,
  };
}

/** Did the Task come to its own end: an answer that called no tool, or the maximum of turns? */
function isFinished({ max_turns, last }: TaskState): boolean {
  return max_turns || (last?.status === "completed" && last.calls === 0);
}
function goesOn(task: TaskState | null): task is TaskState {
  return task !== null && !isFinished(task) && !task.aborted;
}

function openTask(state: Boundaries): { state: Boundaries; task: TaskState } {
  const place = { task: state.count, host: state.count };
  const task: TaskState = {
    ...place,
    requests: 0,
    last: null,
    earlier: requestOf(state),
    aborted: false,
    max_turns: false,
  };
  return { state: { ...state, count: state.count + 1, newest: place, task }, task };
}

// ---- events -------------------------------------------------------------------------------------------------------

function onEvent(state: Boundaries, payload: EventPayload): Step {
  switch (payload.type) {
    case "request_begin":
      return onBegin(state);
    case "request_end":
      return onEnd(state, payload.status);
    case "token_usage":
    case "subagent":
      return at(state, currentPlace(state));
    case "approval_decision":
      return at(state, placeOfCall(state, payload.tool_call_id) ?? currentPlace(state));
    case "abort":
      return onAbort(state);
    case "compaction_begin":
      return onCompactionBegin(state, payload);
    case "compaction_end":
      return at({ ...state, span: null, request: null }, state.span);
    case "goal_finished":
      return at(state, state.task);
    default:
      return at(state, null);
  }
}

function onBegin(before: Boundaries): Step {
  const last: RequestState = { status: null, answered: false, calls: 0, bare: before.input === "none" };
  const { span } = before;
  if (span) {
    const next = { ...span, requests: span.requests + 1, last };
    return at({ ...before, span: next, request: "span", input: "none" }, span);
  }
  const goingOn = before.task && (before.input !== "none" || !isFinished(before.task)) ? before.task : null;
  const { state, task } = goingOn ? { state: before, task: goingOn } : openTask(before);
  const next = { ...task, requests: task.requests + 1, last };
  return at({ ...state, task: next, request: "task", input: "none" }, task, { opens: goingOn ? null : "task" });
}

/** The Request that the records are in, changed. */
function withRequest(state: Boundaries, change: (request: RequestState) => RequestState): Boundaries {
  const { request, span, task } = state;
  if (request === "span" && span?.last) return { ...state, span: { ...span, last: change(span.last) } };
  if (request === "task" && task?.last) return { ...state, task: { ...task, last: change(task.last) } };
  if (request === "task" && task?.earlier) return { ...state, task: { ...task, earlier: change(task.earlier) } };
  return state;
}

function requestOf({ request, span, task }: Boundaries): RequestState | null {
  if (request === null) return null;
  return (request === "span" ? span?.last : (task?.last ?? task?.earlier)) ?? null;
}

function onEnd(state: Boundaries, status: StopReason): Step {
  const ended = withRequest(state, (request) => (request.status === null ? { ...request, status } : request));
  return at(ended, currentPlace(state));
}

function onAbort(state: Boundaries): Step {
  const { span, task, newest } = state;
  const place = !span && task && isFinished(task) ? newest : currentPlace(state);
  if (!task || place?.task !== task.task) return at(state, place);
  return at({ ...state, task: { ...task, aborted: true } }, place);
}

function onCompactionBegin(state: Boundaries, { mode }: CompactionBeginPayload): Step {
  const id = state.count;
  const place = { task: id, host: goesOn(state.task) ? state.task.task : id };
  const span: SpanState = { ...place, requests: 0, last: null, discard: mode === "discard" };
  return at({ ...state, count: id + 1, newest: place, span }, place, { opens: "compaction" });
}

// ---- content ------------------------------------------------------------------------------------------------------

function onContent(before: Boundaries, payload: CompletePayload): Step {
  const steeringImage = before.after_steering && (payload.type === "image_url" || payload.type === "inline_data");
  const state = before.after_steering === steeringImage ? before : { ...before, after_steering: steeringImage };
  if (payload.type === "tool_call_output") {
    return at(state, placeOfCall(state, payload.tool_call_id) ?? currentPlace(state));
  }
  if (payload.role === "assistant") return onAnswer(state, payload);
  return onInput(state, payload, steeringImage);
}

function placeOfCall(state: Boundaries, id: string): Place | null {
  for (let call = state.calls; call; call = call.before) if (call.id === id) return call.place;
  return null;
}

function onAnswer(state: Boundaries, payload: CompletePayload): Step {
  const place = currentPlace(state);
  const request = requestOf(state);
  if (!request || request.status !== null) {
    const tooMany = state.task && !state.span && payload.type === "text" && payload.stop_reason === "failed";
    return at(tooMany && state.task ? { ...state, task: { ...state.task, max_turns: true } } : state, place);
  }
  const called = isCommittableCall(payload);
  const calls = request.calls + (called ? 1 : 0);
  const answered = withRequest(state, (open) => ({ ...open, answered: true, calls }));
  if (!called || !place) return at(answered, place);
  const call = { id: payload.tool_call_id, place: { task: place.task, host: place.host }, before: state.calls };
  return at({ ...answered, calls: call }, place);
}

function onInput(before: Boundaries, payload: CompletePayload, steeringImage: boolean): Step {
  if (before.span && isCompactionText(before, before.span, payload)) {
    return at(before, before.span, { input: "compaction" });
  }
  // A span that a crash left open ends where somebody writes again.
  const state: Boundaries = before.span ? { ...before, span: null, request: null } : before;
  if (payload.type === "text" && isSummary(payload)) {
    return at(state, goesOn(state.task) ? state.task : null, { input: "summary" });
  }
  const told = state.input === "none" ? ("steering" as const) : state.input;
  if (steeringImage || (payload.type === "text" && isSteering(payload))) {
    return at({ ...state, input: told, after_steering: true }, state.task, { input: "steering" });
  }
  if (payload.type === "text" && isReport(state.task, payload)) {
    return at({ ...state, input: told }, state.task, { input: "report" });
  }
  return onPrompt(state, payload);
}

/** The prompt of a compaction, and notes behind an answered attempt. */
function isCompactionText(state: Boundaries, span: SpanState, payload: CompletePayload): boolean {
  if (payload.type !== "text" || payload.client_id !== undefined) return false;
  return (span.requests === 0 && !span.discard) || requestOf(state)?.status === "completed";
}

function isSummary({ text }: TextPayload): boolean {
  const given = long(text);
  if (typeof given === "string") return readContextSummary(given) !== null;
  return /^\s*[[<]context_summary[\]>]/.test(given.head);
}
function isSteering({ text }: TextPayload): boolean {
  const given = long(text);
  if (typeof given === "string") return readSteering(given) !== null;
  return /^\s*\[user_steering\]/.test(given.head);
}
/** Told to a Task that goes on; an idle Session is told with a Task of its own. */
function isReport(task: TaskState | null, { text }: TextPayload): boolean {
  if (!goesOn(task) || task.requests === 0) return false;
  const given = long(text);
  return readBackgroundTaskDone(typeof given === "string" ? given : given.head) !== null;
}

function onPrompt(before: Boundaries, payload: CompletePayload): Step {
  const given = "client_id" in payload && typeof payload.client_id === "string" ? payload.client_id : undefined;
  const joined = joinedBy(before, given);
  const late = !joined && isLate(before);
  const { state, task } = joined ? { state: before, task: joined } : openTask(before);
  const own = late && before.task ? { requests: 1, last: before.task.last } : {};
  const next: TaskState = { ...task, ...own, client_id: given ?? task.client_id };
  const input = next.requests === 0 ? "prompt" : state.input;
  return at({ ...state, task: next, input }, task, { opens: joined ? null : "task", late, input: "prompt" });
}

/** The Task whose Prompt is still being written, part by part. */
function joinedBy(state: Boundaries, clientId: string | undefined): TaskState | null {
  const { task } = state;
  if (!task) return null;
  if (task.requests === 0 && !task.aborted) {
    const another = clientId !== undefined && task.client_id !== undefined && clientId !== task.client_id;
    return another ? null : task;
  }
  return task.requests === 1 && isLate(state) ? task : null;
}

/** Was a Request opened first, and is given its input now? */
function isLate({ request, task }: Boundaries): boolean {
  const last = request === "task" ? task?.last : null;
  return last?.bare === true && last.status === null && !last.answered;
}
