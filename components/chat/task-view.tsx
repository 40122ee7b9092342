"use client";
import { memo, useRef } from "react";
import { useT } from "@/components/ui/language";
import type { RecordAddress } from "@/lib/omni/message";
import type { Item, TaskBlock } from "@/lib/trace/transcript-items";
import { useConversation } from "./conversation-context";
import { FilesCard, MentionedFiles, useMentioned } from "./files/mentioned-files";
import { AbortItem } from "./items/abort-item";
import { BannerItem } from "./items/banner-item";
import { CompactionItem } from "./items/compaction-item";
import { GoalItem } from "./items/goal-item";
import { MediaItem } from "./items/media-item";
import { PromptItem } from "./items/prompt-item";
import { RawItem } from "./items/raw-item";
import { RetryItem } from "./items/retry-item";
import { SilenceItem } from "./items/silence-item";
import { SteeringItem } from "./items/steering-item";
import { TextItem } from "./items/text-item";
import { type Segment, segmentsOf, type WorkItem, withoutEchoes } from "./segments";
import { StatsLine } from "./stats-line";
import { WorkGroup } from "./work-group";

interface TaskViewProps {
  task: TaskBlock;
  /** The newest block. */
  last: boolean;
}

const INPUT = new Set<Item["kind"]>(["prompt", "banner"]);

/** One Task: what was asked, what was done, what came out. */
export const TaskView = memo(function TaskView({ task, last }: TaskViewProps) {
  const t = useT();
  const view = useConversation();
  const active = view.active && last;
  const files = useMentioned(task, !active);
  const segments = withoutEchoes(segmentsOf(task), view.source);
  const shift = useShift(task.items);
  const cut = segments.findIndex((segment) => segment.kind === "work" || !INPUT.has(segment.item.kind));
  const inputs = cut < 0 ? segments : segments.slice(0, cut);
  const work = cut < 0 ? [] : segments.slice(cut);
  return (
    <div className="space-y-3 py-3">
      {inputs.map((segment) => (
        <SegmentView key={segment.key - shift} segment={segment} last={false} active={active} />
      ))}
      {work.length > 0 && (
        <article aria-label={t(task.kind === "task" ? "chat.answer" : "chat.compaction")} className="space-y-3">
          <MentionedFiles files={files}>
            {work.map((segment, i) => (
              <SegmentView key={segment.key - shift} segment={segment} last={i === work.length - 1} active={active} />
            ))}
          </MentionedFiles>
          {!active && <FilesCard files={files} />}
          {!active && task.kind === "task" && <StatsLine task={task} />}
        </article>
      )}
    </div>
  );
});

/** How many items came in front of those that were here first: what stands on the page stays the same on it. */
function useShift(items: readonly Item[]): number {
  const known = useRef({ items, shift: 0 });
  if (known.current.items !== items)
    known.current = { items, shift: known.current.shift + movedBy(known.current.items, items) };
  return known.current.shift;
}

function movedBy(before: readonly Item[], now: readonly Item[]): number {
  for (let i = before.length - 1; i >= 0; i--) {
    const address = before[i]?.address;
    const at = address ? now.findLastIndex((item) => item.address && isSame(item.address, address)) : -1;
    if (at >= 0) return at - i;
  }
  return 0;
}

function isSame(a: RecordAddress, b: RecordAddress): boolean {
  return a.file_index === b.file_index && a.line === b.line;
}

function SegmentView({ segment, last, active }: { segment: Segment; last: boolean; active: boolean }) {
  if (segment.kind === "work") return <WorkGroup items={segment.items} current={active && last} />;
  return <SingleItem item={segment.item} last={last} />;
}

function SingleItem({ item, last }: { item: Exclude<Item, WorkItem>; last: boolean }) {
  switch (item.kind) {
    case "prompt":
      return <PromptItem item={item} />;
    case "banner":
      return <BannerItem item={item} />;
    case "text":
      return <TextItem item={item} />;
    case "media":
      return <MediaItem item={item} />;
    case "retry":
      return <RetryItem item={item} last={last} />;
    case "abort":
      return <AbortItem item={item} />;
    case "silence":
      return <SilenceItem />;
    case "compaction":
      return <CompactionItem item={item} />;
    case "steering":
      return <SteeringItem item={item} />;
    case "goal":
      return <GoalItem item={item} />;
    case "raw":
      return <RawItem item={item} />;
  }
}
