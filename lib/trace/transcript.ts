/**
 * The conversation on the screen as a fold over its messages. Live streaming, reload (a snapshot), older pages and
 * imported files all go through here, so they show the same thing.
 */
import { isEventOf, isOwn, isPartial } from "../omni/guards";
import type {
  AddressedMessage,
  CompletePayload,
  EventMessage,
  OmniMessage,
  PartialMessage,
  RecordAddress,
  TokenCounts,
} from "../omni/message";
import { type ReadableMessage, readable } from "../omni/readable";
import { currentPlace, type Place, START, type Step, step } from "./boundary";
import { isLong, type Long } from "./long";
import { change, indexOf, leaveCompaction, openBlock } from "./transcript-blocks";
import {
  approvalDecision,
  compactionBegin,
  compactionEnd,
  compactionMessage,
  fragment,
  isCompaction,
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
import { prompt, report, steering, summaryText } from "./transcript-input";
import type { DamagedLine, Item, TaskBlock, Transcript } from "./transcript-items";
import { openFragments } from "./transcript-open";
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
  prior?: {
    more: boolean;
    tokens: TokenCounts;
    context: number;
    context_full?: boolean;
    elapsed_ms: number;
    tasks: number;
  };
  recovery?: { damaged: readonly DamagedLine[]; interrupted: boolean };
}

export const EMPTY: Transcript = {
  tasks: [],
  meta: null,
  info: null,
  session_tokens: NO_TOKENS,
  context: null,
  context_full: false,
  more: false,
  elapsed_before_ms: 0,
  tasks_before: 0,
  damaged: [],
  interrupted: false,
  boundaries: START,
  head: [],
};

