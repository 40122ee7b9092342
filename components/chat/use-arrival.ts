"use client";
/** A link from a Trace names a record (`#record-<file>-<line>`): the conversation opens at the block it belongs to. */
import { useEffect, useRef } from "react";
import type { RecordAddress } from "@/lib/omni/message";
import type { TaskBlock, Transcript } from "@/lib/trace/transcript-items";

interface Arrival {
  transcript: Transcript;
  idle: boolean;
  onOlder: () => void;
  toTask: (id: string) => void;
}

/** Goes there once; loads older messages until the block is in the page. */
export function useArrival({ transcript, idle, onOlder, toTask }: Arrival): void {
  const target = useRef<RecordAddress | null | undefined>(undefined);
  const { tasks, more } = transcript;
  useEffect(() => {
    if (target.current === undefined) target.current = recordIn(location.hash);
    const wanted = target.current;
    if (!wanted || tasks.length === 0) return;
    const block = blockOf(tasks, wanted);
    if (!block && more) {
      if (idle) onOlder();
      return;
    }
    target.current = null;
    const id = (block ?? tasks[0])?.id;
    // Behind the scroll to the end that every conversation opens with.
    if (id !== undefined) requestAnimationFrame(() => toTask(id));
  }, [tasks, more, idle, onOlder, toTask]);
}

export function recordIn(hash: string): RecordAddress | null {
  const match = /^#record-([1-9]\d{0,8})-([1-9]\d{0,8})$/.exec(hash);
  return match ? { file_index: Number(match[1]), line: Number(match[2]) } : null;
}

/** The newest block that begins at or before the record; null: it lies before all of them. */
export function blockOf(tasks: readonly TaskBlock[], wanted: RecordAddress): TaskBlock | null {
  return tasks.findLast((task) => startsBefore(task, wanted)) ?? null;
}

function startsBefore(task: TaskBlock, { file_index, line }: RecordAddress): boolean {
  const first = task.from ?? task.items.find((item) => item.address)?.address;
  if (!first) return false;
  return first.file_index < file_index || (first.file_index === file_index && first.line <= line);
}
