/** What a Session remembers: the records of its current context and the fragments still being streamed. */
import { Assembler } from "../../lib/omni/assemble";
import { isComplete, isEventOf, isOwn, isPartial } from "../../lib/omni/guards";
import type { AddressedMessage, OmniMessage, PartialMessage } from "../../lib/omni/message";
import { type Earlier, earlierOf, NOTHING_EARLIER } from "./prior";

/** A snapshot shows at most this many records. */
export const SNAPSHOT_RECORDS = 200;

export class SessionLog {
  #records: AddressedMessage[];
  readonly #fragments = new Assembler();

  constructor(
    records: AddressedMessage[] = [],
    public earlier: Earlier = NOTHING_EARLIER,
  ) {
    this.#records = records;
  }

  get records(): readonly AddressedMessage[] {
    return this.#records;
  }

  /** A record that is on disk. */
  add(record: AddressedMessage): void {
    this.#records.push(record);
    this.#close(record.message);
  }

  /** A message that is only streamed: a fragment, or anything of a child. */
  stream(message: OmniMessage): void {
    if (isPartial(message)) this.#fragments.push(message);
    else this.#close(message);
  }

  #close(message: OmniMessage): void {
    if (isComplete(message)) this.#fragments.complete(message);
    // Whatever an abandoned call left open belongs to no message any more.
    else if (isEventOf(message, "request_begin") && isOwn(message)) this.#fragments.clear();
  }

  /** The next record opens a new file and with it a new context. */
  startContext(): void {
    this.earlier = earlierOf(this.#records, this.earlier);
    this.#records = [];
    this.#fragments.clear();
  }

  /** The Task is over: nothing streams any more. */
  endTask(): void {
    this.#fragments.clear();
  }

  /** One `start` fragment per open message, with all of its text. */
  open(): PartialMessage[] {
    return this.#fragments.open();
  }

  /** Index of the first record a snapshot shows. */
  windowStart(limit = SNAPSHOT_RECORDS): number {
    return windowStart(this.#records, limit);
  }
}

/**
 * At most `limit` of the newest records, cut before a Request's input where there is one, never inside of a compaction:
 * should one be all that the window holds, it is shown from its beginning.
 */
export function windowStart(records: readonly AddressedMessage[], limit: number): number {
  const earliest = records.length - limit;
  if (earliest <= 0) return 0;
  const around = compactionAround(records, earliest);
  let compacting = around !== null;
  for (let at = earliest; at < records.length; at += 1) {
    const message = records[at]?.message;
    if (!message) continue;
    if (isEventOf(message, "compaction_begin")) {
      if (!compacting) return at;
    } else if (isEventOf(message, "compaction_end")) {
      compacting = false;
    } else if (!compacting && isEventOf(message, "request_begin")) {
      const start = inputStart(records, at);
      if (start >= earliest) return start;
    }
  }
  return around ?? earliest;
}

/** Where a compaction began that this record lies in; null: in none. */
function compactionAround(records: readonly AddressedMessage[], inside: number): number | null {
  for (let at = inside - 1; at >= 0; at -= 1) {
    const message = records[at]?.message;
    if (message && isEventOf(message, "compaction_begin")) return at;
    if (message && isEventOf(message, "compaction_end")) return null;
  }
  return null;
}

/** Where the texts begin that stand directly before this `request_begin`. */
function inputStart(records: readonly AddressedMessage[], begin: number): number {
  let start = begin;
  for (let at = begin - 1; at >= 0; at -= 1) {
    const message = records[at]?.message;
    if (!message || !isInputLike(message)) break;
    start = at;
  }
  return start;
}

function isInputLike(message: OmniMessage): boolean {
  if (isEventOf(message, "tool_list_ready")) return true;
  return isComplete(message) && message.payload.role === "user" && message.payload.type !== "tool_call_output";
}
