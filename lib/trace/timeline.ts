/**
 * Tasks -> spans, each in a lane: what the timeline draws and what its table lists. Says what happened when; where it
 * is drawn is `timeline-layout.ts`'s business. Times are milliseconds since 1970, by the records' own timestamps.
 *
 *   model       thinking, answer, arguments of a call; the stretch of a Request that failed
 *   tool:<name> waiting for a decision, then running
 *   subagents   from the spawn to the output of the call that spawned
 *   retries     the wait between a failed attempt and the next one
 *   compaction  a compaction in the middle of the Task
 */
import type { RecordAddress } from "../omni/message";
import type { AnswerSpan, Request, Task, ToolSpan } from "./task";

export type SpanKind =
  | "thinking"
  | "answer"
  | "arguments"
  | "failed"
  | "waiting"
  | "running"
  | "retry"
  | "subagent"
  | "compaction";

export type LaneKind = "model" | "tool" | "subagents" | "retries" | "compaction";

export interface Lane {
  id: string;
  kind: LaneKind;
  /** Of a tool; "" otherwise. */
  name: string;
}

export interface Span {
  /** Unique in its Task. */
  key: string;
  lane: string;
  kind: SpanKind;
  from: number;
  /** Never before `from`. */
  to: number;
  /** It has no end on record: it runs, or a crash cut it off. */
  open: boolean;
  /** Name of the tool, id of the child, reason of the compaction. */
  name: string;
  /** The record to go to. */
  at: RecordAddress;
  /** All records that tell of it, `at` among them. */
  records: RecordAddress[];
  /** Position of its Request among those of the Task; null: of none. */
  request: number | null;
  /** How it ended, when that is worth a word: a stop reason, a status, a decision. */
  ended?: string;
  by?: string;
  /** 1-based; for a retry that of the attempt that follows. */
  attempt?: number;
  /** What the provider said, of a failure. */
  reason?: string;
  agent?: string;
}

export interface TaskTimeline {
  from: number;
  to: number;
  /** In the order in which they are drawn. */
  lanes: Lane[];
  /** By start; at the same start in the order of the records. */
  spans: Span[];
}

/** A time as written, in milliseconds; NaN when it cannot be read. */
const time = (written: string): number => Date.parse(written);

export const addressKey = ({ file_index, line }: RecordAddress): string => `${file_index}:${line}`;

/** The spans of one Task. `inner`: the compactions that lie within it. */
export function timelineOf(task: Task, inner: readonly Task[] = []): TaskTimeline {
  const end = lastTime(task);
  const drawn = new Drawing(task.start.address, end);
  for (const [i, request] of task.requests.entries()) {
    drawRetry(drawn, request, i, task.requests[i - 1]);
    drawModel(drawn, request, i);
    for (const tool of request.tools) drawTool(drawn, tool, i);
    drawSubagents(drawn, request, i);
  }
  for (const compaction of inner) drawCompaction(drawn, compaction);
  return drawn.result(time(task.requests[0]?.begin.timestamp ?? task.start.timestamp));
}

/** Where open spans end: the newest time that the Task's records tell. */
function lastTime(task: Task): number {
  const start = time(task.start.timestamp);
  const times = [time(task.end.timestamp), start];
  for (const { begin, end } of task.requests) times.push(time(begin.timestamp), time(end?.timestamp ?? ""));
  return Math.max(...times.filter(Number.isFinite), Number.NEGATIVE_INFINITY);
}

class Drawing {
  readonly #lanes = new Map<string, Lane>();
  readonly #spans: Span[] = [];

  constructor(
    readonly start: RecordAddress,
    /** End of what has none. */
    readonly end: number,
  ) {}

  add(lane: Lane, span: Omit<Span, "lane" | "key">): void {
    const from = Number.isFinite(span.from) ? span.from : this.end;
    const to = Math.max(from, Number.isFinite(span.to) ? span.to : from);
    if (!Number.isFinite(from)) return;
    this.#lanes.set(lane.id, this.#lanes.get(lane.id) ?? lane);
    this.#spans.push({ ...span, from, to, lane: lane.id, key: `${span.kind}@${addressKey(span.at)}` });
  }

