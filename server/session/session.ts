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
 * Decides what may happen now. `activity.ts` runs it, `backlog.ts` knows what comes next, `memory.ts` keeps what is
 * known and written, `runner.ts` gathers what a Task needs, `drive.ts` writes and publishes, `engine/task.ts` decides
 * what happens in a Task.
 */
import { AppError } from "../../lib/api/errors";
import type { QueueFrame, RunState, StateFrame } from "../../lib/api/frames";
import type { SessionRef } from "../../lib/api/routes";
import type { PatchSessionBody } from "../../lib/api/schemas";
import type { ApprovalMode, OmniMessage, SessionMetaPayload, ThinkingLevel } from "../../lib/omni/message";
import { manualCompaction } from "../engine/compaction-plan";
import type { Steering } from "../engine/inbox";
import type { StopReasonDetail, TaskDeps } from "../engine/state";
import { compactByHand, runTask } from "../engine/task";
import { Activity, type RunOutcome } from "./activity";
import { Approvals } from "./approvals";
import type { AuthLock } from "./auth-lock";
import { Backlog } from "./backlog";
import { SessionChannel, type Sink, type Subscription } from "./channel";
import { Deliveries } from "./deliveries";
import { requireConfirmed } from "./imported";
import type { SessionSettings } from "./info";
import { clientIdOf, SessionMemory } from "./memory";
import { Once } from "./once";
import { type Loaded, type Problem, refOfAgent, type SessionHost } from "./open";
import { type HeldItem, SessionQueue } from "./queue";
import { Reports, reportRecords } from "./reports";
import { type NewTask, type Run, stateFrame } from "./run";
import { type Gathered, portsOf, Runner, thinkingOf } from "./runner";
import { snapshotOf } from "./snapshot";
import { queueFrame, textOf, unbegunError } from "./state-frames";
import { type ChildOrder, SessionSubagents } from "./subagents";
import { Titles } from "./title";
import type { Unsaved } from "./unsaved";

/** Where Sessions come from. */
export interface Family {
  spawn(parent: Session, order: ChildOrder): Promise<Session>;
  /** null: there is none, or it is not a subagent of this one. */
  openChild(parent: SessionRef, child: SessionRef): Promise<Session | null>;
}

export class Session {
  readonly channel: SessionChannel;
  readonly approvals: Approvals;
  readonly queue: SessionQueue;
  readonly subagents: SessionSubagents;
  /** Set while a parent holds it as its subagent: its calls are decided by the parent's mode. */
  heldBy: { mode(): ApprovalMode } | null = null;
  readonly #runner: Runner;
  readonly #memory: SessionMemory;
  readonly titles: Titles;
  readonly #activity: Activity;
  readonly #backlog: Backlog;
  readonly #deliveries: Deliveries;
  /** Tasks and steering of this runtime, by client_id. */
  readonly #once = new Once();
  #closed = false;
  lastUsed = Date.now();

