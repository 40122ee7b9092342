/** What one question of usage is asked of: the calls of a Project, today's prices, names, and what the asker may see. */
import { createHmac } from "node:crypto";
import type { ModelView } from "../../lib/api/schemas";
import { modelKey, NOBODY, splitModel } from "../../lib/api/usage-values";
import type { Agents } from "../agent/agent";
import { Pace } from "../trace/scan";
import type { TraceStore } from "../trace/store";
import { isVisible } from "../trace/visible";
import type { Users } from "../users/users";
import type { UsageCalls } from "./calls";
import { type Priced, type Prices, priced } from "./figures";
import type { Span } from "./range";
import { type Call, keyOf, type SessionCalls } from "./session-calls";

type PricedModel = Pick<ModelView, "provider" | "model_id" | "display_name" | "pricing">;
/** The models of a Project with today's prices. */
export interface PricedModels {
  view(project: string): Promise<{ models: readonly PricedModel[] }>;
}

export interface UsageParts {
  calls: UsageCalls;
  traces: TraceStore;
  agents: Pick<Agents, "list">;
  models: PricedModels;
  users: Pick<Users, "get">;
  /** The server's: names of private Sessions are covered with it, so that nobody finds out by trying which one it is. */
  secret: string;
}

/** Today's prices; models without one are left out. */
export function pricesOf(models: readonly PricedModel[]): Prices {
  return new Map(
    models.flatMap(({ provider, model_id, pricing }) =>
      pricing ? [[modelKey(provider, model_id), pricing] as const] : [],
    ),
  );
}

const FROM_FILE = "file:";

export class Reading {
  readonly #names = new Map<string, string | null>();
  readonly #titles = new Map<string, Promise<string | null>>();
  readonly #covers = new Map<string, string>();
  readonly #byKey: ReadonlyMap<string, SessionCalls>;
  /** Those that the viewer may see; of private Sessions of others the sums only. */
  readonly #seen = new Set<string>();

  private constructor(
    readonly project: string,
    readonly sessions: readonly SessionCalls[],
    readonly prices: Prices,
    readonly models: ReadonlyMap<string, { provider: string; model_id: string; display_name: string | null }>,
    readonly agents: ReadonlyMap<string, string | null>,
    private readonly viewer: string,
    private readonly parts: Pick<UsageParts, "users" | "traces" | "secret">,
  ) {
    this.#byKey = new Map(sessions.map((session) => [session.key, session]));
  }

  /** `about`: only of this Session and those of its root it is asked who may see them; all others count as hidden. */
  static async of(parts: UsageParts, project: string, viewer: string, about?: string): Promise<Reading> {
    const agents = await parts.agents.list(project);
    const ids = agents.map(({ id }) => id);
    const [sessions, { models }] = await Promise.all([parts.calls.of(project, ids), parts.models.view(project)]);
    const byKey = models.map((model) => [modelKey(model.provider, model.model_id), model] as const);
    const reading = new Reading(
      project,
      sessions,
      pricesOf(models),
      new Map(
        byKey.map(([key, { provider, model_id, display_name }]) => [
          key,
          { provider, model_id, display_name: display_name ?? null },
        ]),
      ),
      new Map(agents.map(({ id, name }) => [id, name ?? null])),
      viewer,
      parts,
    );
    await reading.#look(about);
    return reading;
  }

  async #look(about?: string): Promise<void> {
    const root = about === undefined ? undefined : this.#byKey.get(about)?.root;
    const pace = new Pace();
    const source = {
      session: async ({ agent }: { agent: string }, id: string) =>
        this.#byKey.get(keyOf({ agent, session: id }))?.facts ?? null,
      privateByDefault: this.parts.traces.privateByDefault,
    };
    for (const session of this.sessions) {
      const { key, agent, facts } = session;
      if (about !== undefined && session.root !== root) continue;
      if (await isVisible(source, { project: this.project, agent }, facts, this.viewer)) this.#seen.add(key);
      if (pace.due) await pace.rest();
    }
  }

  priced(call: Call): Priced {
    return priced(call.request, this.prices.get(call.model));
  }

  hidden(session: string): boolean {
    return !this.#seen.has(session);
  }
  imported(session: string): boolean {
    return this.#byKey.get(session)?.imported ?? false;
  }
  /** Read only for what is shown. */
  title(session: string): Promise<string | null> {
    const known = this.#titles.get(session) ?? this.#title(this.#byKey.get(session));
    this.#titles.set(session, known);
    return known;
  }
  async #title(session: SessionCalls | undefined): Promise<string | null> {
    if (!session) return null;
    const { agent, session_id, files } = session;
    const facts = await this.parts.traces.described({ project: this.project, agent }, session_id, files);
    return facts?.info?.title ?? facts?.title_fallback ?? null;
  }

  /** The name of a Session in answers and filters; it does not tell which Session of somebody else it is. */
  sessionKey(session: string): string {
    if (!this.hidden(session)) return session;
    const known = this.#covers.get(session);
    if (known !== undefined) return known;
    const hmac = createHmac("sha256", this.parts.secret).update(`usage: ${this.project}/${session}`);
    const cover = `private-${hmac.digest("hex").slice(0, 16)}`;
    this.#covers.set(session, cover);
    return cover;
  }

  /** Provider and id of a model that may be in no table any more. */
  modelOf(key: string): { provider: string; model_id: string; display_name: string | null } {
    const [provider, model_id] = splitModel(key);
    return this.models.get(key) ?? { provider, model_id, display_name: null };
  }

  async person(key: string): Promise<{ user: string | null; name: string | null; from_file: boolean }> {
    if (key === NOBODY) return { user: null, name: null, from_file: false };
    if (key.startsWith(FROM_FILE)) {
      const user = key.slice(FROM_FILE.length);
      return { user, name: user, from_file: true };
    }
    const known = this.#names.get(key);
    if (known !== undefined) return { user: key, name: known, from_file: false };
    // What a Trace says is no user id until it was looked at.
    const name = (await this.parts.users.get(key).catch(() => null))?.name ?? null;
    this.#names.set(key, name);
    return { user: key, name, from_file: false };
  }

  /** When the first and the last call were. ms since 1970; null: there is none. */
  get span(): Span | null {
    let span: Span | null = null;
    for (const { calls } of this.sessions) {
      for (const { at } of calls) {
        span ??= { first: at, last: at };
        if (at < span.first) span.first = at;
        if (at > span.last) span.last = at;
      }
    }
    return span;
  }

  /** Gives away those that the filters leave, Session by Session. */
  async each(filter: Filter, take: (call: Call) => void): Promise<void> {
    const pace = new Pace();
    for (const session of this.sessions) {
      if (filter.agent !== undefined && session.agent !== filter.agent) continue;
      if (filter.session !== undefined && this.sessionKey(session.root) !== filter.session) continue;
      for (const [i, call] of session.calls.entries()) {
        if (filter.model !== undefined && call.model !== filter.model) continue;
        if (filter.user !== undefined && call.user !== filter.user) continue;
        take(call);
        if (i % 256 === 255 && pace.due) await pace.rest();
      }
      if (pace.due) await pace.rest();
    }
  }
}

export interface Filter {
  model?: string;
  agent?: string;
  user?: string;
  session?: string;
}
