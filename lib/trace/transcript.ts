/**
 * The conversation on the screen as a fold over its messages. Live streaming, reload (a snapshot), older pages and
 * imported files all go through here, so they show the same thing.
 */
import { isComplete, isOwn, isPartial, isSessionMeta } from "../omni/guards";
import type {
  AddressedMessage,
  CompletePayload,
  EventPayload,
  OmniMessage,
  PartialMessage,
  RecordAddress,
  TokenCounts,
} from "../omni/message";
import { readable } from "../omni/readable";
import {
  approvalDecision,
  compactionBegin,
  compactionEnd,
  compactionMessage,
  fragment,
  isCompaction,
  isLong,
  type long,
  modelMessage,
  newBlock,
  replaceLast,
  requestBegin,
  requestEnd,
  type Stamp,
  subagent,
  tokenUsage,
  toolOutput,
  withItem,
} from "./transcript-fold";
import { inputMessage, summaryText } from "./transcript-input";
import type { DamagedLine, TaskBlock, Transcript } from "./transcript-items";
import { NO_TOKENS, spanMs } from "./transcript-stats";

/** A message as it arrives: with its place when it is a record, without one when it is a fragment. */
export interface Arrival {
  address?: RecordAddress;
  message: OmniMessage;
}

/** Everything a conversation starts from; the shape of a snapshot frame. */
export interface TranscriptStart {
  records: readonly AddressedMessage[];
  open?: readonly PartialMessage[];
  prior?: { more: boolean; tokens: TokenCounts; context: number; elapsed_ms: number; tasks: number };
  recovery?: { damaged: readonly DamagedLine[]; interrupted: boolean };
}

export const EMPTY: Transcript = {
  tasks: [],
  meta: null,
  info: null,
  session_tokens: NO_TOKENS,
  context: null,
  more: false,
  elapsed_before_ms: 0,
  tasks_before: 0,
  damaged: [],
  interrupted: false,
  head: [],
};

/** A conversation from a snapshot. */
export function start({ records, open = [], prior, recovery }: TranscriptStart): Transcript {
  const base: Transcript = {
    ...EMPTY,
    ...(prior && {
      session_tokens: prior.tokens,
      context: prior.context > 0 ? prior.context : null,
      more: prior.more,
      elapsed_before_ms: prior.elapsed_ms,
      tasks_before: prior.tasks,
    }),
    ...(recovery && { damaged: recovery.damaged }),
  };
  const told = records.reduce<Transcript>(push, base);
  // A Task that begins ends the notice; these began before the process ended.
  const recorded = recovery ? { ...told, interrupted: recovery.interrupted } : told;
  return open.reduce<Transcript>((t, message) => push(t, { message }), recorded);
}

/** One message more. Messages of children belong to the child's own conversation. */
export function push(t: Transcript, { address, message }: Arrival): Transcript {
  if (!isOwn(message)) return t;
  // A fragment in a file is none of the conversation: its message follows.
  if (isPartial(message)) return address ? t : pushFragment(t, message);
  const next = pushRecord(t, message, { at: message.timestamp, address });
  if (!address || next.tasks.length > 1) return next;
  return { ...next, head: [...t.head, { address, message }] };
}

/**
 * Older records in front. The first block may be the rest of a Task that began in them, so its records are folded
 * again; every later block keeps its identity.
 */
export function prepend(t: Transcript, older: readonly AddressedMessage[], more: boolean): Transcript {
  const [first, ...rest] = t.tasks;
  const refolded = start({ records: [...older, ...t.head], open: rest.length === 0 ? openFragments(first) : [] });
  const added = sumElapsed(refolded.tasks) - (first ? elapsed(first) : 0);
  return {
    ...t,
    tasks: [...refolded.tasks, ...rest],
    meta: t.meta ?? refolded.meta,
    info: t.info ?? refolded.info,
    more,
    elapsed_before_ms: Math.max(0, t.elapsed_before_ms - added),
    tasks_before: Math.max(0, t.tasks_before - (refolded.tasks.length - (first ? 1 : 0))),
    head: refolded.head,
  };
}

