/** Events of a stream -> the answer. What every protocol has in common; the rest is in the protocol's own reader. */
import type { TokenCounts } from "../../lib/omni/message";
import { parseJson } from "./json";

/** The last thing some event streams say. */
const DONE = "[DONE]";

export abstract class StreamReader {
  /**
   * Why the model stopped; "" while it has not said. "length" and "content_filter" mean that the answer was cut,
   * "error" that the provider gave up; every other word is a good end.
   */
  finish = "";
  /** Nothing more will come. */
  ended = false;
  usage: TokenCounts | undefined;
  /** JSON of the error the provider sent inside the stream. */
  failure: string | null = null;
  /** Why what came cannot be a whole answer. */
  fault: string | null = null;

  /** One parsed event, or the whole answer of a server that does not stream. */
  abstract chunk(raw: unknown): void;

  /** Gives out what was held back. */
  end(): void {}

  /** Are the arguments of every call whole? Asked only of a stream that ended without a reason. */
  get callsAreWhole(): boolean {
    return false;
  }

  /** Data of one server-sent event. */
  event(data: string): void {
    if (data.trim() === DONE) {
      this.ended = true;
      return;
    }
    const whole = parseJson(data);
    if (whole) {
      this.chunk(whole.value);
      return;
    }
    // Some servers leave out the blank line between events.
    for (const line of data.split("\n")) {
      const parsed = parseJson(line);
      if (parsed) this.chunk(parsed.value);
      else if (line.trim() === DONE) this.ended = true;
      else if (line.trim() !== "") {
        this.fault ??= `The stream holds something that is not JSON: ${line.slice(0, 10_000)}`;
      }
    }
  }
}
