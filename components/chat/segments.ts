/** How the items of one Task stand on the page: work (thinking, tools) in groups, everything else alone. */
import type { Item, SubagentItem, TaskBlock, ThinkingItem, ToolItem } from "@/lib/trace/transcript-items";
import { isUnanswered } from "./who";

export type WorkItem = ThinkingItem | ToolItem | SubagentItem;
export type Segment =
  | { kind: "work"; key: number; items: readonly WorkItem[] }
  | { kind: "single"; key: number; item: Exclude<Item, WorkItem> };

/** `key` is the position of the first item: items never move, so a group keeps it while it grows. */
export function segmentsOf({ items, open }: Pick<TaskBlock, "items" | "open">): Segment[] {
  const segments: Segment[] = [];
  let work: WorkItem[] = [];
  [...items, ...open].forEach((item, i) => {
    if (item.kind !== "thinking" && item.kind !== "tool" && item.kind !== "subagent") {
      work = [];
      segments.push({ kind: "single", key: i, item });
      return;
    }
    if (work.length === 0) segments.push({ kind: "work", key: i, items: work });
    work.push(item);
  });
  return segments;
}

const ENDED_BADLY = new Set(["gave_up", "refused", "over_budget", "auth"]);

/**
 * Without the abort that only repeats the reason of the failed attempts before it, and without the marker of where the
 * conversation came from: `source`, a Session id, stands above the messages.
 */
export function withoutEchoes(segments: readonly Segment[], source?: string): Segment[] {
  return segments.filter((segment, i) => {
    if (source && cameFrom(segment) === source) return false;
    const before = segments[i - 1];
    const echo =
      segment.kind === "single" &&
      segment.item.kind === "abort" &&
      segment.item.by === undefined &&
      before?.kind === "single";
    return !(echo && before.item.kind === "retry" && ENDED_BADLY.has(before.item.outcome));
  });
}

function cameFrom(segment: Segment): string | undefined {
  if (segment.kind === "work" || segment.item.kind !== "banner") return undefined;
  const { banner } = segment.item;
  return banner.type === "model_switch" || banner.type === "handoff" ? banner.session : undefined;
}

export type WorkKind = "thought" | "command" | "read" | "edit" | "agent" | "other";

export function workKind(item: WorkItem): WorkKind {
  if (item.kind === "thinking") return "thought";
  if (item.kind === "subagent") return "agent";
  return TOOL_KINDS[item.name] ?? "other";
}

const TOOL_KINDS: Record<string, WorkKind> = {
  exec_command: "command",
  input_command: "command",
  kill_command: "command",
  read_file: "read",
  read_image: "read",
  describe_image: "read",
  edit_file: "edit",
  write_file: "edit",
  run_subagent: "agent",
  input_subagent: "agent",
  kill_subagent: "agent",
};

export type ToolState =
  | "writing"
  | "waiting"
  | "starting"
  | "running"
  | "done"
  | "failed"
  | "denied"
  | "forbidden"
  | "stopped"
  | "lost";

/** What a call is doing. `waiting`: a person is asked. `active`: something runs, so that an open end is not a lost one. */
export function toolState(item: ToolItem, { waiting, active }: { waiting: boolean; active: boolean }): ToolState {
  if (item.output) {
    const no = refusal(item);
    if (no) return no;
    const { stop_reason } = item.output;
    if (stop_reason === "aborted") return "stopped";
    return stop_reason === undefined || stop_reason === "completed" ? "done" : "failed";
  }
  if (waiting) return "waiting";
  if (item.streaming) return active ? "writing" : "lost";
  const no = refusal(item);
  if (no) return no;
  if (!active) return "lost";
  return item.decision ? "running" : "starting";
}

function refusal({ decision }: ToolItem): ToolState | null {
  if (decision?.decision === "forbidden") return "forbidden";
  if (decision?.decision !== "deny") return null;
  return isUnanswered(decision.by) ? "lost" : "denied";
}

/** How many items of each kind ended, go on, or never ran. */
export interface WorkCounts {
  done: Partial<Record<WorkKind, number>>;
  going: Partial<Record<WorkKind, number>>;
  not_run: number;
}

const NEVER_RAN: readonly ToolState[] = ["denied", "forbidden", "lost"];
const ENDED: readonly ToolState[] = ["done", "failed", "stopped"];

/** What a line about a piece of work may claim: only what ended was done. */
export function workCounts(items: readonly WorkItem[], active: boolean): WorkCounts {
  const counts: WorkCounts = { done: {}, going: {}, not_run: 0 };
  for (const item of items) {
    const state = item.kind === "tool" ? toolState(item, { waiting: false, active }) : null;
    if (state && NEVER_RAN.includes(state)) {
      counts.not_run += 1;
      continue;
    }
    const goes = state ? !ENDED.includes(state) : item.kind === "thinking" && item.streaming === true && active;
    const of = goes ? counts.going : counts.done;
    const kind = workKind(item);
    of[kind] = (of[kind] ?? 0) + 1;
  }
  return counts;
}

/** When the work of an item began and ended, ISO; no end while it goes on. */
export function workSpan(item: WorkItem): { from: string; to?: string } {
  if (item.kind === "tool") return { from: item.started_at, to: item.output?.at };
  if (item.kind === "thinking") return { from: item.started_at, to: item.streaming ? undefined : item.at };
  return { from: item.at, to: item.at };
}
