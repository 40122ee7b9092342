/**
 * One message onto the last block of a conversation. Pure: what did not change keeps its identity, so only the changed
 * item is drawn again. Every function gets the block and gives back the block to put in its place.
 */
import type {
  CompletePayload,
  EventPayload,
  PartialPayload,
  RecordAddress,
  RequestEndPayload,
  TokenUsagePayload,
} from "../omni/message";
import { type Long, long } from "./long";
import type { CompactionItem, Item, OpenItem, RetryItem, TaskBlock, ToolItem } from "./transcript-items";
import { addUsage, emptyStats } from "./transcript-stats";

/** What is known about the message that is folded. */
export interface Stamp {
  at: string;
  address?: RecordAddress;
}

export function newBlock(kind: TaskBlock["kind"], stamp: Stamp): TaskBlock {
  const { address, at } = stamp;
  return {
    id: address ? `${address.file_index}:${address.line}` : "head",
    kind,
    items: [],
    open: [],
    stats: emptyStats(at),
    fold: { task: null, usage_seen: false, mark: at },
  };
}

export function isBlank(text: Long): boolean {
  return typeof text === "string" && text.trim() === "";
}

/** The newest item that satisfies `test`, replaced; null when there is none. */
export function replaceLast<T extends Item>(
  items: readonly Item[],
  test: (item: Item) => item is T,
  change: (item: T) => Item,
): readonly Item[] | null {
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i];
    if (item && test(item)) return items.with(i, change(item));
  }
  return null;
}

export const isCompaction = (item: Item): item is CompactionItem => item.kind === "compaction";
const isRetry = (item: Item): item is RetryItem => item.kind === "retry";

/** The block as it is after something was recorded at this time. */
export function touched(block: TaskBlock, at: string): TaskBlock {
  return block.stats.ended_at === at ? block : { ...block, stats: { ...block.stats, ended_at: at } };
}

export function withItem(block: TaskBlock, item: Item): TaskBlock {
  return { ...touched(block, item.at), items: [...block.items, item] };
}

// ---- what the model wrote -----------------------------------------------------------------------------------------

/** Ends the fragment that announced a message, and tells what it had said. */
function closeOpen(
  block: TaskBlock,
  kind: OpenItem["kind"],
  callId?: string,
): { open: readonly OpenItem[]; said: Long } {
  const at = block.open.findIndex(
    (item) => item.kind === kind && (item.kind !== "tool" || callId === undefined || item.call_id === callId),
  );
  const item = block.open[at];
  if (!item) return { open: block.open, said: "" };
  return { open: block.open.toSpliced(at, 1), said: item.kind === "tool" ? item.arguments : item.text };
}

/** A long text comes shortened although every fragment of it was here: then nothing need be fetched again. */
function whole(fresh: Long, said: Long): Long {
  if (typeof fresh === "string" || typeof said !== "string") return fresh;
  return said.length <= fresh.bytes && new TextEncoder().encode(said).length === fresh.bytes ? said : fresh;
}

const answered = (block: TaskBlock): TaskBlock => ({ ...block, fold: { ...block.fold, answered: true } });

/** A complete message of the model: takes the place of the fragment that announced it. */
export function modelMessage(block: TaskBlock, payload: CompletePayload, stamp: Stamp): TaskBlock {
  const started_at = block.fold.mark;
  const base = { ...stamp, started_at, streaming: false, stop_reason: payload.stop_reason };
  const fold = { ...block.fold, mark: stamp.at };
  switch (payload.type) {
    case "text":
    case "thinking": {
      const { open, said } = closeOpen(block, payload.type);
      const text = whole(long(payload.type === "text" ? payload.text : payload.thinking), said);
      const next = { ...touched(block, stamp.at), open, fold };
      // Only a carrier of `fidelity`: nothing to see.
      if (isBlank(text)) return next;
      return withItem(payload.type === "text" ? answered(next) : next, { kind: payload.type, text, ...base });
    }
    case "tool_call": {
      const call_id = payload.tool_call_id;
      const { open, said } = closeOpen(block, "tool", call_id);
      const given = whole(long(payload.arguments), said);
      const item: ToolItem = { kind: "tool", name: payload.name, arguments: given, call_id, ...base };
      const next = { ...block, open, fold };
      return withItem(answered(next), item);
    }
    case "inline_data":
    case "inline_thinking":
      return withItem(answered({ ...block, fold }), {
        kind: "media",
        data: long(payload.data),
        mime_type: payload.mime_type,
        ...stamp,
      });
    default:
      return block;
  }
}

