/** The Sessions in memory: one runtime per Session, loaded once however many ask at the same time. */
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { AppError } from "../../lib/api/errors";
import type { SessionRef } from "../../lib/api/routes";
import type { CreateSessionBody } from "../../lib/api/schemas";
import type { CompleteMessage, SessionMetaPayload } from "../../lib/omni/message";
import { formatSessionId } from "../../lib/trace/name";
import type { AgentRef } from "../paths";
import { TraceWriter } from "../trace/writer";
import { acceptWorkspace, createTemporaryWorkspace } from "../workspace/workspace";
import { DEFAULT_SETTINGS } from "./info";
import { type Loaded, loadSession, refOfAgent, type SessionHost } from "./open";
import { Session } from "./session";
import { type Source, sourceOf } from "./source";

const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;
/** How long a deletion waits for a running Task. */
const DELETE_WAIT_MS = 5_000;

export interface Creator {
  id: string;
}

const keyOf = (ref: SessionRef) => `${ref.project}/${ref.agent}/${ref.session}`;

export class SessionRegistry {
  readonly #live = new Map<string, Session>();
  readonly #loading = new Map<string, Promise<Session | null>>();
  /** POSTs of new Sessions by client_id: the same one gives the same Session. */
  readonly #creating = new Map<string, Promise<Session>>();
  readonly #deleting = new Set<string>();
  #closed = false;

  constructor(readonly host: SessionHost) {
    setInterval(() => void this.#sweep(), SWEEP_MS).unref();
  }

  /** Sessions in memory. */
  live(): Session[] {
    return [...this.#live.values()];
  }
  peek(ref: SessionRef): Session | null {
    return this.#live.get(keyOf(ref)) ?? null;
  }

  /** The Session, loaded if need be. null: there is none. A Trace that cannot be continued throws `session_unrecoverable`. */
  async open(ref: SessionRef): Promise<Session | null> {
    const key = keyOf(ref);
    if (this.#deleting.has(key)) throw new AppError("session_deleting");
    if (this.#closed) throw new AppError("shutting_down");
    const live = this.#live.get(key);
    if (live) return live;
    const loading = this.#loading.get(key) ?? this.#load(ref).finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  async #load(ref: SessionRef): Promise<Session | null> {
    const result = await loadSession(this.host, ref);
    if (!result.ok) {
      if (result.code === "not_found") return null;
      throw new AppError("session_unrecoverable", result.message);
    }
    const session = new Session(ref, this.host, result.loaded, null);
    const delivered = new Set(result.loaded.clientIds);
    await session.queue.load((id) => delivered.has(id));
    this.#live.set(keyOf(ref), session);
    return session;
  }

  /** A new Session, in memory until its first Task. The same client_id again, also after a restart: the same Session. */
  async create(agent: AgentRef, body: CreateSessionBody, by: Creator): Promise<Session> {
    if (this.#closed) throw new AppError("shutting_down");
    const id = body.client_id;
    if (id === undefined) return this.#create(agent, body, by);
    const key = `${agent.project}/${agent.agent}/${by.id}/${id}`;
    const running = this.#creating.get(key);
    if (running) return running;
    const created = this.#existing(agent, id, by).then((known) => known ?? this.#create(agent, body, by));
    this.#creating.set(key, created);
    created.catch(() => this.#creating.delete(key));
    return created;
  }

  async #existing(agent: AgentRef, client_id: string, by: Creator): Promise<Session | null> {
    const same = (meta: SessionMetaPayload | null) => meta?.client_id === client_id && meta.created_by === by.id;
    const facts = (await this.host.store.sessions(agent)).find(({ meta }) => same(meta));
    return facts ? this.open({ ...agent, session: facts.session_id }) : null;
  }

  async #create(agent: AgentRef, body: CreateSessionBody, by: Creator): Promise<Session> {
    const at = new Date();
    const source = await sourceOf(this, agent, body, by.id);
    const model = await this.#chosenModel(agent.project, body);
    const workspace = await this.#workspace(agent, source?.workspace ?? body.workspace);
    const session = formatSessionId(at, randomBytes(4).toString("hex"));
    const meta: SessionMetaPayload = {
      session_id: session,
      ...model,
      workspace,
      ...(body.client_id ? { client_id: body.client_id } : {}),
      created_by: by.id,
      ...(source ? { [source.kind]: source.from } : {}),
    };
    const ref: SessionRef = { ...agent, session };
    const made = new Session(ref, this.host, this.#fresh(ref, meta, at, body, source), {
      created_at: at.toISOString(),
      lead: source ? [source.block] : ([] satisfies CompleteMessage[]),
      prepared: false,
    });
    this.#live.set(keyOf(ref), made);
    return made;
  }

  #fresh(ref: SessionRef, meta: SessionMetaPayload, at: Date, body: CreateSessionBody, source: Source | null): Loaded {
    const none = { cache_read: 0, cache_write: 0, output: 0, total: 0 };
    return {
      meta,
      settings: {
        ...DEFAULT_SETTINGS,
        ...(source?.visibility ? { visibility: source.visibility } : {}),
        ...(body.approval_mode ? { approval_mode: body.approval_mode } : {}),
        ...(body.thinking_level ? { thinking_level: body.thinking_level } : {}),
      },
      records: [],
      writer: TraceWriter.create(this.host.layout, refOfAgent(ref), ref.session, at),
      engine: {
        history: [],
        carry_over: [],
        refused: [],
        pending_summary: null,
        session_tokens: none,
        last_request_total: 0,
        session_turns: 0,
        tool_list: "[]",
      },
      head: [],
      rotateFirst: false,
      clientIds: [],
      callIds: [],
    };
  }

  async #chosenModel(project: string, body: CreateSessionBody): Promise<{ provider: string; model_id: string }> {
    const wanted = body.model ?? (await this.host.models.defaultModel(project));
    if (!wanted) throw new AppError("no_default_model");
    const model = await this.host.models.resolve(project, wanted.provider, wanted.model_id);
    if (!model) throw new AppError("model_not_found");
    return { provider: model.provider, model_id: model.model_id };
  }

  /** A given folder must exist and be allowed; none given: a temporary one is made. Nothing is made on refusal. */
  async #workspace(agent: AgentRef, given: string | undefined): Promise<string> {
    if (given === undefined) return createTemporaryWorkspace(this.host.layout, agent);
    const known = (await this.host.store.sessions(agent)).flatMap(({ meta }) => meta?.workspace ?? []);
    const accepted = await acceptWorkspace(given, {
      layout: this.host.layout,
      ref: agent,
      roots: await this.host.workspaceRoots(agent.project),
      known,
    });
    if (!accepted.ok) throw new AppError(accepted.code);
    return accepted.path;
  }