  constructor(
    readonly ref: SessionRef,
    private readonly host: SessionHost,
    loaded: Loaded,
    unsaved: Unsaved | null,
    family: Family,
  ) {
    this.subagents = new SessionSubagents(this, {
      recorder: () => this.#memory.recorder,
      runner: () => this.#runner,
      changed: () => this.#publishState(),
      create: (order) => family.spawn(this, order),
      open: (child) => family.openChild(this.ref, child),
      limitMs: host.childLimitMs,
    });
    this.#runner = new Runner(host, ref, {
      subagents: this.subagents,
      report: (text) => this.report(text),
      spent: (usage) => this.#memory.note(null, [usage]),
      changed: () => this.#publishState(),
    });
    this.channel = new SessionChannel(() =>
      snapshotOf(this.#memory, {
        state: this.#stateFrame(),
        queue: this.#queueFrame(),
        approvals: this.approvals.pending(),
      }),
    );
    this.#memory = new SessionMemory(
      { ref, host, channel: this.channel, recorded: (message) => this.#recorded(message) },
      loaded,
      unsaved,
    );
    this.approvals = new Approvals({
      mode: () => this.heldBy?.mode() ?? this.settings.approval_mode,
      permission: (call) => this.#runner.permission(call),
      veto: async (call) => (await host.veto?.(ref.project, call)) ?? null,
      publish: (data) => void this.channel.publish({ event: "approval", data }),
    });
    this.titles = new Titles(host, ref, this.#memory);
    this.queue = new SessionQueue(host.layout.queue(refOfAgent(ref), ref.session), () => this.#publishQueue());
    this.#backlog = new Backlog(this.queue, () => this.#runner.user);
    this.#deliveries = new Deliveries({
      queue: this.queue,
      once: this.#once,
      run: () => this.#run,
      prepare: (message) => this.#runner.steering(message, this.meta),
      delivered: (id) => this.#memory.holds(id),
    });
    this.#activity = new Activity({
      ref,
      memory: this.#memory,
      stateChanged: () => this.#publishState(),
      steeringChanged: () => this.#publishQueue(),
      ended: (run, outcome) => this.#ended(run, outcome),
    });
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
    const busy = this.#run !== null || this.#runner.busy || this.subagents.running.length > 0;
    const inUse = busy || this.channel.subscribers > 0 || this.heldBy !== null;
    return !inUse && this.unsaved === null && !this.#backlog.precious;
  }

  subscribe(lastId: string | null, sink: Sink): Subscription {
    this.lastUsed = Date.now();
    return this.channel.subscribe(lastId, sink);
  }

  get #run(): Run | null {
    return this.#activity.run;
  }
  #stateFrame(): StateFrame {
    const { commands, moved } = this.#runner;
    return stateFrame(this.#run, this.#activity.error, { commands, moved, subagents: this.subagents.running });
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
    const known = () => this.#memory.taskIds.has(id) || this.queue.has(id);
    await this.#once.run(id, known, () => (this.#run ? this.#enqueue(task, queue) : this.#start(task)));
    return { id };
  }

  async #enqueue(task: NewTask, queue: boolean): Promise<void> {
    if (!queue) throw new AppError("task_in_progress");
    const { confirm_import: _, ...message } = task;
    await this.queue.add({ kind: "task", ...message });
  }

  async #start(task: NewTask): Promise<void> {
    const { id, author, user = author } = task;
    const told = this.#backlog.take();
    const started = this.#activity.claim("task", id, textOf(task.parts), async (run) => {
      const gathered = await this.#gather(user, task.confirm_import);
      run.gathered = gathered;
      await this.#memory.prepareHead(gathered);
      const lead = [...(this.unsaved?.lead ?? []), ...reportRecords(told, id)];
      const input = [...lead, ...(await this.#runner.input(task, gathered))];
      const deps = this.#deps(run, gathered, task.thinking_level);
      this.#activity.launch(run, await this.#runner.work(task, this.#memory.engine, input, deps, run.stop.signal));
    });
    await started.catch((error: unknown) => {
      this.#backlog.hold(told);
      return this.#unbegun(error);
    });
  }

  /** What was queued behind it meanwhile would find the same missing, or be answered without it. */
  readonly #unbegun = (error: unknown): never => {
    this.queue.hold(() => true);
    throw error;
  };

  /** Throws `session_unrecoverable`, `import_unconfirmed`, or what a Task lacks. */
  async #gather(user: string | undefined, confirm = false): Promise<Gathered> {
    const { problem, meta, callIds } = this.#memory;
    if (problem) throw new AppError(problem.code, problem.message);
    await requireConfirmed(this.host, this.ref, meta, { confirm, by: user ?? "" });
    return this.#runner.gather(meta, user, callIds);
  }

  #deps(run: Run, gathered: Gathered, chosen?: ThinkingLevel): TaskDeps {
    const thinking = thinkingOf(chosen, this.settings.thinking_level, gathered.config);
    this.#runner.thinking = thinking;
    return {
      ...portsOf(gathered, this.meta, thinking),
      approve: this.approvals.ask,
      inbox: run.inbox,
      retry: run.wait,
    };
  }

  #recorded(message: OmniMessage): void {
    const id = clientIdOf(message);
    if (id) void this.queue.remove(id);
    this.#activity.recorded(message);
  }

  async #ended(run: Run, outcome: RunOutcome): Promise<void> {
    if (outcome.kind === "closed" || this.#closed) return;
    this.#activity.judge(run, outcome);
    if (outcome.kind === "not_saved") this.#memory.noteFailedWrite();
    await this.#memory.endTask();
    const failed = this.#activity.error !== undefined;
    this.#backlog.taskOver(run.inbox.drain(), outcome.kind === "completed", failed);
    this.#activity.release();
    this.lastUsed = Date.now();
    if (outcome.kind === "completed" || outcome.kind === "max_turns") this.titles.afterTask(run, this.records);
    if (this.#backlog.next()) void this.#startNext();
    else this.#publishState();
    // Another key may have been saved while this one was being refused.
    void this.credentialsChanged();
  }

  /** What an earlier process did not come to tell the model, and whether its credential was refused. */
  remember(reports: readonly string[], lock: AuthLock | null): void {
    this.#backlog.remember(reports);
    if (lock) this.#runner.noteCredential(lock.model);
    if (lock) this.#activity.fail(lock.error);
  }

  /** Something in the background ended: the model is told at the next turn boundary, or by a Task of its own. */
  report(text: string): void {
    if (this.#closed) return;
    const report = Reports.of(text);
    if (this.#run?.inbox.push(report)) return;
    this.#backlog.hold([report]);
    void this.#startNext();
  }

  async #startNext(): Promise<void> {
    const next = this.#closed || this.#run ? null : this.#backlog.next();
    if (!next) return;
    try {
      await this.#once.note(next.id, this.#start(next));
    } catch (error) {
      this.#activity.fail(unbegunError(error));
    }
  }

  // ---- while a Task runs ----

  /** Throws `not_running`. */
  steer(message: Steering): Promise<void> {
    return this.#deliveries.steer(message);
  }
  /** Withdraws an undelivered message. Throws `already_delivered` or `not_found`. */
  recall(id: string): Promise<HeldItem> {
    return this.#deliveries.recall(id);
  }

  /** Stops the Task and the subagents. False: nothing runs. */
  abort(by: string | undefined): boolean {
    if (!this.#run && this.subagents.running.length === 0) return false;
    void this.stop({ reason: "aborted by user", ...(by ? { by } : {}) });
    return true;
  }

  /** The same; resolves when it is over. */
  async stop(reason: StopReasonDetail): Promise<void> {
    const run = this.#run;
    run?.stop.abort(reason);
    await Promise.all([run?.done, this.subagents.stopAll(reason)]);
  }

  /** Commands in the background. */
  get processes() {
    return this.#runner.processes;
  }

  /** Skips a wait, or repeats what failed, was refused or had no credential. Throws `nothing_to_retry`. */
  async retry(by: string | undefined): Promise<void> {
    if (this.#run?.wait.skip()) return;
    if (!this.#run && !this.#closed) await this.#memory.refresh();
    if (this.#run || this.#closed || !this.#memory.repeatable(this.#activity.error?.code))
      throw new AppError("nothing_to_retry");
    const again = this.#activity.claim("task", this.#memory.lastTaskId ?? "retry", "", async (run) => {
      const deps = this.#deps(run, await this.#gather(by));
      this.#activity.launch(run, runTask(this.#memory.engine, [], deps, run.stop.signal));
    });
    await again.catch(this.#unbegun);
  }

  /** The Project's models were saved. Who was refused for want of a credential, and has another one now, may go on. */
  async credentialsChanged(): Promise<void> {
    if (this.#run || this.#activity.error?.code !== "auth") return;
    const { provider = "", model_id = "" } = this.meta;
    const model = await this.host.models.resolve(this.ref.project, provider, model_id).catch(() => null);
    if (model && !this.#run && !this.#runner.usedCredential(model)) this.#activity.forgive();
  }

  /**
   * Compaction by hand; its records are streamed like those of a Task. Throws `compacting`, `task_in_progress`,
   * `nothing_to_compact`, `already_compacted`, `compaction_not_configured`, or what keeps the Session from going on.
   */
  async compact(by: string | undefined): Promise<void> {
    this.lastUsed = Date.now();
    if (this.#closed) throw new AppError("shutting_down");
    if (this.#run) throw new AppError(this.#run.compacting ? "compacting" : "task_in_progress");
    await this.#activity
      .claim("compaction", "compaction", "", async (run) => {
        const gathered = await this.#gather(by);
        const { obstacle } = this.#memory;
        if (obstacle) throw new AppError(obstacle);
        const deps = this.#deps(run, gathered);
        const plan = manualCompaction(this.#memory.engine, deps);
        if (!plan) throw new AppError("compaction_not_configured");
        this.#activity.launch(run, compactByHand(this.#memory.engine, plan, deps, run.stop.signal));
      })
      .catch((error: unknown) => {
        // What was sent meanwhile was queued behind it.
        void this.#startNext();
        throw error;
      });
  }

  /** Appends a session_info when something changed. `locked` is refused before this is called. */
  async patch(values: PatchSessionBody, by: string): Promise<void> {
    if (!this.#run) await this.#memory.refresh();
    await this.#memory.patch(values, by);
  }

  // ---- the end ----

  /** For the signal handler, synchronous: closing records, then streams and tools. */
  closeNow(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.titles.stop();
    const run = this.#run;
    this.#memory.closeNow(run, this.approvals.ownCalls(), reason);
    this.subagents.disposeNow();
    this.#runner.disposeNow();
    run?.stop.abort({ reason } satisfies StopReasonDetail);
    this.channel.close();
  }

  /** Drops the Session from memory: ends a running Task and waits for it, at most `ms`; ends its commands and streams. */
  async dispose(reason: StopReasonDetail, ms: number): Promise<void> {
    this.queue.hold(() => true);
    this.titles.stop();
    const run = this.#run;
    run?.stop.abort(reason);
    const over = Promise.all([run?.done, this.subagents.dispose(reason)]);
    await Promise.race([over, new Promise((resolve) => setTimeout(resolve, ms).unref())]);
    this.#closed = true;
    this.subagents.disposeNow();
    await this.#memory.recorder.close();
    await this.#runner.dispose();
    await this.queue.settled();
    this.channel.close();
  }
}
