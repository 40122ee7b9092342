/**
 * Records -> Tasks -> Requests: the only definition of both (P5). Everything else that speaks of a Task (chat,
 * timeline, usage) is a fold over what this file says. Attribution is by position, never by timestamp.
 *
 *   Prompt (text, images) ──▶ Task ──request_begin──▶ Request ──request_end──▶ …more Requests of the Task
 *
 *   A Task starts at a user's text or image that is no steering and no context summary, or at a request_begin that
 *   nothing before it explains. The next Request belongs to it while it is not finished: its last Request called
 *   tools, or did not complete (retries, /retry), or steering came since.
 *   A compaction is a Task of its own; in the middle of a Task it lies `within` that Task, which then goes on.
 *   Records between Tasks (meta, settings, summary) belong to none.
 */
import { readBackgroundTaskDone, readContextSummary, readSteering } from "../omni/blocks";
import { isOwn } from "../omni/guards";
import { isCommittableCall } from "../omni/history";
import type {
  AbortPayload,
  AddressedMessage,
  ApprovalDecisionPayload,
  CompactionBeginPayload,
  CompactionEndPayload,
  CompletePayload,
  EventPayload,
  RequestEndPayload,
  SubagentPayload,
  TokenUsagePayload,
  ToolCallOutputPayload,
  ToolCallPayload,
} from "../omni/message";
import { readable } from "../omni/readable";
import { elapsed, isFinished, type Moment, type Request, type Task, type ToolSpan } from "./task";

export function segment(records: AddressedMessage[]): Task[] {
  const segmenter = new Segmenter();
  for (const record of records) segmenter.push(record);
  return segmenter.tasks;
}

/** The incremental form. Tasks and Requests grow in place as records come. */
export class Segmenter {
  readonly tasks: Task[] = [];
  #requests = 0;
  /** The Task that the records are in, or were in last; never a compaction. */
  #task: Task | null = null;
  #compaction: Task | null = null;
  #request: Request | null = null;
  /** Opened without an input of its own before it. */
  #bare = false;
  #clientId: string | undefined;
  /** Input since the last request_begin. */
  #input: "none" | "steering" | "prompt" = "none";
  #afterSteering = false;
  #lastTime = "";
  #lastDecision = "";
  /** Where the Task ended before its open Request began. */
  #endBefore: Moment | null = null;
  readonly #tools = new Map<string, { task: Task; span: ToolSpan }>();

  /** The Task that this record belongs to; null: to none. */
  push({ address, message: record }: AddressedMessage): Task | null {
    const message = isOwn(record) ? readable(record) : null;
    if (!message || message.type === "session_meta") return null;
    const at = { address, timestamp: message.timestamp };
    const task = message.type === "event_msg" ? this.#event(message.payload, at) : this.#content(message.payload, at);
    if (task) task.end = at;
    return task;
  }

  // ---- events ----

