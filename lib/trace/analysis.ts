/** Tasks -> the figures that the Trace view shows beside them. Sums only what the Tasks hold. */
import type { TokenCounts } from "../omni/message";
import {
  activeTime,
  approvalWait,
  elapsed,
  type Moment,
  type Request,
  type Task,
  taskContext,
  taskSpan,
  taskTokens,
} from "./task";

export interface RequestAnalysis extends Request {
  /** Milliseconds; null while it runs, or when a crash cut it off. `active_ms` leaves out waiting for people. */
  duration_ms: number | null;
  approval_wait_ms: number;
  active_ms: number | null;
}
export interface TaskAnalysis extends Omit<Task, "requests"> {
  requests: RequestAnalysis[];
  /** Sum over its Requests. */
  tokens: TokenCounts;
  /** Of its last Request that told: the context in use. */
  context: TokenCounts | null;
  /** Milliseconds from its first Request to its last record. */
  span_ms: number;
  /** Sum of the Requests' active times. Milliseconds. */
  llm_ms: number;
}
export interface TraceAnalysis {
  tasks: TaskAnalysis[];
  /** Sum of the Tasks' spans; pauses between them do not count. A compaction inside a Task is in that Task's span. */
  elapsed_ms: number;
  /** Attempts after a failed one. */
  reconnects: number;
  compactions: number;
  usage_trend: (Moment & { request_total: number; session_total: number })[];
}

/** What the analysis route answers for a whole Session: Tasks from `from_task` on. */
export interface SessionAnalysis extends Omit<TraceAnalysis, "tasks"> {
  files: { index: number; lines: number; damaged: number[] }[];
  from_task: number;
  /** `title`: first line of the Prompt. */
  tasks: (TaskAnalysis & { title: string | null })[];
}

function analyseRequest(request: Request): RequestAnalysis {
  const duration_ms = request.end ? elapsed(request.begin.timestamp, request.end.timestamp) : null;
  return { ...request, duration_ms, approval_wait_ms: approvalWait(request), active_ms: activeTime(request) };
}

function analyseTask(task: Task): TaskAnalysis {
  const requests = task.requests.map(analyseRequest);
  const llm_ms = requests.reduce((sum, { active_ms }) => sum + (active_ms ?? 0), 0);
  return { ...task, requests, tokens: taskTokens(task), context: taskContext(task), span_ms: taskSpan(task), llm_ms };
}

/** The figures of a whole Session, or of one of its files. */
export function analyse(tasks: Task[]): TraceAnalysis {
  const analysed = tasks.map(analyseTask);
  const requests = analysed.flatMap((task) => task.requests);
  return {
    tasks: analysed,
    elapsed_ms: analysed.reduce((sum, task) => sum + (task.within === null ? task.span_ms : 0), 0),
    reconnects: requests.filter((request) => request.attempt > 1).length,
    compactions: analysed.filter((task) => task.kind === "compaction").length,
    usage_trend: requests.flatMap(({ usage }) => {
      if (!usage) return [];
      const { request, session } = usage.counts;
      const { address, timestamp } = usage;
      return [{ address, timestamp, request_total: request.total, session_total: session.total }];
    }),
  };
}
