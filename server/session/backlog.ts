/** What gets a Task of its own once nothing runs: queued messages, and ends in the background that are to be told. */
import type { Steering } from "../engine/inbox";
import type { SessionQueue } from "./queue";
import { Reports } from "./reports";
import type { NewTask } from "./run";

export class Backlog {
  readonly #reports = new Reports();
  /** The last Task was stopped or failed: what ends in the background waits for the next prompt. */
  #quiet = false;
  #precious = false;

  constructor(
    private readonly queue: SessionQueue,
    /** For whom a Task runs that nobody wrote. */
    private readonly user: () => string | undefined,
  ) {}

  /** Does something wait that the Trace does not know? */
  get precious(): boolean {
    return this.#precious;
  }

  /** Keeps reports that no Task delivered. */
  hold(reports: readonly Steering[]): void {
    this.#reports.hold(reports);
    this.#precious = this.#reports.any;
  }
  /** Reports that the Trace lacks and that can be made anew from it: they go ahead of the next prompt. */
  remember(texts: readonly string[]): void {
    if (texts.length === 0) return;
    this.#reports.hold(texts.map((text) => Reports.of(text)));
    this.#quiet = true;
  }
  /** Reports that wait; whoever takes them delivers them or holds them again. */
  take(): Steering[] {
    this.#precious = false;
    return this.#reports.take();
  }

  /** A Task is over. `failed`: it could not get through, and would have taken every message that waits with it. */
  taskOver(undelivered: readonly Steering[], completed: boolean, failed: boolean): void {
    this.hold(undelivered);
    this.#quiet = !completed;
    // Steering that was never delivered becomes a draft.
    this.queue.hold(({ kind }) => kind === "steer" || failed);
  }

  /** The next queued message (it leaves the list when its first record is on disk), or a Task for what is to be told. */
  next(): NewTask | null {
    const telling = this.#reports.any && !this.#quiet;
    const user = this.user();
    return this.queue.next() ?? (telling ? { id: Reports.of("").id, parts: [], ...(user ? { user } : {}) } : null);
  }
}
