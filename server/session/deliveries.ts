/** Messages for a Task that runs: each is delivered with its next input, or withdrawn, exactly once. */
import { AppError } from "../../lib/api/errors";
import type { Steering } from "../engine/inbox";
import type { Once } from "./once";
import type { HeldItem, SessionQueue } from "./queue";
import type { Run } from "./run";
import { heldSteering } from "./state-frames";

export interface DeliveryParts {
  queue: SessionQueue;
  once: Once;
  run(): Run | null;
  /** As the Session's model can take it. */
  prepare(message: Steering): Promise<Steering>;
  /** Does the Trace hold it? */
  delivered(id: string): boolean;
}

export class Deliveries {
  constructor(private readonly parts: DeliveryParts) {}

  /** Delivered with the next input of the running Task; the same id again is not taken twice. Throws `not_running`. */
  async steer(message: Steering): Promise<void> {
    const { once, queue, delivered } = this.parts;
    const { id } = message;
    await once.run(
      id,
      () => delivered(id) || queue.has(id),
      () => this.#steer(message),
    );
  }

  async #steer(message: Steering): Promise<void> {
    const { run, queue, prepare } = this.parts;
    const inbox = run()?.inbox;
    if (!inbox || inbox.closed) throw new AppError("not_running");
    if (!inbox.push(await prepare(message))) throw new AppError("not_running");
    if (message.sender) return;
    await queue.add(heldSteering(message)).catch((error: unknown) => {
      // Not saved: taken back, unless it was delivered all the same.
      if (inbox.recall(message.id)) throw error;
    });
  }

  /** Withdraws an undelivered message. Throws `already_delivered` or `not_found`. */
  async recall(id: string): Promise<HeldItem> {
    const { queue, once } = this.parts;
    const run = this.parts.run();
    const item = queue.items.find((one) => one.id === id);
    const steering = run?.inbox.recall(id);
    const starting = run?.id === id;
    if (item && !starting && (item.kind === "task" || item.held || steering)) {
      const withdrawn = await queue.remove(id);
      // It may be sent again under the same id.
      once.forget(id);
      if (withdrawn) return withdrawn;
    }
    const delivered = item || starting || this.parts.delivered(id);
    throw new AppError(delivered ? "already_delivered" : "not_found");
  }
}
