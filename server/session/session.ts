/**
 * One Session at run time. It belongs to the server: no browser, open or closed, changes what a Task does (P7).
 *
 *            submit, retry, a queued message
 *   idle ───────────────────────────────────▶ running { task, stop }
 *    ▲ │                                         │ │ compaction_begin, compaction_end
 *    │ │ compact                                 │ ▼
 *    │ └───────────────────────────────────▶ compacting { stop }
 *    └───────────────────────────────────────────┘ completed, aborted, failed, refused, not saved
 *
 * Owns the state and the order of things. `memory.ts` keeps what is known and written, `runner.ts` gathers what a
 * Task needs, `drive.ts` writes and publishes, `engine/task.ts` decides what happens in a Task.
 */
import { AppError } from "../../lib/api/errors";
import type { QueueFrame, RunState, SnapshotFrame, StateFrame } from "../../lib/api/frames";
import type { SessionRef } from "../../lib/api/routes";
import type { InputPart, PatchSessionBody } from "../../lib/api/schemas";
import type { CompleteMessage, OmniMessage, SessionMetaPayload, ThinkingLevel } from "../../lib/omni/message";
import { manualCompaction } from "../engine/compaction-plan";
import type { Steering } from "../engine/inbox";
import type { StopReasonDetail, TaskDeps } from "../engine/state";
import { compactByHand, runTask, type TaskOutcome } from "../engine/task";
import { Approvals } from "./approvals";
import { SessionChannel, type Sink, type Subscription } from "./channel";
import { closingRecords } from "./closing";
import { drive, elideMessage, type NotSaved } from "./drive";
import { requireConfirmed } from "./imported";
import { changeSettings, type SessionSettings } from "./info";
import { inputRecords } from "./input";
import { clientIdOf, SessionMemory } from "./memory";
import { type Loaded, type Problem, refOfAgent, type SessionHost } from "./open";
import { priorOf } from "./prior";
import { type HeldItem, SessionQueue } from "./queue";
import { newRun, noteRecord, type Run, stateFrame } from "./run";
import { type Gathered, portsOf, Runner, thinkingOf } from "./runner";
import { errorOf, queueFrame, textOf } from "./state-frames";
import type { Unsaved } from "./unsaved";

export interface NewTask {
  /** client_id */
  id: string;
  parts: InputPart[];
  author?: string;
  thinking_level?: ThinkingLevel;
  /** The person has seen what an imported Session brings along. */
  confirm_import?: boolean;
}

export class Session {
  readonly channel: SessionChannel;
  readonly approvals: Approvals;
  readonly queue: SessionQueue;
  readonly #runner: Runner;
  readonly #memory: SessionMemory;
  #run: Run | null = null;
  #error: StateFrame["error"];
  /** Tasks of this runtime by client_id. */
  readonly #tasks = new Map<string, Promise<void>>();
  #closed = false;
  lastUsed = Date.now();

