/** Which block of a conversation a record goes to: the Tasks of `boundary.ts`, one block each. */
import type { Place, Step } from "./boundary";
import { compactionLeft, newBlock, requestTakenBack, type Stamp } from "./transcript-fold";
import type { TaskBlock, Transcript } from "./transcript-items";

/** Where a Task's records are shown; those of none go to the newest block. */
export function indexOf(tasks: readonly TaskBlock[], place: Place | null): number {
  const found = place ? tasks.findLastIndex(({ fold }) => fold.task !== null && fold.task <= place.host) : -1;
  return found < 0 ? tasks.length - 1 : found;
}

/** The transcript with one block changed: that of the Task, or the newest. */
export function change(
  t: Transcript,
  place: Place | null,
  stamp: Stamp,
  onto: (block: TaskBlock) => TaskBlock,
): Transcript {
  const index = indexOf(t.tasks, place);
  const block = t.tasks[index];
  if (!block) return { ...t, tasks: [onto(newBlock("task", stamp))] };
  const next = onto(block);
  return next === block ? t : { ...t, tasks: t.tasks.with(index, next) };
}

/** The block of a Task that opens. */
export function openBlock(t: Transcript, { opens, place, late, input }: Step, stamp: Stamp): Transcript {
  if (!opens || !place || place.host !== place.task) return t;
  const interrupted = t.interrupted && input !== "prompt";
  const last = t.tasks.at(-1);
  // The rest of a Task whose beginning is not loaded.
  if (opens === "task" && input === null && last?.fold.task === null) {
    const adopted = { ...last, kind: opens, from: stamp.address, fold: { ...last.fold, task: place.task } };
    return { ...t, interrupted, tasks: t.tasks.with(-1, adopted) };
  }
  const index = late ? t.tasks.findLastIndex(({ kind, fold }) => kind === "task" && fold.task !== null) : -1;
  const giver = t.tasks[index];
  const tasks = giver ? t.tasks.with(index, requestTakenBack(giver)) : t.tasks;
  const begun = giver?.fold.before ?? stamp;
  const block = newBlock(opens, begun);
  return {
    ...t,
    interrupted,
    tasks: [...tasks, { ...block, from: begun.address, fold: { ...block.fold, task: place.task } }],
  };
}

/** A compaction that was never closed is over. */
export function leaveCompaction(t: Transcript, span: Place): Transcript {
  return change(t, span, { at: "" }, compactionLeft);
}