  result(begin: number): TaskTimeline {
    const order: LaneKind[] = ["model", "tool", "subagents", "retries", "compaction"];
    const lanes = [...this.#lanes.values()].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
    const spans = this.#spans.sort((a, b) => a.from - b.from);
    let from = Number.isFinite(begin) ? begin : this.end;
    let to = Number.isFinite(this.end) ? this.end : from;
    for (const span of spans) {
      from = Math.min(from, span.from);
      to = Math.max(to, span.to);
    }
    return { from: Number.isFinite(from) ? from : 0, to: Number.isFinite(to) ? to : 0, lanes, spans };
  }
}

const MODEL: Lane = { id: "model", kind: "model", name: "" };
const SUBAGENTS: Lane = { id: "subagents", kind: "subagents", name: "" };
const RETRIES: Lane = { id: "retries", kind: "retries", name: "" };
const COMPACTION: Lane = { id: "compaction", kind: "compaction", name: "" };

const ANSWERS: Partial<Record<AnswerSpan["kind"], SpanKind>> = {
  thinking: "thinking",
  inline_thinking: "thinking",
  tool_call: "arguments",
};

function drawModel(drawn: Drawing, request: Request, index: number): void {
  let last = time(request.begin.timestamp);
  for (const answer of request.answer) {
    const call = request.tools.find(({ call: { address } }) => addressKey(address) === addressKey(answer.at.address));
    last = time(answer.at.timestamp);
    drawn.add(MODEL, {
      kind: ANSWERS[answer.kind] ?? "answer",
      from: time(answer.from),
      to: last,
      open: false,
      name: call?.name ?? "",
      at: answer.at.address,
      records: [answer.at.address],
      request: index,
    });
  }
  drawRest(drawn, request, index, last);
}

/** What is left of a Request behind its last message: a failure, or an answer still to come. */
function drawRest(drawn: Drawing, request: Request, index: number, last: number): void {
  const { begin, end, attempt } = request;
  const status = end?.result.status;
  if (status === "completed") return;
  const at = end?.address ?? begin.address;
  const reason = end?.result.error_message;
  drawn.add(MODEL, {
    kind: end ? "failed" : "answer",
    from: last,
    to: end ? time(end.timestamp) : drawn.end,
    open: !end,
    name: "",
    at,
    records: end ? [at] : [begin.address],
    request: index,
    attempt,
    ...(status ? { ended: status } : {}),
    ...(typeof reason === "string" ? { reason } : {}),
  });
}

function drawTool(drawn: Drawing, tool: ToolSpan, request: number): void {
  const { name, call, approval, output, waited_ms } = tool;
  const lane: Lane = { id: `tool:${name}`, kind: "tool", name };
  const records = [call, approval, output].flatMap((moment) => (moment ? [moment.address] : []));
  const decided = approval ? time(approval.timestamp) : Number.NaN;
  if (approval && waited_ms > 0) {
    drawn.add(lane, {
      kind: "waiting",
      from: decided - waited_ms,
      to: decided,
      open: false,
      name,
      at: approval.address,
      records,
      request,
      ended: approval.decision,
      ...(approval.by === undefined ? {} : { by: approval.by }),
    });
  }
  // A refused call does not run; one without a decision on record waits for it, or ran under rules of old.
  if (approval && approval.decision !== "allow") return;
  drawn.add(lane, {
    kind: approval || output ? "running" : "waiting",
    from: approval ? decided : time(call.timestamp),
    to: output ? time(output.timestamp) : drawn.end,
    open: !output,
    name,
    at: call.address,
    records,
    request,
    ...(output && output.stop_reason !== "completed" ? { ended: output.stop_reason } : {}),
  });
}

function drawSubagents(drawn: Drawing, request: Request, index: number): void {
  for (const child of request.subagents) {
    const spawned = time(child.timestamp);
    const call = request.tools.findLast((tool) => {
      const runs = tool.approval ?? tool.call;
      return time(runs.timestamp) <= spawned && (!tool.output || time(tool.output.timestamp) >= spawned);
    });
    drawn.add(SUBAGENTS, {
      kind: "subagent",
      from: spawned,
      to: call?.output ? time(call.output.timestamp) : call ? drawn.end : spawned,
      open: call !== undefined && !call.output,
      name: child.session_id,
      at: child.address,
      records: call ? [child.address, call.call.address] : [child.address],
      request: index,
      ...(child.agent === undefined ? {} : { agent: child.agent }),
    });
  }
}

function drawRetry(drawn: Drawing, request: Request, index: number, before: Request | undefined): void {
  if (request.retry_waited_ms === null || !before?.end) return;
  const to = time(request.begin.timestamp);
  const reason = before.end.result.error_message;
  drawn.add(RETRIES, {
    kind: "retry",
    from: to - request.retry_waited_ms,
    to,
    open: false,
    name: "",
    at: before.end.address,
    records: [before.end.address, request.begin.address],
    request: index,
    ended: before.end.result.status,
    attempt: request.attempt,
    ...(typeof reason === "string" ? { reason } : {}),
  });
}

function drawCompaction(drawn: Drawing, task: Task): void {
  const { begin, end } = task.compaction ?? { begin: null, end: null };
  drawn.add(COMPACTION, {
    kind: "compaction",
    from: time(task.start.timestamp),
    to: time(task.end.timestamp),
    open: !end,
    name: begin?.reason ?? "",
    at: task.start.address,
    records: [task.start.address, task.end.address],
    request: null,
    ...(end && end.status !== "completed" ? { ended: end.status } : {}),
  });
}
