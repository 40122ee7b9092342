/** The subagents of one Session: starts them, finds them again, keeps their number small, and ends them with it. */
import { AppError } from "../../lib/api/errors";
import type { ApprovalDecided, ApprovalRequest, StateFrame } from "../../lib/api/frames";
import type { SessionRef } from "../../lib/api/routes";
import { writeBackgroundTaskDone } from "../../lib/omni/blocks";
import { event } from "../../lib/omni/build";
import { isEventOf } from "../../lib/omni/guards";
import type { AddressedMessage, ApprovalMode, OmniMessage, ThinkingLevel } from "../../lib/omni/message";
import type { StopReasonDetail } from "../engine/state";
import { inputSubagent } from "../tools/input-subagent";
import { killSubagent } from "../tools/kill-subagent";
import { runSubagent } from "../tools/run-subagent";
import type { Subagent, SubagentEnd, SubagentOrder, Subagents } from "../tools/subagents";
import type { Tool } from "../tools/tool";
import type { Approvals } from "./approvals";
import { Child, type ChildHost, type ChildSession, subagentId } from "./child";
import type { Recorder } from "./drive";
import type { Runner } from "./runner";

/** At most this many at a time; idle ones make room. */
const MAX_CHILDREN = 8;

/** Of one piece of work of a subagent, waits for people included. */
export const CHILD_LIMIT_MS = 4 * 3600 * 1000;

/** What a new child takes from its parent. */
export interface ChildOrder {
  agent: string;
  model?: { provider: string; model_id: string };
  thinking_level: ThinkingLevel | null;
  tool_call_id: string;
}

/** The Session that they belong to. */
export interface Parent {
  readonly ref: SessionRef;
  readonly records: readonly AddressedMessage[];
  readonly approvals: Approvals;
  readonly settings: { approval_mode: ApprovalMode };
  report(text: string): void;
}
export interface ParentParts {
  recorder(): Pick<Recorder, "append" | "stream">;
  runner(): Pick<Runner, "user" | "thinking">;
  /** One of them began or ended to work. */
  changed(): void;
  /** A new Session below it, in memory. Throws AppError. */
  create(order: ChildOrder): Promise<ChildSession>;
  open(ref: SessionRef): Promise<ChildSession | null>;
  limitMs?: number | undefined;
}

export class SessionSubagents implements Subagents, ChildHost {
  readonly limitMs: number;
  /** By id, in the order of their last use. */
  readonly #children = new Map<string, Child>();
  /** One is started after the other, so that pointers stand in the order of their calls. */
  #starting: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly parent: Parent,
    private readonly parts: ParentParts,
  ) {
    this.limitMs = parts.limitMs ?? CHILD_LIMIT_MS;
  }

  tools(): Tool[] {
    return [runSubagent(this), inputSubagent(this), killSubagent(this)];
  }

  /** Those that work, for the state frame. */
  get running(): NonNullable<StateFrame["subagents"]> {
    return [...this.#children.values()].flatMap(({ since, session }) =>
      since === null ? [] : [{ session_id: session.ref.session, since }],
    );
  }

  // ---- for the tools ----

  spawn(order: SubagentOrder, callId: string): Promise<Subagent | string> {
    const made = this.#starting.then(() => this.#spawn(order, callId));
    this.#starting = made.catch(() => {});
    return made;
  }

  async #spawn(order: SubagentOrder, callId: string): Promise<Subagent | string> {
    const { provider, model_id, agent_id, prompt, thinking_level } = order;
    if ((provider === undefined) !== (model_id === undefined)) {
      return "provider and model_id are only valid together: no subagent was started.";
    }
    if (!this.#makeRoom()) {
      return `${MAX_CHILDREN} subagents are running, which is the limit. Wait for one with input_subagent or end one with kill_subagent.`;
    }
    try {
      const session = await this.parts.create({
        agent: agent_id ?? this.parent.ref.agent,
        ...(provider !== undefined && model_id !== undefined ? { model: { provider, model_id } } : {}),
        thinking_level: thinking_level ?? this.parts.runner().thinking,
        tool_call_id: callId,
      });
      const child = new Child(session, this, true);
      this.#children.set(child.id, child);
      const refused = await child.send(prompt);
      if (refused === null) return child;
      await child.kill();
      this.#drop(child);
      return refused;
    } catch (error) {
      if (error instanceof AppError) return `No subagent was started: ${error.message}`;
      throw error;
    }
  }

  #makeRoom(): boolean {
    if (this.#children.size < MAX_CHILDREN) return true;
    const idle = [...this.#children.values()].find((child) => !child.running);
    if (idle) this.#drop(idle);
    return idle !== undefined;
  }

  #drop(child: Child): void {
    child.release();
    this.#children.delete(child.id);
  }

  async find(id: string): Promise<Subagent | null> {
    const known = this.#children.get(id);
    if (known) {
      this.#children.delete(id);
      this.#children.set(id, known);
      return known;
    }
    const ref = this.#pointers().find(({ session }) => subagentId(session) === id);
    const session = ref ? await this.parts.open(ref).catch(() => null) : null;
    if (!session || !this.#makeRoom()) return null;
    const child = this.#children.get(id) ?? new Child(session, this, false);
    this.#children.set(id, child);
    return child;
  }

  known(): string[] {
    return [...new Set([...this.#children.keys(), ...this.#pointers().map(({ session }) => subagentId(session))])];
  }

  #pointers(): SessionRef[] {
    const { project, agent } = this.parent.ref;
    return this.parent.records.flatMap(({ message }) =>
      isEventOf(message, "subagent")
        ? [{ project, agent: message.payload.agent ?? agent, session: message.payload.session_id }]
        : [],
    );
  }

  // ---- for the children ----

  mode(): ApprovalMode {
    return this.parent.settings.approval_mode;
  }
  user(): string | undefined {
    return this.parts.runner().user;
  }
  started({ session: { ref } }: Child): Promise<void> {
    return this.parts.recorder().append([event({ type: "subagent", session_id: ref.session, agent: ref.agent })]);
  }
  forward(message: OmniMessage): void {
    this.parts.recorder().stream(message);
  }
  asks(request: ApprovalRequest, decide: Approvals["decide"]): void {
    this.parent.approvals.adopt(request, decide);
  }
  decided(decided: ApprovalDecided): void {
    this.parent.approvals.release(decided);
  }
  changed(): void {
    this.parts.changed();
  }
  gone(child: Child): void {
    this.#drop(child);
  }
  report({ id }: Child, { status, detail }: SubagentEnd, tail: string): void {
    const done = { kind: "subagent", id, status, ...(detail ? { detail: detail.replace(/\s+/g, " ") } : {}) };
    this.parent.report(writeBackgroundTaskDone(done, tail));
  }

  // ---- the end ----

  /** The parent was stopped: so are they. */
  async stopAll(reason: StopReasonDetail): Promise<void> {
    await Promise.all([...this.#children.values()].map((child) => child.stop(reason)));
  }

  /** Ends them and lets go of them. */
  async dispose(reason: StopReasonDetail): Promise<void> {
    await this.#starting;
    await this.stopAll(reason);
    this.disposeNow();
  }
  disposeNow(): void {
    for (const child of [...this.#children.values()]) this.#drop(child);
  }
}
