/** The ledgers of all Projects: how new they are, and when all Sessions are looked at again. */
import type { Agents } from "../agent/agent";
import type { FewSessions, UsageCalls } from "./calls";
import type { Deletions } from "./deletions";
import type { Prices } from "./figures";
import { Amounts, Ledger, Look } from "./ledger";
import { type PricedModels, pricesOf } from "./reading";
import { keyOf, type SessionCalls, type SessionPlace } from "./session-calls";

export interface LedgerParts {
  calls: Pick<UsageCalls, "of" | "few">;
  deletions: Pick<Deletions, "list">;
  agents: Pick<Agents, "list">;
  models: PricedModels;
}

/** What other programs write into the tree counts after this time at the latest. ms */
export const FRESH_MS = 5_000;
/** A look this old is made again while nobody waits for it. ms */
const AHEAD_MS = 2_000;

export class Ledgers {
  readonly #looks = new Map<string, { at: number; look: Look }>();
  readonly #prices = new Map<string, { text: string; prices: Prices }>();
  readonly #ahead = new Set<string>();
  readonly #amounts = new Amounts();

  constructor(
    private readonly parts: LedgerParts,
    private readonly now: () => number,
  ) {}

  /** All Sessions as they are now; these are looked at call by call. */
  async whole(project: string, places: readonly SessionPlace[] = []): Promise<Ledger> {
    const { look } = await this.#all(project);
    const few = new Map<string, SessionCalls | null>();
    for (const place of places) {
      const key = keyOf(place);
      few.set(key, look.session(key) ?? null);
    }
    return this.#ledger(project, look, few);
  }

  /** These Sessions as they are now, all others as they were at most `FRESH_MS` ago. */
  async lately(project: string, places: readonly SessionPlace[]): Promise<Ledger> {
    const known = this.#looks.get(project);
    if (!known || this.#age(known) >= FRESH_MS) return this.whole(project, places);
    this.lookAhead(project);
    const few = await this.parts.calls.few(project, places);
    return few ? this.#ledger(project, known.look, few) : this.whole(project, places);
  }

  /** Where somebody asked before and will ask again: nobody has to wait for the next look then. */
  lookAhead(project: string): void {
    const known = this.#looks.get(project);
    if (!known || this.#age(known) < AHEAD_MS || this.#ahead.has(project)) return;
    this.#ahead.add(project);
    this.#all(project)
      // Whoever needs it looks again, and is told then.
      .catch(() => {})
      .finally(() => this.#ahead.delete(project));
  }

  #age({ at }: { at: number }): number {
    // A clock that was set back makes nothing new.
    const age = this.now() - at;
    return age < 0 ? Number.POSITIVE_INFINITY : age;
  }

  async #all(project: string): Promise<{ at: number; look: Look }> {
    const at = this.now();
    const agents = (await this.parts.agents.list(project)).map(({ id }) => id);
    const sessions = await this.parts.calls.of(project, agents);
    const before = this.#looks.get(project);
    // Another one, begun later, was done first.
    if (before && before.at > at && before.at <= this.now()) return before;
    const look = before?.look.sessions === sessions ? before.look : new Look(sessions, this.#amounts);
    const made = { at, look };
    this.#looks.set(project, made);
    return made;
  }

  /** Traces first: a file that goes in between is in its deletion lines, or still in the Traces, and never in neither. */
  async #ledger(project: string, look: Look, few: FewSessions): Promise<Ledger> {
    const [{ models }, deleted] = await Promise.all([
      this.parts.models.view(project),
      this.parts.deletions.list(project),
    ]);
    return new Ledger(look, deleted, this.#pricesOf(project, pricesOf(models)), few);
  }

  /** The same as before while they are equal. */
  #pricesOf(project: string, prices: Prices): Prices {
    const text = JSON.stringify([...prices]);
    const known = this.#prices.get(project);
    if (known?.text === text) return known.prices;
    this.#prices.set(project, { text, prices });
    return prices;
  }
}
