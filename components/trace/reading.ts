/**
 * What the two readings of a Trace show, item by item. All files of a Session are one reading: a position counts its
 * physical lines over all files, from 0. Pure.
 */
import type { RecordAddress } from "@/lib/omni/message";

export interface FileLines {
  index: number;
  lines: number;
}
export type Item =
  | { kind: "totals" }
  /** Where a file begins; shown when there are several. */
  | { kind: "file"; file: number }
  /** Records before the first Task. */
  | { kind: "head"; rows: number; open: boolean }
  | { kind: "task"; task: number; rows: number; open: boolean }
  | { kind: "row"; file: number; line: number };

export const HEAD = -1;

/** Positions <-> addresses. */
export class Positions {
  readonly total: number;
  readonly #starts: { file: number; from: number; lines: number }[] = [];

  constructor(readonly files: readonly FileLines[]) {
    let from = 0;
    for (const { index, lines } of files) {
      this.#starts.push({ file: index, from, lines });
      from += lines;
    }
    this.total = from;
  }

  /** -1: no such line. */
  of({ file_index, line }: RecordAddress): number {
    const start = this.#starts.find(({ file }) => file === file_index);
    return start && line >= 1 && line <= start.lines ? start.from + line - 1 : -1;
  }

  at(position: number): RecordAddress | null {
    const start = this.#starts.findLast(({ from }) => from <= position);
    if (!start || position < 0 || position >= this.total) return null;
    return { file_index: start.file, line: position - start.from + 1 };
  }
}

/** Every line in order, with a mark where a file begins. */
export function eventItems({ files }: Positions): Item[] {
  const items: Item[] = [];
  for (const { index, lines } of files) {
    if (files.length > 1) items.push({ kind: "file", file: index });
    for (let line = 1; line <= lines; line++) items.push({ kind: "row", file: index, line });
  }
  return items;
}

interface TaskPlace {
  index: number;
  within: number | null;
  start: { address: RecordAddress };
}

/** Which records belong under which card: from a Task's first record up to the next Task's. */
export function groups(
  positions: Positions,
  tasks: readonly TaskPlace[],
): { task: number; from: number; to: number }[] {
  const starts = tasks
    .filter(({ within }) => within === null)
    .map(({ index, start }) => ({ task: index, from: positions.of(start.address) }))
    .filter(({ from }) => from >= 0)
    .sort((a, b) => a.from - b.from);
  const first = starts[0]?.from ?? positions.total;
  const all = first > 0 ? [{ task: HEAD, from: 0 }, ...starts] : starts;
  return all.map(({ task, from }, i) => ({ task, from, to: all[i + 1]?.from ?? positions.total }));
}

/** A card per Task, with its records under it where it is open. */
export function timelineItems(positions: Positions, tasks: readonly TaskPlace[], open: ReadonlySet<number>): Item[] {
  const several = positions.files.length > 1;
  const items: Item[] = [{ kind: "totals" }];
  let file = 0;
  const enter = (address: RecordAddress | null) => {
    if (!several || !address || address.file_index === file) return;
    file = address.file_index;
    items.push({ kind: "file", file });
  };
  for (const { task, from, to } of groups(positions, tasks)) {
    enter(positions.at(from));
    const opened = open.has(task);
    if (task === HEAD) items.push({ kind: "head", rows: to - from, open: opened });
    else items.push({ kind: "task", task, rows: to - from, open: opened });
    for (let position = from; opened && position < to; position++) {
      const address = positions.at(position);
      enter(address);
      if (address) items.push({ kind: "row", file: address.file_index, line: address.line });
    }
  }
  return items;
}

/** The Task under whose card a record is. */
export function groupOf(positions: Positions, tasks: readonly TaskPlace[], address: RecordAddress): number | null {
  const position = positions.of(address);
  return position < 0 ? null : (groups(positions, tasks).findLast(({ from }) => from <= position)?.task ?? null);
}

/** Where a record is in the list; -1: not in it. */
export function itemOf(items: readonly Item[], { file_index, line }: RecordAddress): number {
  return items.findIndex((item) => item.kind === "row" && item.file === file_index && item.line === line);
}

/** The next record from a place in the list in one direction; null: there is none. */
export function nextRow(items: readonly Item[], from: number, way: 1 | -1): number | null {
  for (let at = from + way; at >= 0 && at < items.length; at += way) if (items[at]?.kind === "row") return at;
  return null;
}

export function itemKey(item: Item): string {
  switch (item.kind) {
    case "row":
      return `${item.file}:${item.line}`;
    case "file":
      return `file ${item.file}`;
    case "task":
      return `task ${item.task}`;
    default:
      return item.kind;
  }
}
