/** Steering: messages sent while a Task runs, delivered with its next input, each exactly once. */

import { writeSteering } from "../../lib/omni/blocks";
import { model } from "../../lib/omni/build";
import type { CompleteMessage } from "../../lib/omni/message";

export interface Steering {
  id: string;
  text: string;
  /** data URLs */
  images: string[];
  /** The text with its images as attachment lines, for a model that does not see. */
  folded?: string;
  author?: string;
  /** A machine's word (`harness`, `parent_agent`): recorded as it is, or as steering of that sender. */
  sender?: string;
}

/** The undelivered steering of one Task. It closes in the step in which the Task ends, so nothing is taken in vain. */
export class Inbox {
  #waiting: Steering[] = [];
  #closed = false;

  constructor(private readonly changed: () => void = () => {}) {}

  get items(): readonly Steering[] {
    return this.#waiting;
  }
  get closed(): boolean {
    return this.#closed;
  }

  /** False: the Task is over, the message was not taken. */
  push(steering: Steering): boolean {
    if (this.#closed) return false;
    this.#waiting.push(steering);
    this.changed();
    return true;
  }

  /** Takes an undelivered message back; null when it is not (or no longer) here. */
  recall(id: string): Steering | null {
    const found = this.#waiting.find((item) => item.id === id);
    if (!found) return null;
    this.#waiting = this.#waiting.filter((item) => item !== found);
    this.changed();
    return found;
  }

  /** Everything that waits, as input records in order; from now on it counts as delivered. */
  deliver(): CompleteMessage[] {
    const taken = this.#waiting;
    if (taken.length === 0) return [];
    this.#waiting = [];
    this.changed();
    return taken.flatMap((item) => {
      const { author, sender } = item;
      const who = { ...(author ? { author } : {}), ...(sender ? { sender } : {}), client_id: item.id };
      const text = sender === "harness" ? item.text : writeSteering(item.folded ?? item.text);
      return [
        model({ type: "text" as const, role: "user" as const, text, ...who }),
        ...(item.folded === undefined ? item.images : []).map((image_url) =>
          model({ type: "image_url" as const, role: "user" as const, image_url, ...who }),
        ),
      ];
    });
  }

  /** Accepts nothing more; what is still undelivered stays until it is drained. */
  close(): void {
    this.#closed = true;
  }

  /** Another round of the same run follows. */
  reopen(): void {
    this.#closed = false;
  }

  /** What was never delivered; gone from here afterwards. */
  drain(): Steering[] {
    const rest = this.#waiting;
    this.#waiting = [];
    if (rest.length > 0) this.changed();
    return rest;
  }
}