  constructor(
    readonly ref: SessionRef,
    private readonly host: SessionHost,
    loaded: Loaded,
    unsaved: Unsaved | null,
  ) {
    this.#runner = new Runner(host, ref);
    this.channel = new SessionChannel(() => this.#snapshot());
    this.#memory = new SessionMemory(
      { ref, host, channel: this.channel, recorded: (message) => this.#recorded(message) },
      loaded,
      unsaved,
    );
    this.approvals = new Approvals({
      mode: () => this.settings.approval_mode,
      permission: (tool) => this.#runner.permission(tool),
      publish: (data) => void this.channel.publish({ event: "approval", data }),
    });
    this.queue = new SessionQueue(host.layout.queue(refOfAgent(ref), ref.session), () => this.#publishQueue());
  }

  // ---- looking ----

  get meta(): SessionMetaPayload {
    return this.#memory.meta;
  }
  get settings(): SessionSettings {
    return this.#memory.settings;
  }
  get unsaved(): Unsaved | null {
    return this.#memory.unsaved;
  }
  /** Why its Trace cannot be continued; null: it can. */
  get problem(): Problem | null {
    return this.#memory.problem;
  }
  get status(): RunState {
    return this.#stateFrame().state;
  }
  /** Records of the current context. */
  get records() {
    return this.#memory.log.records;
  }
  /** May it be dropped from memory? */
  get evictable(): boolean {
    const inUse = this.#run !== null || this.channel.subscribers > 0 || this.#runner.busy;
    return !inUse && this.unsaved === null;
  }

  subscribe(lastId: string | null, sink: Sink): Subscription {
    this.lastUsed = Date.now();
    return this.channel.subscribe(lastId, sink);
  }

  #snapshot(): SnapshotFrame {
    const { log, recovery, engine } = this.#memory;
    const start = log.windowStart();
    const shown = log.records.slice(start);
    return {
      records: shown.map(({ address, message }) => ({ address, message: elideMessage(message) })),
      open: log.open(),
      state: this.#stateFrame(),
      queue: this.#queueFrame(),
      approvals: this.approvals.pending(),
      prior: priorOf(log.records, start, engine.session_tokens),
      ...(recovery ? { recovery } : {}),
    };
  }

  #stateFrame(): StateFrame {
    return stateFrame(this.#run, this.#error);
  }
  #queueFrame(): QueueFrame {
    return queueFrame(this.#run?.inbox.items ?? [], this.queue.items);
  }
  #publishState(): void {
    this.channel.publish({ event: "state", data: this.#stateFrame() });
  }
  #publishQueue(): void {
    this.channel.publish({ event: "queue", data: this.#queueFrame() });
  }

  // ---- Tasks ----

  /** Starts a Task, or queues it. The same id again gives the same answer and starts nothing twice. */
  async submit(task: NewTask, queue: boolean): Promise<{ id: string }> {
    this.lastUsed = Date.now();
    if (this.#closed) throw new AppError("shutting_down");
    const { id } = task;
    const before = this.#tasks.get(id);
    if (before) await before;
    if (before || this.#memory.taskIds.has(id) || this.queue.has(id)) return { id };
    const accepted = this.#run ? this.#enqueue(task, queue) : this.#start(task);
    this.#tasks.set(id, accepted);
    accepted.catch(() => this.#tasks.delete(id));
    await accepted;
    return { id };
  }

  async #enqueue(task: NewTask, queue: boolean): Promise<void> {
    if (!queue) throw new AppError("task_in_progress");
    const { confirm_import: _, ...message } = task;
    await this.queue.add({ kind: "task", ...message });
  }

  /** Claims the Session at once, then gathers; whatever is missing is said before anything was written. */
  async #start(task: NewTask): Promise<void> {
    const run = this.#claim("task", task.id, textOf(task.parts));
    try {
      await this.#memory.refresh();
      await this.#requireContinuable(task.author, task.confirm_import);
      const gathered = await this.#gather(task.author);
      await this.#memory.prepareHead(gathered);
      const input = [...(this.unsaved?.lead ?? []), ...(await this.#input(task, gathered))];
      const deps = this.#deps(run, gathered, task.thinking_level);
      this.#launch(run, runTask(this.#memory.engine, input, deps, run.stop.signal));
    } catch (error) {
      this.#run = null;
      throw error;
    }
  }

  /** Throws `session_unrecoverable` or `import_unconfirmed`. */
  async #requireContinuable(by = "", confirm = false): Promise<void> {
    const { problem } = this.#memory;
    if (problem) throw new AppError(problem.code, problem.message);
    await requireConfirmed(this.host, this.ref, this.meta, { confirm, by });
  }

  #gather(user: string | undefined): Promise<Gathered> {
    return this.#runner.gather(this.meta, user, this.#memory.callIds);
  }

  #input(task: NewTask, gathered: Gathered): Promise<CompleteMessage[]> {
    return inputRecords(task.parts, {
      scratchpad: this.host.layout.scratchpad(refOfAgent(this.ref), this.ref.session),
      vision: gathered.vision,
      client_id: task.id,
      ...(task.author ? { author: task.author } : {}),
    });
  }

  #claim(kind: Run["kind"], id: string, text: string): Run {
    const run = newRun(kind, id, text, () => this.#publishQueue());
    this.#run = run;
    return run;
  }

  #deps(run: Run, gathered: Gathered, thinking?: ThinkingLevel): TaskDeps {
    return {
      ...portsOf(gathered, this.meta, thinkingOf(thinking, this.settings.thinking_level, gathered.config)),
      approve: this.approvals.ask,
      inbox: run.inbox,
      retry: run.wait,
    };
  }

  #launch(run: Run, work: AsyncGenerator<OmniMessage, TaskOutcome, void>): void {
    this.#error = undefined;
    this.#publishState();
    run.done = drive(work, this.#memory.recorder)
      .catch((error: unknown): NotSaved => {
        console.error(`[session] ${this.ref.session}: a Task broke`, error);
        return { kind: "not_saved", code: "io", message: error instanceof Error ? error.message : String(error) };
      })
      .then((outcome) => this.#finish(run, outcome));
  }

  #recorded(message: OmniMessage): void {
    const id = clientIdOf(message);
    if (id) void this.queue.remove(id);
    const run = this.#run;
    if (!run) return;
    if (noteRecord(run, message)) this.#publishState();
  }

  async #finish(run: Run, outcome: TaskOutcome | NotSaved | { kind: "closed" }): Promise<void> {
    if (outcome.kind === "closed" || this.#closed) return;
    this.#error = errorOf(outcome, run.text);
    if (outcome.kind === "not_saved") this.#memory.noteFailedWrite();
    await this.#memory.endTask();
    run.inbox.drain();
    // Steering that was never delivered becomes a draft. A Task that cannot get through would take every message
    // that waits with it, so then they all do.
    this.queue.hold(({ kind }) => kind === "steer" || this.#error !== undefined);
    this.#run = null;
    this.lastUsed = Date.now();
    if (this.queue.next()) void this.#startNext();
    else this.#publishState();
  }

  /** The next queued message, exactly once: it leaves the list when its first record is on disk. */
  async #startNext(): Promise<void> {
    const next = this.#closed || this.#run ? null : this.queue.next();
    if (!next) return;
    try {
      const started = this.#start(next);
      this.#tasks.set(next.id, started);
      await started;
    } catch (error) {
      this.queue.hold(() => true);
      const { code, message } = error instanceof AppError ? error : new AppError("internal");
      this.#error = { code, message };
      this.#publishState();
    }
  }

  // ---- while a Task runs ----

  /** Delivered with the next input of the running Task. Throws `not_running`. */
  async steer(message: Steering): Promise<void> {
    if (!this.#run?.inbox.push(message)) throw new AppError("not_running");
    const { id, text, images, author } = message;
    const parts: InputPart[] = images.map((data_url) => ({ type: "image", data_url }));
    if (text !== "") parts.unshift({ type: "text", text });
    await this.queue.add({ id, kind: "steer", parts, ...(author ? { author } : {}) });
  }

  /** Withdraws an undelivered message. Throws `already_delivered` or `not_found`. */
  async recall(id: string): Promise<HeldItem> {
    const item = this.queue.items.find((one) => one.id === id);
    const steering = this.#run?.inbox.recall(id);
    const starting = this.#run?.id === id;
    if (item && !starting && (item.kind === "task" || item.held || steering)) {
      const withdrawn = await this.queue.remove(id);
      if (withdrawn) return withdrawn;
    }
    const delivered = item || starting || this.#memory.taskIds.has(id) || this.#onRecord(id);
    throw new AppError(delivered ? "already_delivered" : "not_found");
  }

  #onRecord(id: string): boolean {
    return this.records.some(({ message }) => clientIdOf(message) === id);
  }

  /** False: nothing runs. */
  abort(by: string | undefined): boolean {
    if (!this.#run) return false;
    this.#run.stop.abort({ reason: "aborted by user", ...(by ? { by } : {}) } satisfies StopReasonDetail);
    return true;
  }

  /** Skips a wait, or repeats what failed, was refused or had no credential. Throws `nothing_to_retry`. */
  async retry(by: string | undefined): Promise<void> {
    if (this.#run?.wait.skip()) return;
    if (this.#run || this.#closed || !this.#memory.repeatable) throw new AppError("nothing_to_retry");
    const run = this.#claim("task", this.#memory.lastTaskId ?? "retry", "");
    try {
      await this.#memory.refresh();
      await this.#requireContinuable(by, false);
      const deps = this.#deps(run, await this.#gather(by));
      this.#launch(run, runTask(this.#memory.engine, [], deps, run.stop.signal));
    } catch (error) {
      this.#run = null;
      throw error;
    }
  }

  /**
   * Compaction by hand; its records are streamed like those of a Task. Throws `compacting`, `task_in_progress`,
   * `nothing_to_compact`, `already_compacted`, `compaction_not_configured`, or what keeps the Session from going on.
   */
  async compact(by: string | undefined): Promise<void> {
    this.lastUsed = Date.now();
    if (this.#closed) throw new AppError("shutting_down");
    if (this.#run) throw new AppError(this.#run.compacting ? "compacting" : "task_in_progress");
    const run = this.#claim("compaction", "compaction", "");
    try {
      await this.#memory.refresh();
      await this.#requireContinuable(by, false);
      const { obstacle } = this.#memory;
      if (obstacle) throw new AppError(obstacle);
      const deps = this.#deps(run, await this.#gather(by));
      const plan = manualCompaction(this.#memory.engine, deps);
      if (!plan) throw new AppError("compaction_not_configured");
      this.#launch(run, compactByHand(this.#memory.engine, plan, deps, run.stop.signal));
    } catch (error) {
      this.#run = null;
      throw error;
    }
  }

  /** Appends a session_info when something changed. `locked` is refused before this is called. */
  async patch(values: PatchSessionBody, by: string): Promise<void> {
    const { title, archived, approval_mode, thinking_level, visibility } = values;
    if (!this.#run) await this.#memory.refresh();
    const next = changeSettings(this.settings, { title, archived, approval_mode, thinking_level, visibility });
    if (next) await this.#memory.change(next, by);
  }

  // ---- the end ----

  /** For the signal handler, synchronous: closing records, then streams and tools. */
  closeNow(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    const run = this.#run;
    const unfinished = {
      asked: this.approvals.pending().map(({ tool_call }) => tool_call.tool_call_id),
      fragments: this.#memory.log.open(),
    };
    try {
      this.#memory.recorder.closeNow((records, inFlight) =>
        run && (run.wrote || inFlight) ? closingRecords(records, unfinished, reason) : [],
      );
    } catch (error) {
      console.error(`[session] ${this.ref.session}: closing records could not be written`, error);
    }
    this.#runner.disposeNow();
    run?.stop.abort({ reason } satisfies StopReasonDetail);
    this.channel.close();
  }

  /** Drops the Session from memory: ends a running Task and waits for it, at most `ms`; ends its commands and streams. */
  async dispose(reason: StopReasonDetail, ms: number): Promise<void> {
    this.queue.hold(() => true);
    const run = this.#run;
    run?.stop.abort(reason);
    if (run) await Promise.race([run.done, new Promise((resolve) => setTimeout(resolve, ms).unref())]);
    this.#closed = true;
    await this.#memory.recorder.close();
    await this.#runner.dispose();
    await this.queue.settled();
    this.channel.close();
  }
}
