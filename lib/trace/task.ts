/** What a Task and a Request are, once `segment.ts` has found them, and their figures. */
import type {
  AbortPayload,
  ApprovalDecisionPayload,
  CompactionBeginPayload,
  CompactionEndPayload,
  CompletePayload,
  RecordAddress,
  RequestEndPayload,
  TokenCounts,
  TokenUsagePayload,
} from "../omni/message";

/** A record's place and its time, as written (ISO 8601). */
export interface Moment {
  address: RecordAddress;
  timestamp: string;
}

/** One message of the model; it began where the one before it in the Request ended. */
export interface AnswerSpan {
  kind: CompletePayload["type"];
  from: string;
  at: Moment;
}

/** One call that runs or was refused; calls that the model did not finish are none. */
export interface ToolSpan {
  tool_call_id: string;
  name: string;
  call: Moment;
  approval: (Moment & { decision: ApprovalDecisionPayload["decision"]; by?: string }) | null;
  /** Milliseconds that the call waited for its decision. */
  waited_ms: number;
  output: (Moment & { stop_reason: string }) | null;
}

export interface Request {
  /** Position among all Requests of the records. */
  index: number;
  begin: Moment;
  /** null: still running, or orphaned by a crash. */
  end: (Moment & { result: RequestEndPayload }) | null;
  /** 1-based, counted over the retries of one input. */
  attempt: number;
  /** Milliseconds from the failed attempt before it; null for a first attempt. */
  retry_waited_ms: number | null;
  usage: (Moment & { counts: TokenUsagePayload }) | null;
  answer: AnswerSpan[];
  tools: ToolSpan[];
  subagents: (Moment & { session_id: string; agent?: string })[];
}

export interface Task {
  /** Position among all Tasks of the records. */
  index: number;
  kind: "task" | "compaction";
  start: Moment;
  /** Its last record so far. */
  end: Moment;
  /** The records of the Prompt; for a compaction its prompt and notes. */
  prompt: RecordAddress[];
  /** Steering texts and their images. */
  steering: RecordAddress[];
  requests: Request[];
  abort: (Moment & { payload: AbortPayload }) | null;
  /** Stopped because it reached its maximum of turns. */
  max_turns: boolean;
  /** For a compaction in the middle of a Task: that Task's index. */
  within: number | null;
  compaction: { begin: CompactionBeginPayload; end: CompactionEndPayload | null } | null;
}

/** Milliseconds between two timestamps; 0 where they run backwards or cannot be read. */
export function elapsed(from: string, to: string): number {
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isFinite(ms) && ms > 0 ? ms : 0;
}

// ---- figures ------------------------------------------------------------------------------------------------------

/** Milliseconds that people were waited for before the Request ended. */
export function approvalWait(request: Request): number {
  const end = request.end?.timestamp;
  const counted = request.tools.filter(({ approval }) => approval && (!end || approval.timestamp <= end));
  return counted.reduce((sum, tool) => sum + tool.waited_ms, 0);
}

/** Milliseconds that the model worked; null while the Request runs, or when a crash cut it off. */
export function activeTime(request: Request): number | null {
  if (!request.end) return null;
  return Math.max(0, elapsed(request.begin.timestamp, request.end.timestamp) - approvalWait(request));
}

/** Tokens of all Requests of the Task. */
export function taskTokens(task: Task): TokenCounts {
  const sum: TokenCounts = { cache_read: 0, cache_write: 0, output: 0, total: 0 };
  for (const { usage } of task.requests) {
    if (!usage) continue;
    const { cache_read, cache_write, output, total } = usage.counts.request;
    sum.cache_read += cache_read;
    sum.cache_write += cache_write;
    sum.output += output;
    sum.total += total;
  }
  return sum;
}

/** Tokens of the context at the Task's end: those of its last Request that told, not a sum. */
export function taskContext(task: Task): TokenCounts | null {
  return task.requests.findLast((request) => request.usage)?.usage?.counts.request ?? null;
}

/** Milliseconds from the first Request (else the Prompt) to the last record. */
export function taskSpan(task: Task): number {
  return elapsed(task.requests[0]?.begin.timestamp ?? task.start.timestamp, task.end.timestamp);
}