/** Within a compaction only the answer is kept: it becomes the summary. */
export function compactionMessage(block: TaskBlock, payload: CompletePayload, { address }: Stamp): TaskBlock {
  if (payload.type !== "text" || payload.role !== "assistant") return block;
  const answer = long(payload.text);
  const items = replaceLast(block.items, isCompaction, (item) => ({ ...item, answer, answered_at: address }));
  return items ? { ...block, items } : block;
}

/** null: no call waits for this output. */
export function toolOutput(
  block: TaskBlock,
  payload: Extract<CompletePayload, { type: "tool_call_output" }>,
  stamp: Stamp,
): TaskBlock | null {
  const waits = (item: Item): item is ToolItem =>
    item.kind === "tool" && item.call_id === payload.tool_call_id && item.output === undefined;
  const images = Array.isArray(payload.images) ? payload.images.map(long) : [];
  const output = { text: long(payload.output), images, stop_reason: payload.stop_reason, ...stamp };
  const items = replaceLast(block.items, waits, ({ live: _, live_images: __, ...item }) => ({ ...item, output }));
  return items && { ...touched(block, stamp.at), items };
}

// ---- fragments ----------------------------------------------------------------------------------------------------

type Fragment = { kind: OpenItem["kind"]; text: string; call_id?: string; name?: string };

function fragmentOf(payload: PartialPayload): Fragment | null {
  switch (payload.type) {
    case "partial_text":
      return payload.role === "assistant" ? { kind: "text", text: payload.text } : null;
    case "partial_thinking":
      return { kind: "thinking", text: payload.thinking };
    case "partial_tool_call":
      return { kind: "tool", text: payload.arguments, call_id: payload.tool_call_id, name: payload.name };
    default:
      return null;
  }
}

function openItem(fragment: Fragment, started_at: string, at: string): OpenItem {
  const base = { at, started_at, streaming: true };
  if (fragment.kind !== "tool") return { kind: fragment.kind, text: fragment.text, ...base };
  const { name = "", call_id = "", text } = fragment;
  return { kind: "tool", name, arguments: text, call_id, ...base };
}

function grow(item: OpenItem, text: string): OpenItem {
  if (item.kind === "tool") {
    return typeof item.arguments === "string" ? { ...item, arguments: item.arguments + text } : item;
  }
  return typeof item.text === "string" ? { ...item, text: item.text + text } : item;
}

/** A fragment: opens, grows or stops what is being streamed. Only this one item gets a new identity. */
export function fragment(
  block: TaskBlock,
  payload: PartialPayload,
  { at, compacting }: { at: string; compacting: boolean },
): TaskBlock {
  if (payload.type === "partial_tool_call_output") return liveOutput(block, payload);
  const piece = fragmentOf(payload);
  if (!piece) return block;
  if (compacting) return compactionFragment(block, payload, piece);
  const matches = (item: OpenItem) =>
    item.kind === piece.kind && (item.kind !== "tool" || item.call_id === piece.call_id);
  const index = block.open.findLastIndex(matches);
  const found = block.open[index];
  if (payload.event_type === "start") {
    const rest = found ? block.open.toSpliced(index, 1) : block.open;
    return { ...block, open: [...rest, openItem(piece, block.fold.mark, at)] };
  }
  if (!found) {
    return payload.event_type === "delta"
      ? { ...block, open: [...block.open, openItem(piece, block.fold.mark, at)] }
      : block;
  }
  return piece.text === "" ? block : { ...block, open: block.open.with(index, grow(found, piece.text)) };
}