/** Working time of a block, milliseconds. */
export function elapsed({ stats }: TaskBlock): number {
  return spanMs(stats.started_at, stats.ended_at);
}
function sumElapsed(tasks: readonly TaskBlock[]): number {
  return tasks.reduce((sum, task) => sum + elapsed(task), 0);
}

/** Synthetic `start` fragments with all text so far: what rebuilds the streamed part of a block. */
function openFragments(block: TaskBlock | undefined): PartialMessage[] {
  if (!block) return [];
  const event_type = "start" as const;
  const envelope = (timestamp: string) => ({ timestamp, type: "model_msg" as const });
  const whole = (text: unknown) => (typeof text === "string" ? text : "");
  const open = block.open.map((item): PartialMessage => {
    const role = "assistant" as const;
    if (item.kind === "text") {
      return { ...envelope(item.at), payload: { type: "partial_text", role, text: whole(item.text), event_type } };
    }
    if (item.kind === "thinking") {
      return {
        ...envelope(item.at),
        payload: { type: "partial_thinking", role, thinking: whole(item.text), event_type },
      };
    }
    const { name, call_id: tool_call_id } = item;
    const payload = {
      type: "partial_tool_call" as const,
      role,
      name,
      arguments: whole(item.arguments),
      tool_call_id,
      event_type,
    };
    return { ...envelope(item.at), payload };
  });
  const running = block.items.flatMap((item): PartialMessage[] => {
    if (item.kind === "compaction" && item.state === "running") {
      const payload = {
        type: "partial_text" as const,
        role: "assistant" as const,
        text: whole(item.answer),
        event_type,
      };
      return [{ ...envelope(item.at), payload }];
    }
    if (item.kind !== "tool" || item.live === undefined) return [];
    const payload = { type: "partial_tool_call_output" as const, role: "user" as const, output: item.live, event_type };
    return [
      {
        ...envelope(item.at),
        payload: { ...payload, tool_call_id: item.call_id, images: [...(item.live_images ?? [])] },
      },
    ];
  });
  return [...open, ...running];
}

function pushFragment(t: Transcript, message: PartialMessage): Transcript {
  const block = t.tasks.at(-1) ?? newBlock("task", { at: message.timestamp });
  const next = fragment(block, message.payload, message.timestamp);
  return next === block ? t : withLast(t, next);
}

function withLast(t: Transcript, block: TaskBlock): Transcript {
  return { ...t, tasks: t.tasks.length === 0 ? [block] : t.tasks.with(-1, block) };
}

function pushRecord(t: Transcript, record: OmniMessage, stamp: Stamp): Transcript {
  const message = readable(record, isLong);
  if (!message) return withLast(t, raw(t.tasks.at(-1) ?? newBlock("task", stamp), record, stamp));
  if (isSessionMeta(message)) return { ...t, meta: message.payload };
  const current = t.tasks.at(-1);
  if (isComplete(message)) {
    if (message.payload.role === "user" && message.payload.type !== "tool_call_output") {
      return pushInput(t, message.payload, stamp);
    }
    const block = current ?? newBlock("task", stamp);
    return withLast(t, complete(block, message, stamp));
  }
  return pushEvent(t, message, stamp);
}

function raw(block: TaskBlock, message: OmniMessage, stamp: Stamp): TaskBlock {
  return withItem(block, { kind: "raw", message, ...stamp });
}

function complete(block: TaskBlock, message: { payload: CompletePayload } & OmniMessage, stamp: Stamp): TaskBlock {
  const { payload } = message;
  if (block.fold.compacting) return compactionMessage(block, payload, stamp);
  if (payload.type === "tool_call_output") return toolOutput(block, payload, stamp) ?? raw(block, message, stamp);
  return modelMessage(block, payload, stamp);
}

