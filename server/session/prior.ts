/** What lies before the first record that a reader is shown: running sums, so that nothing starts at zero again. */
import type { Prior } from "../../lib/api/frames";
import { isEventOf } from "../../lib/omni/guards";
import type { AddressedMessage, OmniMessage, TokenCounts, TokenUsagePayload } from "../../lib/omni/message";
import { readable } from "../../lib/omni/readable";
import { segment } from "../../lib/trace/segment";
import { elapsed } from "../../lib/trace/task";

/** Sums over the files before the current context. */
export interface Earlier {
  elapsed_ms: number;
  tasks: number;
}
export const NOTHING_EARLIER: Earlier = { elapsed_ms: 0, tasks: 0 };

export function earlierOf(records: AddressedMessage[], before: Earlier = NOTHING_EARLIER): Earlier {
  const tasks = segment(records);
  const ms = tasks.reduce((sum, task) => sum + elapsed(task.start.timestamp, task.end.timestamp), 0);
  return { elapsed_ms: before.elapsed_ms + ms, tasks: before.tasks + tasks.length };
}

/** The window begins at index `start` of the records in memory. `sum`: the Session's tokens up to the last record. */
export function priorOf(
  { records, earlier }: { records: readonly AddressedMessage[]; earlier: Earlier },
  start: number,
  sum: TokenCounts,
): Prior {
  const before = records.slice(0, start);
  const last = before.findLast(({ message }) => usageIn(message))?.message;
  const usage = last ? usageIn(last) : null;
  const first = records[0]?.address;
  return {
    more: start > 0 || (first !== undefined && first.file_index > 1),
    tokens: usage?.session ?? tokensBefore(records, sum),
    context: usage?.request.total ?? 0,
    ...(isFull(before) ? { context_full: true } : {}),
    ...earlierOf(before, earlier),
  };
}

/** Was a Request too long for the provider, and none after it fitted? */
function isFull(records: readonly AddressedMessage[]): boolean {
  const last = records.findLast(({ message }) => usageIn(message) || isTooLong(message))?.message;
  return last !== undefined && isTooLong(last);
}

function isTooLong(record: OmniMessage): boolean {
  if (!isEventOf(record, "request_end")) return false;
  const message = readable(record);
  return message !== null && isEventOf(message, "request_end") && message.payload.context_too_long === true;
}

/** Tokens of the Session before its first record in memory: the first usage tells both sums. */
function tokensBefore(records: readonly AddressedMessage[], sum: TokenCounts): TokenCounts {
  for (const { message } of records) {
    const usage = usageIn(message);
    if (!usage) continue;
    const { session, request } = usage;
    return {
      cache_read: session.cache_read - request.cache_read,
      cache_write: session.cache_write - request.cache_write,
      output: session.output - request.output,
      total: session.total - request.total,
    };
  }
  return sum;
}

function usageIn(record: OmniMessage): TokenUsagePayload | null {
  if (!isEventOf(record, "token_usage")) return null;
  const message = readable(record);
  return message && isEventOf(message, "token_usage") ? message.payload : null;
}