function compactionFragment(block: TaskBlock, payload: PartialPayload, piece: Fragment): TaskBlock {
  if (piece.kind !== "text") return block;
  const items = replaceLast(block.items, isCompaction, (item) => {
    const before = payload.event_type === "start" || typeof item.answer !== "string" ? "" : item.answer;
    return { ...item, answer: before + piece.text };
  });
  return items ? { ...block, items } : block;
}

function liveOutput(
  block: TaskBlock,
  payload: Extract<PartialPayload, { type: "partial_tool_call_output" }>,
): TaskBlock {
  const runs = (item: Item): item is ToolItem =>
    item.kind === "tool" && item.call_id === payload.tool_call_id && item.output === undefined;
  const items = replaceLast(block.items, runs, (item) => {
    const before = payload.event_type === "start" ? "" : (item.live ?? "");
    const next: ToolItem = { ...item, live: before + payload.output };
    if (payload.images?.length) next.live_images = [...(item.live_images ?? []), ...payload.images];
    return next;
  });
  return items ? { ...block, items } : block;
}

// ---- events -------------------------------------------------------------------------------------------------------

export function requestBegin(block: TaskBlock, { at, address }: Stamp, compacting: boolean): TaskBlock {
  const begun = touched(block, at);
  const unseen = { usage_seen: false, usage_owed: false };
  if (compacting) return { ...begun, fold: { ...begun.fold, ...unseen } };
  const last = begun.items.at(-1);
  const retries = last?.kind === "retry" && last.outcome === "waiting";
  const items: readonly Item[] = retries ? begun.items.with(-1, { ...last, outcome: "retrying" }) : begun.items;
  const before = { at, address, ended_at: block.stats.ended_at, to: block.to, mark: block.fold.mark };
  return { ...begun, items, open: [], fold: { ...begun.fold, ...unseen, answered: false, mark: at, before } };
}

/** The Request that began last is another Task's. */
export function requestTakenBack(block: TaskBlock): TaskBlock {
  const { before, ...fold } = block.fold;
  if (!before) return block;
  const last = block.items.at(-1);
  const waits = last?.kind === "retry" && last.outcome === "retrying";
  const items = waits ? block.items.with(-1, { ...last, outcome: "waiting" }) : block.items;
  const stats = { ...block.stats, ended_at: before.ended_at };
  return { ...block, items, stats, to: before.to, fold: { ...fold, mark: before.mark } };
}

function outcomeOf(end: RequestEndPayload): RetryItem["outcome"] {
  if (end.over_budget) return "over_budget";
  if (end.refused) return "refused";
  if (end.retry_in_ms !== undefined) return "waiting";
  return end.status === "auth" ? "auth" : "gave_up";
}

export function requestEnd(
  block: TaskBlock,
  end: RequestEndPayload,
  { compacting, ...stamp }: Stamp & { compacting: boolean },
): TaskBlock {
  const { stats, fold } = touched(block, stamp.at);
  const counted = { ...stats, requests: stats.requests + 1, unknown: stats.unknown + (fold.usage_seen ? 0 : 1) };
  const next: TaskBlock = { ...block, stats: counted, open: [], fold: { ...fold, usage_owed: !fold.usage_seen } };
  // Retries inside a compaction are counted on its row.
  if (compacting) {
    const items = replaceLast(block.items, isCompaction, (item) => ({ ...item, attempts: item.attempts + 1 }));
    return items ? { ...next, items } : next;
  }
  if (end.status === "completed") {
    const recovered = replaceLast(block.items, isRetry, (item) =>
      item.outcome === "retrying" ? { ...item, outcome: "recovered" } : item,
    );
    const fork_at = stamp.address ?? block.fork_at;
    const whole = { ...next, items: recovered ?? block.items, ...(fork_at ? { fork_at } : {}) };
    return fold.answered === false ? withItem(whole, { kind: "silence", ...stamp }) : whole;
  }
  if (end.status === "aborted") return next;
  const { status, error_message: error, attempt, retry_in_ms: wait_ms } = end;
  const tried = { status, at: stamp.at, error, attempt, wait_ms };
  const last = block.items.at(-1);
  const items: readonly Item[] =
    last?.kind === "retry"
      ? block.items.with(-1, { ...last, attempts: [...last.attempts, tried], outcome: outcomeOf(end) })
      : [...block.items, { kind: "retry", attempts: [tried], outcome: outcomeOf(end), ...stamp }];
  return { ...next, items };
}