/** A user-role record: a prompt opens a Task, everything else belongs to the one that is there. */
function pushInput(t: Transcript, payload: CompletePayload, stamp: Stamp): Transcript {
  const current = t.tasks.at(-1);
  // Within a compaction it is the engine's own request for a summary.
  if (current?.fold.compacting) return t;
  const summary = summaryText(payload);
  if (summary !== null) return pushSummary(t, summary, stamp);
  const input = inputMessage(current, payload, stamp);
  if (!input.opens) return withLast(t, input.block);
  return { ...t, interrupted: false, tasks: [...t.tasks, input.block] };
}

/** The summary at the head of a context belongs to the compaction that wrote it, when that one is loaded. */
function pushSummary(t: Transcript, summary: ReturnType<typeof long>, stamp: Stamp): Transcript {
  const current = t.tasks.at(-1);
  const items =
    current &&
    replaceLast(current.items, isCompaction, (item) =>
      item.summary === undefined ? { ...item, summary, answered_at: stamp.address } : item,
    );
  if (current && items) return withLast(t, { ...current, items });
  const block = current ?? newBlock("compaction", stamp);
  return withLast(
    t,
    withItem(
      { ...block, ended: current ? block.ended : true },
      { kind: "compaction", state: "unknown", attempts: 0, answer: "", summary, ...stamp },
    ),
  );
}

function pushEvent(t: Transcript, message: OmniMessage & { payload: EventPayload }, stamp: Stamp): Transcript {
  const { payload } = message;
  switch (payload.type) {
    case "session_info":
      return { ...t, info: payload };
    // Not part of the conversation.
    case "aux_usage":
    case "tool_list_ready":
    case "mcp_connect_begin":
    case "mcp_connect_end":
      return t;
    case "compaction_begin": {
      const current = t.tasks.at(-1);
      const within = current && !current.ended && current.kind === "task";
      if (within) return withLast(t, compactionBegin(current, payload, stamp));
      return { ...t, tasks: [...t.tasks, compactionBegin(newBlock("compaction", stamp), payload, stamp)] };
    }
    case "token_usage": {
      const compacting = t.tasks.at(-1)?.fold.compacting === true;
      const context = compacting ? t.context : payload.request.total;
      return inBlock({ ...t, session_tokens: payload.session, context }, message, stamp);
    }
    case "compaction_end": {
      const next = inBlock(t, message, stamp);
      return payload.status === "completed" ? { ...next, context: null } : next;
    }
    default:
      return inBlock(t, message, stamp);
  }
}

function inBlock(t: Transcript, message: OmniMessage & { payload: EventPayload }, stamp: Stamp): Transcript {
  return withLast(t, eventIn(t.tasks.at(-1) ?? newBlock("task", stamp), message, stamp));
}

function eventIn(block: TaskBlock, message: OmniMessage & { payload: EventPayload }, stamp: Stamp): TaskBlock {
  const { payload } = message;
  switch (payload.type) {
    case "request_begin":
      return requestBegin(block, stamp.at);
    case "request_end":
      return requestEnd(block, payload, stamp);
    case "token_usage":
      return tokenUsage(block, payload, stamp.at);
    case "approval_decision":
      return approvalDecision(block, payload, stamp.at) ?? raw(block, message, stamp);
    case "subagent":
      return subagent(block, payload, stamp);
    case "compaction_end":
      return compactionEnd(block, payload, stamp.at);
    case "abort": {
      const item = { kind: "abort" as const, reason: payload.reason ?? undefined, by: payload.by, ...stamp };
      return { ...withItem({ ...block, open: [] }, item), ended: true };
    }
    case "goal_finished": {
      const { outcome, rounds, tokens_used } = payload;
      return withItem(block, { kind: "goal", outcome, rounds, tokens_used, ...stamp });
    }
    default:
      return raw(block, message, stamp);
  }
}