  /** Removes every Trace file, the scratchpad and the queue; a temporary Workspace goes when no other Session uses it. */
  async remove(ref: SessionRef, by: string): Promise<void> {
    const key = keyOf(ref);
    if (this.#deleting.has(key)) return;
    const session = await this.open(ref).catch((error: unknown) => {
      if (error instanceof AppError && error.code === "session_unrecoverable") return null;
      throw error;
    });
    this.#deleting.add(key);
    try {
      await session?.dispose({ reason: "session deleted", by }, DELETE_WAIT_MS);
      this.#live.delete(key);
      await this.#removeFiles(ref, session?.meta.workspace);
    } finally {
      this.#deleting.delete(key);
    }
  }

  async #removeFiles(ref: SessionRef, workspace: string | undefined): Promise<void> {
    const { layout, store } = this.host;
    const agent = refOfAgent(ref);
    const facts = await store.session(agent, ref.session);
    const folder = workspace ?? facts?.meta?.workspace;
    for (const file of await store.files(agent, ref.session)) {
      await rm(layout.traceFile(agent, file.date, ref.session, file.index), { force: true });
    }
    await rm(layout.queue(agent, ref.session), { force: true });
    await rm(layout.scratchpad(agent, ref.session), { recursive: true, force: true });
    if (!folder?.startsWith(`${layout.workspaces(agent)}/tmp-`)) return;
    const others = [
      ...(await store.sessions(agent)).map(({ meta }) => meta?.workspace),
      ...this.live().map(({ meta }) => meta.workspace),
    ];
    if (!others.includes(folder)) await rm(folder, { recursive: true, force: true });
  }

  async #sweep(now = Date.now()): Promise<void> {
    for (const [key, session] of this.#live) {
      if (!session.evictable || now - session.lastUsed < IDLE_MS) continue;
      this.#live.delete(key);
      await session.dispose({ reason: "idle" }, 0).catch((error: unknown) => {
        console.error(`[session] ${session.ref.session}: could not be put away`, error);
      });
    }
  }

  /** For the signal handler: synchronous, well under a second. Every Trace gets its closing records. */
  closeAll(reason = "server shut down"): void {
    this.#closed = true;
    for (const session of this.#live.values()) session.closeNow(reason);
  }
}
