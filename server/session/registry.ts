/** The Sessions in memory: one runtime per Session, loaded once however many ask at the same time. */
import { randomBytes } from "node:crypto";
import { AppError } from "../../lib/api/errors";
import type { SessionRef } from "../../lib/api/routes";
import type { CreateSessionBody } from "../../lib/api/schemas";
import type { SessionMetaPayload } from "../../lib/omni/message";
import { formatSessionId } from "../../lib/trace/name";
import type { AgentRef } from "../paths";
import { acceptWorkspace, createTemporaryWorkspace } from "../workspace/workspace";
import { authLock } from "./auth-lock";
import { settingsOf } from "./info";
import { isChildOf } from "./lineage";
import { lostReports } from "./lost-reports";
import { loadSession, refOfAgent, type SessionHost } from "./open";
import { removeSession } from "./remove";
import { Session } from "./session";
import { type Source, sourceOf } from "./source";
import { childStart, freshLoaded } from "./spawn";
import type { ChildOrder } from "./subagents";
import type { Unsaved } from "./unsaved";
import { isKnownWorkspace } from "./workspaces";

const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;
/** How long a deletion waits for a running Task. */
const DELETE_WAIT_MS = 5_000;

export interface Creator {
  id: string;
}

/** A switch keeps the source's folder while it exists; undefined: a temporary one. */
function workspaceFor(source: Source | null, { workspace }: CreateSessionBody): string | undefined {
  if (source?.workspace) return source.workspace;
  // Never silently another folder: the person chooses one, or a temporary one by null.
  if (source?.kind === "switched_from" && workspace === undefined) throw new AppError("workspace_missing");
  return workspace ?? undefined;
}

const sameAgent = (a: AgentRef, b: AgentRef) => a.project === b.project && a.agent === b.agent;
const keyOf = (ref: SessionRef) => `${ref.project}/${ref.agent}/${ref.session}`;

export class SessionRegistry {
  readonly #live = new Map<string, Session>();
  readonly #loading = new Map<string, Promise<Session | null>>();
  /** POSTs of new Sessions under way, by client_id. */
  readonly #creating = new Map<string, Promise<Session>>();
  readonly #deleting = new Set<string>();
  readonly #listChanges = new Map<string, number>();
  readonly #watchers = new Set<(ref: SessionRef) => void>();
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

  /** How often titles, archives or who sees what changed in a Project: another number means that lists are old. */
  listChanges(project: string): number {
    return this.#listChanges.get(project) ?? 0;
  }

  /** Calls back whenever what lists show of a Session may have changed. Returns how to stop that. */
  watch(watcher: (ref: SessionRef) => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  #keep(session: Session): void {
    this.#live.set(keyOf(session.ref), session);
    session.channel.watcher = (what) => {
      const { project } = session.ref;
      if (what === "settings") this.#listChanges.set(project, this.listChanges(project) + 1);
      for (const watcher of this.#watchers) watcher(session.ref);
    };
  }

  /** The Session, loaded if need be. null: there is none. Throws `session_deleting` or `shutting_down`. */
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
    const loaded = await loadSession(this.host, ref);
    if (!loaded) return null;
    const session = new Session(ref, this.host, loaded, null, this);
    const delivered = new Set(loaded.clientIds);
    await session.queue.load((id) => delivered.has(id));
    session.remember(await lostReports(this.host, ref, loaded), await authLock(this.host, ref, loaded));
    this.#keep(session);
    return session;
  }

  /** A new Session, in memory until its first Task. The same client_id again, also after a restart: the same Session. */
  async create(agent: AgentRef, body: CreateSessionBody, by: Creator): Promise<Session> {
    if (this.#closed) throw new AppError("shutting_down");
    const id = body.client_id;
    if (id === undefined) return this.#create(agent, body, by);
    const key = `${agent.project}/${agent.agent}/${by.id}/${id}`;
    const running = this.#creating.get(key) ?? this.#createOnce(agent, id, body, by, key);
    this.#creating.set(key, running);
    return running;
  }

  async #createOnce(agent: AgentRef, id: string, body: CreateSessionBody, by: Creator, key: string): Promise<Session> {
    try {
      return (await this.#existing(agent, id, by)) ?? (await this.#create(agent, body, by));
    } finally {
      this.#creating.delete(key);
    }
  }

  async #existing(agent: AgentRef, client_id: string, by: Creator): Promise<Session | null> {
    const same = (meta: SessionMetaPayload | null) => meta?.client_id === client_id && meta.created_by === by.id;
    const live = this.live().find(({ ref, meta }) => sameAgent(ref, agent) && same(meta));
    if (live) return live;
    const facts = (await this.host.store.sessions(agent)).find(({ meta }) => same(meta));
    return facts ? this.open({ ...agent, session: facts.session_id }) : null;
  }

