/** Closing records: what a Trace still needs when the server stops while a Task runs (EN7). Pure. */
import { event, model } from "../../lib/omni/build";
import { interruptedOutput } from "../../lib/omni/carry-over";
import { isEventOf, isOwn, isPayloadOf } from "../../lib/omni/guards";
import { isCommittableCall } from "../../lib/omni/history";
import type { CompactionBeginPayload, OmniMessage, PartialMessage } from "../../lib/omni/message";

/** What a running Task is in the middle of. */
export interface Unfinished {
  /** Call ids that wait for a decision. */
  asked: readonly string[];
  /** What the model was saying. */
  fragments: readonly PartialMessage[];
}

/**
 * `records` end inside a running Task. The result keeps what was said so far, leaves every call of the last Request
 * with one output, the Request and a compaction with an end, and the Task with `abort{reason}`.
 */
export function closingRecords(
  records: readonly OmniMessage[],
  { asked, fragments }: Unfinished,
  reason: string,
): OmniMessage[] {
  const { calls, answered, open, attempt, compaction } = lastRequest(records);
  const closing = open && !compaction ? fragments.flatMap(spokenSoFar) : [];
  for (const id of calls) {
    if (answered.has(id)) continue;
    if (asked.includes(id)) {
      closing.push(event({ type: "approval_decision", decision: "deny", tool_call_id: id, by: "policy:shutdown" }));
    }
    closing.push(model(interruptedOutput(id, "aborted")));
  }
  if (open) closing.push(event({ type: "request_end", status: "aborted", attempt }));
  if (compaction) {
    const { reason: why, mode } = compaction;
    closing.push(event({ type: "compaction_end", reason: why, mode, status: "aborted" }));
  }
  closing.push(event({ type: "abort", reason }));
  return closing;
}

function spokenSoFar(fragment: PartialMessage): OmniMessage[] {
  if (!isOwn(fragment)) return [];
  const { payload } = fragment;
  const said = { role: "assistant" as const, stop_reason: "aborted" as const };
  if (payload.type === "partial_text" && payload.role === "assistant" && payload.text !== "") {
    return [model({ type: "text", text: payload.text, ...said })];
  }
  if (payload.type === "partial_thinking" && payload.thinking !== "") {
    return [model({ type: "thinking", thinking: payload.thinking, ...said })];
  }
  return [];
}

interface LastRequest {
  /** In order, complete ones only, each id once. */
  calls: Set<string>;
  answered: Set<string>;
  open: boolean;
  /** 1-based. */
  attempt: number;
  /** Still open. */
  compaction: CompactionBeginPayload | null;
}

const NONE = { open: false, attempt: 1, compaction: null };

function lastRequest(records: readonly OmniMessage[]): LastRequest {
  let last: LastRequest = { calls: new Set(), answered: new Set(), ...NONE };
  let next = 1;
  for (const message of records) {
    if (!isOwn(message)) continue;
    if (isEventOf(message, "request_begin")) {
      last = { calls: new Set(), answered: new Set(), open: true, attempt: next, compaction: last.compaction };
    } else if (isEventOf(message, "request_end")) {
      last.open = false;
      next = message.payload.retry_in_ms === undefined ? 1 : last.attempt + 1;
    } else if (isEventOf(message, "abort")) {
      // The Task before this one is over; nothing of it is still owed.
      last = { calls: new Set(), answered: new Set(), ...NONE };
      next = 1;
    } else if (isEventOf(message, "compaction_begin")) last.compaction = message.payload;
    else if (isEventOf(message, "compaction_end")) last.compaction = null;
    else if (isPayloadOf(message, "tool_call") && isCommittableCall(message.payload)) {
      last.calls.add(message.payload.tool_call_id);
    } else if (isPayloadOf(message, "tool_call_output")) last.answered.add(message.payload.tool_call_id);
  }
  return last;
}