export function tokenUsage(block: TaskBlock, usage: TokenUsagePayload, at: string): TaskBlock {
  const { stats } = touched(block, at);
  // Readers accept it behind the end too (FF 0.1).
  const late = block.fold.usage_owed === true;
  const added = addUsage({ ...stats, unknown: stats.unknown - (late ? 1 : 0) }, usage);
  return { ...block, stats: added, fold: { ...block.fold, usage_seen: true, usage_owed: false } };
}

export function approvalDecision(
  block: TaskBlock,
  { decision, by, waited_ms, tool_call_id }: Extract<EventPayload, { type: "approval_decision" }>,
  at: string,
): TaskBlock | null {
  const asked = (item: Item): item is ToolItem =>
    item.kind === "tool" && item.call_id === tool_call_id && item.decision === undefined;
  const items = replaceLast(block.items, asked, (item) => ({ ...item, decision: { decision, at, by, waited_ms } }));
  if (!items) return null;
  const { stats } = touched(block, at);
  return { ...block, items, stats: { ...stats, waited_ms: stats.waited_ms + (waited_ms ?? 0) } };
}

/** The pointer to a child goes to the call that started it. */
export function subagent(
  block: TaskBlock,
  { session_id, agent }: Extract<EventPayload, { type: "subagent" }>,
  stamp: Stamp,
): TaskBlock {
  const at = block.items.findIndex(
    (item) =>
      item.kind === "tool" &&
      item.name === "run_subagent" &&
      !item.child &&
      !item.output &&
      item.decision?.decision === "allow",
  );
  const call = block.items[at];
  if (call?.kind !== "tool") return withItem(block, { kind: "subagent", session_id, agent, ...stamp });
  return { ...touched(block, stamp.at), items: block.items.with(at, { ...call, child: { session_id, agent } }) };
}

export function compactionBegin(
  block: TaskBlock,
  { reason, mode, context }: Extract<EventPayload, { type: "compaction_begin" }>,
  stamp: Stamp,
): TaskBlock {
  const item: CompactionItem = {
    kind: "compaction",
    state: "running",
    reason,
    mode,
    context,
    attempts: 0,
    answer: "",
    ...stamp,
  };
  return withItem({ ...block, open: [] }, item);
}

export function compactionEnd(
  block: TaskBlock,
  { status, error_message, attempt }: Extract<EventPayload, { type: "compaction_end" }>,
  at: string,
): TaskBlock {
  const state = status === "completed" || status === "aborted" ? status : "failed";
  const items = replaceLast(block.items, isCompaction, (item) => ({
    ...item,
    state,
    ended_at: at,
    error: error_message,
    attempts: attempt ?? item.attempts,
  }));
  return { ...touched(block, at), items: items ?? block.items, open: [] };
}

/** A compaction that a crash left open, when somebody goes on. */
export function compactionLeft(block: TaskBlock): TaskBlock {
  const items = replaceLast(block.items, isCompaction, (item) =>
    item.state === "running" ? { ...item, state: "failed" } : item,
  );
  return items ? { ...block, items } : block;
}
