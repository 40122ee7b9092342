/** A closed context: a file whose last record is a completed compaction. Nothing is appended to it any more (TR7). */
import { extractSummary } from "../omni/blocks";
import { isComplete, isEventOf, isOwn } from "../omni/guards";
import type { AddressedMessage } from "../omni/message";
import { readable } from "../omni/readable";

export interface Closure {
  /** null: a discard, there is none to be missed. */
  summary: string | null;
}

/**
 * null: the context goes on. So it does when the summary extracts to nothing: that compaction closed nothing. Reads
 * from the end, no further than the last Request.
 */
export function closureOf(records: readonly AddressedMessage[]): Closure | null {
  const last = readableAt(records, records.length - 1);
  if (!last || !isEventOf(last, "compaction_end") || last.payload.status !== "completed") return null;
  if (last.payload.mode === "discard") return { summary: null };
  const summary = extractSummary(lastAnswer(records));
  return summary === "" ? null : { summary };
}

/** The assistant's text in the last committed Request. */
function lastAnswer(records: readonly AddressedMessage[]): string {
  const texts: string[] = [];
  let inside = false;
  for (let at = records.length - 1; at >= 0; at -= 1) {
    const message = readableAt(records, at);
    if (!message) continue;
    if (isEventOf(message, "request_end")) {
      if (inside) break;
      inside = message.payload.status === "completed";
    } else if (!inside) continue;
    else if (isEventOf(message, "request_begin")) break;
    else if (isComplete(message) && message.payload.type === "text" && message.payload.role === "assistant") {
      texts.unshift(message.payload.text);
    }
  }
  return texts.join("");
}

function readableAt(records: readonly AddressedMessage[], at: number) {
  const message = records.at(at)?.message;
  return message && isOwn(message) ? readable(message) : null;
}
