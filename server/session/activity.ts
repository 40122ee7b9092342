/**
 * What a Session is busy with: nothing, or one run. A run claims the Session in the step in which it is asked for,
 * gathers what it needs, and is launched; whatever is missing is said before anything was written.
 */
import type { StateFrame } from "../../lib/api/frames";
import type { SessionRef } from "../../lib/api/routes";
import type { OmniMessage } from "../../lib/omni/message";
import type { TaskOutcome } from "../engine/task";
import { broken, drive, type NotSaved } from "./drive";
import type { SessionMemory } from "./memory";
import { newRun, noteRecord, type Run } from "./run";
import { errorOf } from "./state-frames";

/** `closed`: the server stops, nothing more is said or written. */
export type RunOutcome = TaskOutcome | NotSaved | { kind: "closed" };

export interface ActivityParts {
  ref: SessionRef;
  memory: SessionMemory;
  stateChanged(): void;
  /** The undelivered steering of the run changed. */
  steeringChanged(): void;
  /** The run is over and its records are written; it still claims the Session until this settles. */
  ended(run: Run, outcome: RunOutcome): Promise<void>;
}

export class Activity {
  #run: Run | null = null;
  #error: StateFrame["error"];

  constructor(private readonly parts: ActivityParts) {}

  get run(): Run | null {
    return this.#run;
  }
  /** Why the last run ended badly. */
  get error(): StateFrame["error"] {
    return this.#error;
  }

  /** Claims the Session at once, then gathers. Rejects with what `begin` lacks; then nothing runs. */
  async claim(kind: Run["kind"], id: string, text: string, begin: (run: Run) => Promise<void>): Promise<void> {
    const run = newRun(kind, id, text, this.parts.steeringChanged);
    this.#run = run;
    try {
      await this.parts.memory.refresh();
      await begin(run);
    } catch (error) {
      this.#run = null;
      throw error;
    }
  }

  launch(run: Run, work: AsyncGenerator<OmniMessage, TaskOutcome, void>): void {
    this.#error = undefined;
    this.parts.stateChanged();
    run.done = drive(work, this.parts.memory.recorder)
      .catch((error: unknown) => broken(this.parts.ref, error))
      .then((outcome) => this.parts.ended(run, outcome));
  }

  /** Takes note of a record of whatever runs. */
  recorded(message: OmniMessage): void {
    if (this.#run && noteRecord(this.#run, message)) this.parts.stateChanged();
  }

  /** Remembers how a run ended, for everyone who looks; it still claims the Session. */
  judge(run: Run, outcome: TaskOutcome | NotSaved): void {
    // What is on disk goes ahead of the next prompt; only what is not returns to the person.
    const error = errorOf(outcome, run.wrote ? "" : run.text);
    this.#error = error?.text ? { ...error, task: run.id } : error;
  }

  /** What was to be run could not even begin. */
  fail(error: NonNullable<StateFrame["error"]>): void {
    this.#error = error;
    this.parts.stateChanged();
  }

  /** What the last run ended of is no longer so. */
  forgive(): void {
    this.#error = undefined;
    this.parts.stateChanged();
  }

  /** Nothing runs any more. */
  release(): void {
    this.#run = null;
  }
}