  async #create(agent: AgentRef, body: CreateSessionBody, by: Creator): Promise<Session> {
    const at = new Date();
    const source = await sourceOf(this, agent, body, by.id);
    const model = await this.#chosenModel(agent.project, body);
    const workspace = await this.#workspace(agent, workspaceFor(source, body), by.id);
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
    const defaults = settingsOf(null, await this.host.defaults?.(agent.project));
    const settings = {
      ...defaults,
      ...(source?.visibility ? { visibility: source.visibility } : {}),
      approval_mode: body.approval_mode ?? source?.approval_mode ?? defaults.approval_mode,
      ...(body.thinking_level ? { thinking_level: body.thinking_level } : {}),
    };
    const unsaved: Unsaved = {
      created_at: at.toISOString(),
      lead: source ? [source.block] : [],
      prepared: false,
    };
    const made = new Session(ref, this.host, freshLoaded(this.host, ref, meta, settings, at), unsaved, this);
    this.#keep(made);
    return made;
  }

  async openChild(parent: SessionRef, child: SessionRef): Promise<Session | null> {
    return (await isChildOf(this.host.store, parent, child)) ? this.open(child) : null;
  }

  /** A subagent's Session, in memory until its first Task. Throws AppError. */
  async spawn(parent: Session, order: ChildOrder): Promise<Session> {
    const at = new Date();
    const { ref, loaded } = await childStart(this.host, parent, order, at);
    if (this.#closed || this.#deleting.has(keyOf(parent.ref))) throw new AppError("shutting_down");
    const unsaved = { created_at: at.toISOString(), lead: [], prepared: false };
    const made = new Session(ref, this.host, loaded, unsaved, this);
    this.#keep(made);
    return made;
  }

  async #chosenModel(project: string, body: CreateSessionBody): Promise<{ provider: string; model_id: string }> {
    const wanted = body.model ?? (await this.host.models.defaultModel(project));
    if (!wanted) throw new AppError("no_default_model");
    const model = await this.host.models.resolve(project, wanted.provider, wanted.model_id);
    if (!model) throw new AppError("model_not_found");
    return { provider: model.provider, model_id: model.model_id };
  }

  /** A given folder must exist and be allowed; none given: a temporary one is made. Nothing is made on refusal. */
  async #workspace(agent: AgentRef, given: string | undefined, person: string): Promise<string> {
    if (given === undefined) return createTemporaryWorkspace(this.host.layout, agent);
    const known = (await isKnownWorkspace(this.host, agent.project, given, person)) ? [given] : [];
    const accepted = await acceptWorkspace(given, {
      layout: this.host.layout,
      ref: agent,
      roots: await this.host.workspaceRoots(agent.project),
      known,
    });
    if (!accepted.ok) throw new AppError(accepted.code);
    return accepted.path;
  }

  /** Removes every Trace file, the scratchpad and the queue, also those of its subagents; a temporary Workspace goes when no other Session uses it. */
  async remove(ref: SessionRef, by: string): Promise<void> {
    const key = keyOf(ref);
    if (this.#deleting.has(key)) return;
    const session = await this.open(ref);
    this.#deleting.add(key);
    try {
      const children = await this.#childrenOf(ref);
      await session?.dispose({ reason: "session deleted", by }, DELETE_WAIT_MS);
      this.#live.delete(key);
      for (const child of children) await this.remove(child, by);
      await this.host.budgets?.deleting(ref.project, ref.agent, ref.session, by);
      const others = this.live().map(({ meta }) => meta.workspace);
      await removeSession(this.host, ref, session?.meta.workspace, others);
    } finally {
      this.#deleting.delete(key);
    }
  }

  async #childrenOf(ref: SessionRef): Promise<SessionRef[]> {
    const agent = refOfAgent(ref);
    const stored = (await this.host.store.sessions(agent))
      .filter(({ meta, imported }) => !imported && meta?.parent?.session_id === ref.session)
      .map(({ session_id }) => ({ ...agent, session: session_id }));
    const live = this.live().filter(
      ({ meta }) => meta.parent?.session_id === ref.session && meta.parent.agent === ref.agent,
    );
    const all = [...stored, ...live.filter(({ ref: child }) => child.project === ref.project).map((one) => one.ref)];
    return [...new Map(all.map((child) => [keyOf(child), child])).values()];
  }

  /** Ends and forgets the Sessions of a Project, or of one Agent of it, before their folder goes. */
  async stop(project: string, agent?: string): Promise<void> {
    const affected = this.live().filter(({ ref }) => ref.project === project && (!agent || ref.agent === agent));
    await Promise.all(
      affected.map(async (session) => {
        await session.dispose({ reason: "deleted" }, DELETE_WAIT_MS);
        this.#live.delete(keyOf(session.ref));
      }),
    );
  }

  /** Ends what runs in the private Sessions of somebody who left: nobody else could stop it. On disk nothing goes. */
  async endPrivate(project: string, user: string, by: string): Promise<void> {
    const affected = this.live().filter(
      ({ ref, meta, settings }) =>
        ref.project === project && meta.created_by === user && settings.visibility === "private",
    );
    await Promise.all(
      affected.map(async (session) => {
        await session.dispose({ reason: "its person left", by }, DELETE_WAIT_MS);
        this.#live.delete(keyOf(session.ref));
      }),
    );
  }

  /** The models of a Project were saved: unlocks at once whoever waits for another key. Never rejects. */
  async credentialsChanged(project: string): Promise<void> {
    const affected = this.live().filter(({ ref }) => ref.project === project);
    await Promise.all(affected.map((session) => session.credentialsChanged()));
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