  #event(payload: EventPayload, at: Moment): Task | null {
    switch (payload.type) {
      case "request_begin":
        return this.#begin(at);
      case "request_end":
        return this.#end(payload, at);
      case "token_usage":
        return this.#usage(payload, at);
      case "approval_decision":
        return this.#decide(payload, at);
      case "subagent":
        return this.#spawn(payload, at);
      case "abort":
        return this.#abort(payload, at);
      case "compaction_begin":
        return this.#beginCompaction(payload, at);
      case "compaction_end":
        return this.#endCompaction(payload);
      case "goal_finished":
        return this.#task;
      default:
        return null;
    }
  }

  #begin(at: Moment): Task {
    const task = this.#compaction ?? this.#continued() ?? this.#open("task", at);
    this.#bare = this.#input === "none";
    this.#input = "none";
    this.#endBefore = task.end;
    const before = task.requests.at(-1);
    const retried = this.#bare && before?.end && before.end.result.status !== "completed" ? before : null;
    this.#request = {
      index: this.#requests++,
      begin: at,
      end: null,
      attempt: retried?.end?.result.retry_in_ms === undefined ? 1 : retried.attempt + 1,
      retry_waited_ms: retried?.end ? elapsed(retried.end.timestamp, at.timestamp) : null,
      usage: null,
      answer: [],
      tools: [],
      subagents: [],
    };
    task.requests.push(this.#request);
    this.#lastTime = at.timestamp;
    return task;
  }

  /** The Task that a Request without a new Prompt goes on with. */
  #continued(): Task | null {
    if (!this.#task) return null;
    if (this.#input !== "none") return this.#task;
    return isFinished(this.#task) ? null : this.#task;
  }

  #end(result: RequestEndPayload, at: Moment): Task | null {
    const request = this.#request;
    if (!request || request.end) return this.#current();
    request.end = { ...at, result };
    if (typeof result.attempt === "number") request.attempt = result.attempt;
    return this.#current();
  }

  #usage(counts: TokenUsagePayload, at: Moment): Task | null {
    if (this.#request) this.#request.usage = { ...at, counts };
    return this.#current();
  }

  #decide(payload: ApprovalDecisionPayload, at: Moment): Task | null {
    const tool = this.#tools.get(payload.tool_call_id);
    if (!tool || tool.span.approval) return this.#current();
    const by = payload.by === undefined ? {} : { by: payload.by };
    tool.span.approval = { ...at, decision: payload.decision, ...by };
    const called = elapsed(tool.span.call.timestamp, at.timestamp);
    const sinceLast = this.#lastDecision === "" ? called : elapsed(this.#lastDecision, at.timestamp);
    tool.span.waited_ms = payload.waited_ms ?? Math.min(called, sinceLast);
    this.#lastDecision = at.timestamp;
    this.#lastTime = at.timestamp;
    return tool.task;
  }

  #spawn(payload: SubagentPayload, at: Moment): Task | null {
    const agent = payload.agent === undefined ? {} : { agent: payload.agent };
    this.#request?.subagents.push({ ...at, session_id: payload.session_id, ...agent });
    return this.#current();
  }

  #abort(payload: AbortPayload, at: Moment): Task | null {
    const settled = !this.#compaction && this.#task && isFinished(this.#task);
    const task = settled ? (this.tasks.at(-1) ?? null) : this.#current();
    if (task) task.abort = { ...at, payload };
    return task;
  }

  #beginCompaction(begin: CompactionBeginPayload, at: Moment): Task {
    const outer = this.#task && !isFinished(this.#task) && !this.#task.abort ? this.#task.index : null;
    const task = this.#open("compaction", at);
    task.within = outer;
    task.compaction = { begin, end: null };
    this.#compaction = task;
    return task;
  }

  #endCompaction(end: CompactionEndPayload): Task | null {
    const task = this.#compaction;
    if (task?.compaction) task.compaction.end = end;
    this.#compaction = null;
    this.#request = null;
    return task;
  }

  // ---- content ----

  #content(payload: CompletePayload, at: Moment): Task | null {
    const steeringImage = payload.type === "image_url" && this.#afterSteering;
    this.#afterSteering = steeringImage;
    if (payload.type === "tool_call_output") return this.#output(payload, at);
    if (payload.role === "assistant") return this.#answer(payload, at);
    if (this.#isCompactionText(payload)) return this.#addPrompt(this.#compaction, at);
    if (payload.type === "text" && readContextSummary(payload.text) !== null) return this.#summary();
    if (steeringImage || (payload.type === "text" && readSteering(payload.text) !== null)) return this.#steer(at);
    if (payload.type === "text" && this.#isReport(payload.text)) return this.#report();
    return this.#prompt(payload, at);
  }

  /** A span that a crash left open ends where somebody writes again (notes come only behind an answered attempt). */
  #isCompactionText(payload: CompletePayload): boolean {
    const task = this.#compaction;
    if (!task) return false;
    const first = task.requests.length === 0 && task.compaction?.begin.mode !== "discard";
    const answered = this.#request?.end?.result.status === "completed";
    if (payload.type === "text" && payload.client_id === undefined && (first || answered)) return true;
    this.#compaction = null;
    this.#request = null;
    return false;
  }

  #addPrompt(task: Task | null, at: Moment): Task | null {
    task?.prompt.push(at.address);
    return task;
  }

  /** The summary of a compaction in the middle of a Task is read by that Task; any other opens none. */
  #summary(): Task | null {
    return this.#task && !isFinished(this.#task) && !this.#task.abort ? this.#task : null;
  }

  #steer(at: Moment): Task | null {
    this.#afterSteering = true;
    this.#task?.steering.push(at.address);
    if (this.#input === "none") this.#input = "steering";
    return this.#task;
  }

  /** Told to a Task that goes on; an idle Session is told with a Task of its own. */
  #isReport(text: string): boolean {
    const task = this.#task;
    if (!task || task.requests.length === 0 || task.abort || isFinished(task)) return false;
    return readBackgroundTaskDone(text) !== null;
  }

  #report(): Task | null {
    if (this.#input === "none") this.#input = "steering";
    return this.#task;
  }

  #prompt(payload: CompletePayload, at: Moment): Task | null {
    const clientId = "client_id" in payload && typeof payload.client_id === "string" ? payload.client_id : undefined;
    const task = this.#asksFor(clientId) ?? this.#lateInput() ?? this.#open("task", at);
    this.#clientId = clientId ?? this.#clientId;
    if (task.requests.length === 0) this.#input = "prompt";
    return this.#addPrompt(task, at);
  }

  /** The Task whose Prompt is still being written, part by part. */
  #asksFor(clientId: string | undefined): Task | null {
    const task = this.#task;
    if (!task || task.requests.length > 0 || task.abort) return null;
    const another = clientId !== undefined && this.#clientId !== undefined && clientId !== this.#clientId;
    return another ? null : task;
  }

  /** A Request that was opened first and given its input second: its Task starts with the Request. */
  #lateInput(): Task | null {
    const request = this.#request;
    const task = this.#task;
    if (!request || !task || !this.#bare || request.end || request.answer.length > 0) return null;
    if (task.requests[0] === request) return task;
    task.requests.pop();
    if (this.#endBefore) task.end = this.#endBefore;
    request.attempt = 1;
    request.retry_waited_ms = null;
    const own = this.#open("task", request.begin);
    own.requests.push(request);
    return own;
  }

  #answer(payload: CompletePayload, at: Moment): Task | null {
    const task = this.#current();
    const request = this.#request;
    if (!request || request.end) {
      if (task && payload.type === "text" && payload.stop_reason === "failed") task.max_turns = true;
      return task;
    }
    request.answer.push({ kind: payload.type, from: this.#lastTime, at });
    this.#lastTime = at.timestamp;
    if (task && isCommittableCall(payload)) this.#call(task, request, payload, at);
    return task;
  }

  #call(task: Task, request: Request, { tool_call_id, name }: ToolCallPayload, call: Moment): void {
    const span: ToolSpan = { tool_call_id, name, call, approval: null, waited_ms: 0, output: null };
    request.tools.push(span);
    this.#tools.set(tool_call_id, { task, span });
  }

  #output(payload: ToolCallOutputPayload, at: Moment): Task | null {
    const tool = this.#tools.get(payload.tool_call_id);
    if (!tool) return this.#current();
    tool.span.output ??= { ...at, stop_reason: payload.stop_reason ?? "completed" };
    return tool.task;
  }

  // ---- state ----

  #current(): Task | null {
    return this.#compaction ?? this.#task;
  }

  #open(kind: Task["kind"], at: Moment): Task {
    const task: Task = {
      index: this.tasks.length,
      kind,
      start: at,
      end: at,
      prompt: [],
      steering: [],
      requests: [],
      abort: null,
      max_turns: false,
      within: null,
      compaction: null,
    };
    this.tasks.push(task);
    if (kind === "task") {
      this.#task = task;
      this.#clientId = undefined;
    }
    return task;
  }
}