/** A conversation from a snapshot. */
export function start({ records, open = [], prior, recovery }: TranscriptStart): Transcript {
  const base: Transcript = {
    ...EMPTY,
    ...(prior && {
      session_tokens: prior.tokens,
      context: prior.context > 0 ? prior.context : null,
      context_full: prior.context_full === true,
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
  const at = typeof message.timestamp === "string" ? message.timestamp : "";
  const next = pushRecord(t, message, { at, address });
  return address ? { ...next, head: headWith(t, next, { address, message }) } : next;
}

/**
 * Older records in front. The first Task may have begun in them, so its records are folded again; every later block
 * keeps its identity.
 */
export function prepend(t: Transcript, older: readonly AddressedMessage[], more: boolean): Transcript {
  const length = headLength(t.tasks);
  const [first, rest] = [t.tasks.slice(0, length), t.tasks.slice(length)];
  const open = rest.length === 0 ? openFragments(first.at(-1)) : [];
  const refolded = start({ records: [...older, ...t.head], open });
  const { span, count } = refolded.boundaries;
  const { tasks } = rest.length > 0 && span ? leaveCompaction(refolded, span) : refolded;
  const offset = (rest[0]?.fold.task ?? count) - count;
  return {
    ...t,
    tasks: [...tasks.map((block) => renumbered(block, offset)), ...rest],
    boundaries: rest.length === 0 ? refolded.boundaries : t.boundaries,
    meta: t.meta ?? refolded.meta,
    info: t.info ?? refolded.info,
    more,
    elapsed_before_ms: Math.max(0, t.elapsed_before_ms - (sumElapsed(tasks) - sumElapsed(first))),
    // A summary that opened the window is part of the compaction before it: only Tasks count.
    tasks_before: more ? Math.max(0, t.tasks_before - (countTasks(tasks) - countTasks(first))) : 0,
    head: refolded.head,
  };
}

const countTasks = (blocks: readonly TaskBlock[]) => blocks.filter(({ fold }) => fold.task !== null).length;

function renumbered(block: TaskBlock, offset: number): TaskBlock {
  const { task } = block.fold;
  return task === null || offset === 0 ? block : { ...block, fold: { ...block.fold, task: task + offset } };
}

/** How many blocks what came before the first loaded record may still change. */
function headLength(tasks: readonly TaskBlock[]): number {
  const first = tasks.findIndex(({ kind, fold }) => kind === "task" && fold.task !== null);
  return first < 0 ? tasks.length : first + 1;
}

function headWith(before: Transcript, { tasks }: Transcript, record: AddressedMessage): readonly AddressedMessage[] {
  const { head } = before;
  const length = headLength(tasks);
  if (tasks.length <= length) return [...head, record];
  if (tasks.length === before.tasks.length) {
    const touched = tasks.slice(0, length).some((block, i) => block !== before.tasks[i]);
    return touched ? [...head, record] : head;
  }
  // The block that was opened may have taken a Request over from the head.
  const from = tasks.at(-1)?.from;
  if (isSame(from, record.address)) return head;
  return head.filter(({ address }) => !isSame(from, address));
}

function isSame(a: RecordAddress | undefined, b: RecordAddress): boolean {
  return a?.file_index === b.file_index && a.line === b.line;
}

/** Working time of a block, milliseconds. */
export function elapsed({ stats }: TaskBlock): number {
  return spanMs(stats.started_at, stats.ended_at);
}
function sumElapsed(tasks: readonly TaskBlock[]): number {
  return tasks.reduce((sum, task) => sum + elapsed(task), 0);
}

// ---- records ------------------------------------------------------------------------------------------------------

function pushFragment(t: Transcript, message: PartialMessage): Transcript {
  const compacting = t.boundaries.span !== null;
  const stamp = { at: message.timestamp };
  return change(t, currentPlace(t.boundaries), stamp, (block) =>
    fragment(block, message.payload, { at: message.timestamp, compacting }),
  );
}

function pushRecord(t: Transcript, record: OmniMessage, stamp: Stamp): Transcript {
  const message = readable(record, isLong);
  if (!message) return change(t, null, stamp, (block) => raw(block, record, stamp));
  const next = step(t.boundaries, message);
  const left = t.boundaries.span;
  const isLeft = left !== null && next.state.span?.task !== left.task && !isEventOf(message, "compaction_end");
  const before = { ...(isLeft ? leaveCompaction(t, left) : t), boundaries: next.state };
  const shown = show(openBlock(before, next, stamp), message, { step: next, stamp });
  const { place } = next;
  if (!place) return shown;
  return change(shown, place, stamp, (block) =>
    block.fold.task === place.task ? { ...block, to: stamp.address ?? block.to } : block,
  );
}

interface Arriving {
  step: Step;
  stamp: Stamp;
}

function show(t: Transcript, message: ReadableMessage, arriving: Arriving): Transcript {
  if (message.type === "session_meta") return { ...t, meta: message.payload };
  if (message.type === "event_msg") return showEvent(t, message, arriving);
  const { payload } = message;
  const { step, stamp } = arriving;
  if (payload.role === "user" && payload.type !== "tool_call_output") return showInput(t, payload, arriving);
  return change(t, step.place, stamp, (block) => {
    if (isCompacting(block, step.place)) return compactionMessage(block, payload, stamp);
    if (payload.type === "tool_call_output") return toolOutput(block, payload, stamp) ?? raw(block, message, stamp);
    return modelMessage(block, payload, stamp);
  });
}

function raw(block: TaskBlock, message: OmniMessage, stamp: Stamp): TaskBlock {
  return withItem(block, { kind: "raw", message, ...stamp });
}

/** Is this a record of a compaction, whose inner life is not shown? */
function isCompacting(block: TaskBlock, place: Place | null): boolean {
  return place !== null && (place.host !== place.task || block.kind === "compaction");
}

function showInput(t: Transcript, payload: CompletePayload, { step, stamp }: Arriving): Transcript {
  switch (step.input) {
    case "prompt":
      return change(t, step.place, stamp, (block) => prompt(block, payload, stamp));
    case "steering":
      return change(t, step.place, stamp, (block) => steering(block, payload, stamp));
    case "report":
      return change(t, step.place, stamp, (block) => report(block, payload, stamp));
    case "summary":
      return showSummary(t, summaryText(payload) ?? "", stamp);
    // The engine's own request for a summary.
    default:
      return t;
  }
}

/** The summary at the head of a context belongs to the compaction that wrote it, when that one is loaded. */
function showSummary(t: Transcript, summary: Long, stamp: Stamp): Transcript {
  const block = t.tasks.at(-1) ?? newBlock("compaction", stamp);
  const items = replaceLast(block.items, isCompaction, (item) =>
    item.summary === undefined ? { ...item, summary, answered_at: stamp.address } : item,
  );
  const item: Item = { kind: "compaction", state: "unknown", attempts: 0, answer: "", summary, ...stamp };
  return { ...t, tasks: [...t.tasks.slice(0, -1), items ? { ...block, items } : withItem(block, item)] };
}

function showEvent(t: Transcript, message: EventMessage, { step, stamp }: Arriving): Transcript {
  const { payload } = message;
  const index = indexOf(t.tasks, step.place);
  const block = t.tasks[index] ?? newBlock("task", stamp);
  const compacting = isCompacting(block, step.place);
  const shown = () =>
    change(
      t,
      step.place,
      stamp,
      (onto) => eventIn(onto, message, { ...stamp, compacting }) ?? raw(onto, message, stamp),
    );
  switch (payload.type) {
    case "session_info":
      return { ...t, info: payload };
    // Not part of the conversation.
    case "aux_usage":
    case "tool_list_ready":
    case "mcp_connect_begin":
    case "mcp_connect_end":
      return t;
    case "token_usage":
      return {
        ...shown(),
        session_tokens: payload.session,
        ...(compacting ? {} : { context: payload.request.total, context_full: false }),
      };
    case "request_end":
      return payload.context_too_long === true ? { ...shown(), context_full: true } : shown();
    case "compaction_end":
      return payload.status === "completed" ? { ...shown(), context: null, context_full: false } : shown();
    default:
      return shown();
  }
}

/** null: it fits nowhere. */
function eventIn(
  block: TaskBlock,
  { payload }: EventMessage,
  { compacting, ...stamp }: Stamp & { compacting: boolean },
): TaskBlock | null {
  switch (payload.type) {
    case "request_begin":
      return requestBegin(block, stamp, compacting);
    case "request_end":
      return requestEnd(block, payload, { ...stamp, compacting });
    case "token_usage":
      return tokenUsage(block, payload, stamp.at);
    case "approval_decision":
      return approvalDecision(block, payload, stamp.at);
    case "subagent":
      return subagent(block, payload, stamp);
    case "compaction_begin":
      return compactionBegin(block, payload, stamp);
    case "compaction_end":
      return compactionEnd(block, payload, stamp.at);
    case "abort": {
      const item = { kind: "abort" as const, reason: payload.reason ?? undefined, by: payload.by, ...stamp };
      return withItem({ ...block, open: [] }, item);
    }
    case "goal_finished": {
      const { outcome, rounds, tokens_used } = payload;
      return withItem(block, { kind: "goal", outcome, rounds, tokens_used, ...stamp });
    }
    default:
      return null;
  }
}
