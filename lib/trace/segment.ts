/**
 * Records -> Tasks -> Requests: the only definition of both (P5). Everything else that speaks of a Task (chat,
 * timeline, usage) is a fold over what this file and `boundary.ts` (which Task a record belongs to) say.
 *
 *   Prompt (text, images) ──▶ Task ──request_begin──▶ Request ──request_end──▶ …more Requests of the Task
 */
import { isOwn } from "../omni/guards";
import { isCommittableCall } from "../omni/history";
import type {
  AddressedMessage,
  ApprovalDecisionPayload,
  CompletePayload,
  EventPayload,
  RequestEndPayload,
  SubagentPayload,
  ToolCallOutputPayload,
  ToolCallPayload,
} from "../omni/message";
import { readable } from "../omni/readable";
import { START, type Step, step } from "./boundary";
import { elapsed, type Moment, type Request, type Task, type ToolSpan } from "./task";

export function segment(records: AddressedMessage[]): Task[] {
  const segmenter = new Segmenter();
  for (const record of records) segmenter.push(record);
  return segmenter.tasks;
}

/** The incremental form. Tasks and Requests grow in place as records come. */
export class Segmenter {
  readonly tasks: Task[] = [];
  #state = START;
  #requests = 0;
  #request: Request | null = null;
  #lastTime = "";
  #lastDecision = "";
  /** Where the Task ended before its open Request began. */
  #endBefore: Moment | null = null;
  readonly #tools = new Map<string, ToolSpan>();

  /** The Task that this record belongs to; null: to none. */
  push({ address, message: record }: AddressedMessage): Task | null {
    const message = isOwn(record) ? readable(record) : null;
    if (!message) return null;
    const bare = this.#state.input === "none";
    const next = step(this.#state, message);
    this.#state = next.state;
    const at = { address, timestamp: message.timestamp };
    const task = this.#taskOf(next, at);
    if (message.type === "event_msg") this.#event(message.payload, at, { task, bare });
    else if (message.type === "model_msg") this.#content(message.payload, at, { task, input: next.input });
    if (next.state.request === null) this.#request = null;
    if (task) task.end = at;
    return task;
  }

  #taskOf({ place, opens, late }: Step, at: Moment): Task | null {
    if (!place) return null;
    if (!opens) return this.tasks[place.task] ?? null;
    const request = late ? this.#request : null;
    if (request) this.#takeBack(request);
    const task = opened(place.task, opens, request?.begin ?? at);
    if (request) task.requests.push(request);
    if (opens === "compaction") task.within = place.host === place.task ? null : place.host;
    this.tasks.push(task);
    return task;
  }

  /** A Request that was opened first and given its input second is none of the Task before. */
  #takeBack(request: Request): void {
    const task = this.tasks.findLast(({ requests }) => requests.at(-1) === request);
    task?.requests.pop();
    if (task && this.#endBefore) task.end = this.#endBefore;
    request.attempt = 1;
    request.retry_waited_ms = null;
  }

  // ---- events ----

  #event(payload: EventPayload, at: Moment, { task, bare }: { task: Task | null; bare: boolean }): void {
    switch (payload.type) {
      case "request_begin":
        if (task) this.#begin(task, at, bare);
        return;
      case "request_end":
        this.#end(payload, at);
        return;
      case "token_usage":
        if (this.#request) this.#request.usage = { ...at, counts: payload };
        return;
      case "approval_decision":
        this.#decide(payload, at);
        return;
      case "subagent":
        this.#spawn(payload, at);
        return;
      case "abort":
        if (task) task.abort = { ...at, payload };
        return;
      case "compaction_begin":
        if (task) task.compaction = { begin: payload, end: null };
        return;
      case "compaction_end":
        if (task?.compaction) task.compaction.end = payload;
    }
  }

  #begin(task: Task, at: Moment, bare: boolean): void {
    this.#endBefore = task.end;
    const before = task.requests.at(-1);
    const retried = bare && before?.end && before.end.result.status !== "completed" ? before : null;
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
  }

  #end(result: RequestEndPayload, at: Moment): void {
    const request = this.#request;
    if (!request || request.end) return;
    request.end = { ...at, result };
    if (typeof result.attempt === "number") request.attempt = result.attempt;
  }

  #decide(payload: ApprovalDecisionPayload, at: Moment): void {
    const span = this.#tools.get(payload.tool_call_id);
    if (!span || span.approval) return;
    const by = payload.by === undefined ? {} : { by: payload.by };
    span.approval = { ...at, decision: payload.decision, ...by };
    const called = elapsed(span.call.timestamp, at.timestamp);
    const sinceLast = this.#lastDecision === "" ? called : elapsed(this.#lastDecision, at.timestamp);
    span.waited_ms = payload.waited_ms ?? Math.min(called, sinceLast);
    this.#lastDecision = at.timestamp;
    this.#lastTime = at.timestamp;
  }

  #spawn(payload: SubagentPayload, at: Moment): void {
    const agent = payload.agent === undefined ? {} : { agent: payload.agent };
    this.#request?.subagents.push({ ...at, session_id: payload.session_id, ...agent });
  }

  // ---- content ----

  #content(payload: CompletePayload, at: Moment, { task, input }: { task: Task | null; input: Step["input"] }): void {
    if (payload.type === "tool_call_output") this.#output(payload, at);
    else if (payload.role === "assistant") this.#answer(payload, at, task);
    else if (input === "prompt" || input === "compaction") task?.prompt.push(at.address);
    else if (input === "steering") task?.steering.push(at.address);
  }

  #answer(payload: CompletePayload, at: Moment, task: Task | null): void {
    const request = this.#request;
    if (!request || request.end) {
      if (task && payload.type === "text" && payload.stop_reason === "failed") task.max_turns = true;
      return;
    }
    request.answer.push({ kind: payload.type, from: this.#lastTime, at });
    this.#lastTime = at.timestamp;
    if (isCommittableCall(payload)) this.#call(request, payload, at);
  }

  #call(request: Request, { tool_call_id, name }: ToolCallPayload, call: Moment): void {
    const span: ToolSpan = { tool_call_id, name, call, approval: null, waited_ms: 0, output: null };
    request.tools.push(span);
    this.#tools.set(tool_call_id, span);
  }

  #output(payload: ToolCallOutputPayload, at: Moment): void {
    const span = this.#tools.get(payload.tool_call_id);
    if (span) span.output ??= { ...at, stop_reason: payload.stop_reason ?? "completed" };
  }
}

function opened(index: number, kind: Task["kind"], start: Moment): Task {
  return {
    index,
    kind,
    start,
    end: start,
    prompt: [],
    steering: [],
    requests: [],
    abort: null,
    max_turns: false,
    within: null,
    compaction: null,
  };
}
