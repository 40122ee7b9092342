/** Older records of a Session in windows that are cut on Task boundaries, across all of its files. */
import type { AddressedMessage, RecordAddress } from "../../lib/omni/message";
import { Segmenter } from "../../lib/trace/segment";

export const DEFAULT_PAGE = 200;

export interface PageSource {
  /** Indexes of the Session's files, ascending. */
  indexes: readonly number[];
  /** All records of one file; null: it is gone. */
  read(index: number): Promise<readonly AddressedMessage[] | null>;
}

export interface Page {
  records: AddressedMessage[];
  /** First record of the window, when there is something before it. */
  before: RecordAddress | null;
}

/** About `limit` records (whole Tasks, at least one) before the address, or the newest ones. Oldest first. */
export async function pageBefore(source: PageSource, before: RecordAddress | null, limit: number): Promise<Page> {
  const page: AddressedMessage[] = [];
  const indexes = source.indexes.filter((index) => before === null || index <= before.file_index).toReversed();
  for (const [at, index] of indexes.entries()) {
    const all = (await source.read(index)) ?? [];
    const candidates = before?.file_index === index ? all.filter(({ address }) => address.line < before.line) : all;
    const start = windowStart(candidates, limit - page.length);
    page.unshift(...candidates.slice(start));
    const older = start > 0 || at < indexes.length - 1;
    if (!older) break;
    const first = page[0]?.address;
    if (page.length >= limit && first) return { records: page, before: first };
  }
  return { records: page, before: null };
}

/** The latest start of a Task that leaves at least `wanted` records, or the beginning. */
function windowStart(records: readonly AddressedMessage[], wanted: number): number {
  if (records.length <= wanted) return 0;
  const segmenter = new Segmenter();
  /** Where a cut may be: behind the last record of one Task. */
  let start = 0;
  let seen = 0;
  let afterTask = 0;
  for (const [at, record] of records.entries()) {
    const task = segmenter.push(record);
    const opened = segmenter.tasks.length > seen && segmenter.tasks.at(-1)?.within === null;
    seen = segmenter.tasks.length;
    if (opened && afterTask > 0 && records.length - afterTask >= wanted) start = afterTask;
    if (task) afterTask = at + 1;
  }
  return start;
}
