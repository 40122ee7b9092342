/** The turns of a Session for a copy: found by its fold, read record by record, nothing of the others is touched. */
import type { ShareableTurn } from "../../lib/api/share";
import type { AddressedMessage, RecordAddress } from "../../lib/omni/message";
import type { Task } from "../../lib/trace/task";
import { EMPTY, push } from "../../lib/trace/transcript";
import type { TaskBlock } from "../../lib/trace/transcript-items";
import type { AgentRef } from "../paths";
import { Pace } from "../trace/scan";
import type { TraceStore } from "../trace/store";

/** Lines read at a time. */
const WINDOW = 200;
/** Records of one copy. */
const MAX_RECORDS = 50_000;

export type TurnStore = Pick<TraceStore, "tasks" | "window">;

const key = ({ file_index, line }: RecordAddress) => `${file_index}:${line}`;

/** What can be chosen, oldest first. */
export async function turnsOf(store: TurnStore, ref: AgentRef, session: string): Promise<ShareableTurn[]> {
  const folded = await store.tasks(ref, session);
  return (folded?.tasks ?? [])
    .filter(({ kind }) => kind === "task")
    .map(({ index, start }) => ({ ...start.address, text: folded?.titles.get(index) ?? "", at: start.timestamp }));
}

/** The chosen turns, in their order; unknown addresses are left out. null: more than a copy holds. */
export async function readTurns(
  store: TurnStore,
  ref: AgentRef,
  session: string,
  chosen: readonly RecordAddress[],
): Promise<TaskBlock[] | null> {
  const folded = await store.tasks(ref, session);
  if (!folded) return [];
  const wanted = new Set(chosen.map(key));
  const tasks = folded.tasks.filter(({ kind, start }) => kind === "task" && wanted.has(key(start.address)));
  const blocks: TaskBlock[] = [];
  let room = MAX_RECORDS;
  for (const task of tasks) {
    const records: AddressedMessage[] = [];
    for (const { index, lines } of folded.files) {
      for await (const record of recordsOf(store, { ref, session, index, ...rangeIn(task, index, lines) })) {
        records.push(record);
        room -= 1;
        if (room < 0) return null;
      }
    }
    const block = await fold(records);
    if (block) blocks.push(block);
  }
  return blocks;
}

/** The lines of a file that lie between the Task's first and last record. */
function rangeIn({ start, end }: Task, index: number, lines: number): { first: number; last: number } {
  const [from, to] = [start.address, end.address];
  if (index < from.file_index || index > to.file_index) return { first: 1, last: 0 };
  return { first: index === from.file_index ? from.line : 1, last: index === to.file_index ? to.line : lines };
}

interface Range {
  ref: AgentRef;
  session: string;
  index: number;
  first: number;
  last: number;
}

async function* recordsOf(store: TurnStore, range: Range): AsyncGenerator<AddressedMessage> {
  const { ref, session, index, first, last } = range;
  for (let offset = first - 1; offset < last; offset += WINDOW) {
    const limit = Math.min(WINDOW, last - offset);
    const page = await store.window(ref, session, index, { offset, limit }, (message) => message);
    for (const row of page?.records ?? []) {
      if ("message" in row) yield { address: { file_index: index, line: row.line }, message: row.message };
    }
  }
}

/** The records begin with the Task: its block is the first. Records of others between them are in other blocks. */
async function fold(records: readonly AddressedMessage[]): Promise<TaskBlock | undefined> {
  const pace = new Pace();
  let transcript = EMPTY;
  for (const record of records) {
    transcript = push(transcript, record);
    if (pace.due) await pace.rest();
  }
  return transcript.tasks.find(({ kind, fold }) => kind === "task" && fold.task !== null);
}
