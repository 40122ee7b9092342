"use client";
import { Layers } from "lucide-react";
import { memo, useState } from "react";
import { useT } from "@/components/ui/language";
import { Spinner } from "@/components/ui/spinner";
import { duration } from "@/lib/format";
import { spanMs } from "@/lib/trace/transcript-stats";
import { useConversation } from "./conversation-context";
import { Elapsed } from "./elapsed";
import { Fold } from "./items/row";
import { SubagentItem } from "./items/subagent-item";
import { ThinkingItem } from "./items/thinking-item";
import { ToolItem } from "./items/tool-item";
import { toolState, type WorkItem, type WorkKind, workCounts, workSpan } from "./segments";

interface WorkGroupProps {
  items: readonly WorkItem[];
  /** The last thing of a Task that runs: stays open. */
  current: boolean;
}

const KINDS: readonly WorkKind[] = ["thought", "command", "edit", "read", "agent", "other"];

/** Thinking and tools between two texts: one line with what was done and how long, open while it goes on. */
export const WorkGroup = memo(
  function WorkGroup({ items, current }: WorkGroupProps) {
    const t = useT();
    const { approvals, active } = useConversation();
    const [choice, setChoice] = useState<boolean | null>(null);
    const waits =
      active &&
      items.some(
        (item) =>
          item.kind === "tool" &&
          !item.output &&
          approvals.some(({ origin, tool_call }) =>
            origin?.length ? origin[0] === item.child?.session_id : tool_call.tool_call_id === item.call_id,
          ),
      );
    if (items.length === 1 && items[0]) return <WorkRow item={items[0]} />;
    const open = waits || (choice ?? current);
    const [from, to] = [workSpan(items[0] ?? EMPTY).from, lastEnd(items)];
    const failed = items.filter(
      (item) => item.kind === "tool" && toolState(item, { waiting: false, active }) === "failed",
    ).length;
    const { done, going, not_run } = workCounts(items, active);
    const said = [
      ...KINDS.flatMap((kind) => (done[kind] ? [t(`chat.work_${kind}`, { count: done[kind] })] : [])),
      ...KINDS.flatMap((kind) => (going[kind] ? [t(`chat.working_${kind}`, { count: going[kind] })] : [])),
      ...(not_run > 0 ? [t("chat.work_not_run", { count: not_run })] : []),
    ];
    const title = said.join(t("chat.list_separator"));
    return (
      <Fold
        icon={current ? <Spinner /> : <Layers className="text-faint" aria-hidden="true" />}
        title={title.charAt(0).toUpperCase() + title.slice(1)}
        aside={
          <>
            {failed > 0 && <span className="text-danger">{t("chat.work_failed", { count: failed })}</span>}
            {current || !to ? active && <Elapsed since={from} /> : duration(spanMs(from, to))}
          </>
        }
        open={open}
        onToggle={setChoice}
      >
        <div className="ml-2 border-l pl-3.5">
          {items.map((item, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items never move
            <WorkRow key={i} item={item} />
          ))}
        </div>
      </Fold>
    );
  },
  (before, after) =>
    before.current === after.current &&
    before.items.length === after.items.length &&
    before.items.every((item, i) => item === after.items[i]),
);

const EMPTY: WorkItem = { kind: "subagent", session_id: "", at: "" };

function WorkRow({ item }: { item: WorkItem }) {
  if (item.kind === "thinking") return <ThinkingItem item={item} />;
  if (item.kind === "tool") return <ToolItem item={item} />;
  return <SubagentItem item={item} />;
}

function lastEnd(items: readonly WorkItem[]): string | undefined {
  const ends = items.map((item) => workSpan(item).to);
  if (ends.includes(undefined)) return undefined;
  return ends.reduce((last, end) => (last !== undefined && end !== undefined && end > last ? end : last));
}
