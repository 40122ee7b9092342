/** Ends of what ran in the background, until the model was told: at the next turn boundary, or by a Task of its own. */
import { randomBytes } from "node:crypto";
import { model } from "../../lib/omni/build";
import type { CompleteMessage } from "../../lib/omni/message";
import type { Steering } from "../engine/inbox";

export const HARNESS = "harness";

export class Reports {
  #waiting: Steering[] = [];

  /** A report in the form in which the inbox of a Task takes it. */
  static of(text: string): Steering {
    return { id: `report-${randomBytes(8).toString("hex")}`, text, images: [], sender: HARNESS };
  }

  get any(): boolean {
    return this.#waiting.length > 0;
  }

  /** Keeps what a Task did not deliver; steering of people and of parents is not kept here. */
  hold(items: readonly Steering[]): void {
    this.#waiting.push(...items.filter(({ sender }) => sender === HARNESS));
  }

  /** Everything that waits; whoever takes it delivers it or holds it again. */
  take(): Steering[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}

/** Input records of a Task that begins with them. */
export function reportRecords(reports: readonly Steering[], client_id: string): CompleteMessage[] {
  return reports.map(({ text }) =>
    model({ type: "text", role: "user", text, stop_reason: "completed", sender: HARNESS, client_id }),
  );
}
