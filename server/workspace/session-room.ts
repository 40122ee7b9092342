/** The room of one Session: made for its first command, shared by all of them, made anew when what belongs inside has changed. */

import { type MadeRoom, Room, type Sandbox } from "./room";
import type { RoomPlan } from "./room-plan";

export type Planned = { ok: true; plan: RoomPlan } | { ok: false; message: string };

export class SessionRoom {
  #room: Room | null = null;
  #key = "";
  #making: Promise<unknown> = Promise.resolve();
  #stale = false;
  #disposed = false;

  /** `busy`: do commands run in it? Then it stays as it is. */
  constructor(
    private readonly sandbox: Sandbox,
    private readonly plan: () => Promise<Planned>,
    private readonly busy: () => boolean,
  ) {}

  /** One at a time: commands that start together share a room. */
  enter(): Promise<MadeRoom> {
    const made = this.#making.then(() => this.#enter());
    this.#making = made.catch(() => {});
    return made;
  }

  async #enter(): Promise<MadeRoom> {
    if (this.#disposed) return { ok: false, message: "the Session is closed" };
    if (this.#room?.alive && (!this.#stale || this.busy())) return { ok: true, room: this.#room };
    this.#stale = false;
    const planned = await this.plan();
    if (!planned.ok) return planned;
    const key = JSON.stringify(planned.plan);
    if (this.#room?.alive && key === this.#key) return { ok: true, room: this.#room };
    this.#room?.end();
    const made = await Room.make(this.sandbox, planned.plan);
    this.#room = made.ok ? made.room : null;
    this.#key = key;
    if (this.#disposed) this.end();
    return made;
  }

  /** What belongs inside may have changed: looked at before the next command, once nothing runs there. */
  renew(): void {
    this.#stale = true;
  }

  end(): void {
    this.#disposed = true;
    this.#room?.end();
  }
}
