/**
 * What is odd in a Session's Trace files: damaged lines, broken pairs, kinds that this version does not know; and
 * whether the Session would resume, and from where. Pure; `npm run trace -- check` prints it.
 */
import { isOwn } from "../omni/guards";
import { isCommittableCall } from "../omni/history";
import type { AddressedMessage, CompletePayload, EventPayload, OmniMessage, RecordAddress } from "../omni/message";
import { readable } from "../omni/readable";
import type { DamagedLine } from "./jsonl";
import { resume, type TraceFile } from "./resume";

export interface Finding extends RecordAddress {
  kind: "damaged" | "pair" | "unknown" | "order";
  message: string;
}
export type ResumeReport =
  | { ok: true; file_index: number; next_line: number; history: number; carry_over: number; notes: string[] }
  | { ok: false; reason: string };

export interface TraceReport {
  findings: Finding[];
  resume: ResumeReport;
}

/** `files`: all files of one Session by ascending index. */
export function checkTrace(files: readonly TraceFile[]): TraceReport {
  const checker = new Checker();
  for (const file of files) checker.file(file);
  return { findings: checker.end(), resume: resumeReport(files) };
}

function resumeReport(files: readonly TraceFile[]): ResumeReport {
  const newest = files.at(-1);
  const resumed = resume(files.slice(-2));
  if (!resumed.ok) return { ok: false, reason: resumed.message };
  const notes: string[] = [];
  if (resumed.context_closed) notes.push("its context is closed by a compaction: the next record opens a new file");
  if (resumed.interrupted) notes.push("its last Task was interrupted");
  if (resumed.dangling_compaction) notes.push("an unfinished compaction is closed as failed by the next record");
  if (resumed.missing_head.length > 0) notes.push("the head of its newest file is completed by the next record");
  if (newest && !newest.ends_with_newline) notes.push("the next record begins on a fresh line");
  return {
    ok: true,
    file_index: (newest?.file_index ?? 1) + (resumed.context_closed ? 1 : 0),
    next_line: resumed.context_closed ? 1 : (newest?.lines ?? 0) + 1,
    history: resumed.history.length,
    carry_over: resumed.carry_over.length,
    notes,
  };
}

class Checker {
  readonly #findings: Finding[] = [];
  /** Calls that need an output, by id. */
  readonly #calls = new Map<string, { at: RecordAddress; name: string; answered: boolean }>();
  #request: RecordAddress | null = null;
  #compaction: RecordAddress | null = null;
  #session: string | null = null;
  #closed: RecordAddress | null = null;

  file({ file_index, records, damaged }: TraceFile): void {
    for (const line of damaged) this.#damaged(file_index, line);
    this.#orphans();
    this.#closed = null;
    const [first] = records;
    if (first?.message.type !== "session_meta") {
      this.#add({ file_index, line: first?.address.line ?? 1 }, "order", "the file does not begin with a session_meta");
    }
    for (const record of records) this.#record(record);
  }

  end(): Finding[] {
    this.#orphans();
    for (const { at, name, answered } of this.#calls.values()) {
      if (!answered) this.#add(at, "pair", `the call of ${name} has no output`);
    }
    return this.#findings.sort((a, b) => a.file_index - b.file_index || a.line - b.line);
  }

  #add(at: RecordAddress, kind: Finding["kind"], message: string): void {
    this.#findings.push({ file_index: at.file_index, line: at.line, kind, message });
  }

  #damaged(file_index: number, { line, error, last }: DamagedLine): void {
    this.#add({ file_index, line }, "damaged", last ? `${error} (torn last line: ignored by readers)` : error);
  }

  /** What a crash leaves open. */
  #orphans(): void {
    if (this.#request) this.#add(this.#request, "pair", "request_begin without a request_end");
    if (this.#compaction) this.#add(this.#compaction, "pair", "compaction_begin without a compaction_end");
    this.#request = this.#compaction = null;
  }

  #record({ address, message }: AddressedMessage): void {
    const known = isOwn(message) ? readable(message) : null;
    if (!known) {
      if (isOwn(message)) this.#add(address, "unknown", `${nameOf(message)}: unknown, or lacks what it needs`);
      else this.#add(address, "order", "a message of a child is recorded here (origin)");
      return;
    }
    if (this.#closed) {
      this.#add(address, "order", `follows the completed compaction of line ${this.#closed.line} in the same file`);
      this.#closed = null;
    }
    if (known.type === "session_meta") this.#meta(address, known.payload.session_id);
    else if (known.type === "event_msg") this.#event(address, known.payload);
    else this.#content(address, known.payload);
  }

  #meta(at: RecordAddress, id: string): void {
    if (this.#session !== null && this.#session !== id)
      this.#add(at, "order", `session_meta of another Session (${id})`);
    this.#session ??= id;
  }

  #event(at: RecordAddress, payload: EventPayload): void {
    switch (payload.type) {
      case "request_begin":
        if (this.#request)
          this.#add(this.#request, "pair", `request_begin without a request_end before line ${at.line}`);
        this.#request = at;
        return;
      case "request_end":
        if (!this.#request) this.#add(at, "pair", "request_end without a request_begin");
        this.#request = null;
        return;
      case "approval_decision":
        if (!this.#calls.has(payload.tool_call_id))
          this.#add(at, "pair", `decision on an unknown call (${payload.tool_call_id})`);
        return;
      case "compaction_begin":
        this.#compaction = at;
        return;
      case "compaction_end":
        if (!this.#compaction) this.#add(at, "pair", "compaction_end without a compaction_begin");
        this.#compaction = null;
        if (payload.status === "completed") this.#closed = at;
    }
  }

  #content(at: RecordAddress, payload: CompletePayload): void {
    if (isCommittableCall(payload)) {
      const { tool_call_id, name } = payload;
      if (this.#calls.has(tool_call_id)) this.#add(at, "pair", `the call id ${tool_call_id} is used twice`);
      this.#calls.set(tool_call_id, { at, name, answered: false });
    } else if (payload.type === "tool_call_output") {
      const call = this.#calls.get(payload.tool_call_id);
      if (!call) this.#add(at, "pair", `output for an unknown call (${payload.tool_call_id})`);
      else if (call.answered) this.#add(at, "pair", `second output for the call ${payload.tool_call_id}`);
      if (call) call.answered = true;
    }
  }
}

function nameOf(message: OmniMessage): string {
  const type: unknown = "type" in message.payload ? message.payload.type : undefined;
  return typeof type === "string" ? `${message.type} ${type}` : message.type;
}
