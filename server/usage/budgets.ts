/**
 * Budgets of a Project. What was spent is computed from the Traces and the deletion lines of the audit file each time,
 * so that no cache and no restart changes it. A hard budget is asked before each model call; what is on its way is
 * reserved, so that Sessions that start at the same moment see each other.
 */
import type { Budget, BudgetsView, BudgetView } from "../../lib/api/usage";
import type { PriceStamp } from "../../lib/omni/message";
import type { Agents } from "../agent/agent";
import type { Projects } from "../project/projects";
import type { Users } from "../users/users";
import { type BudgetConfig, budgetKey, periodAt } from "./budget-config";
import { type Call, modelKey, type SessionCalls, type UsageCalls } from "./calls";
import { type Deletions, deletionLines } from "./deletions";
import type { Prices } from "./figures";
import { type PricedModels, pricesOf } from "./reading";
import { type SpendingPrices, spentOf, stateOf, totalOf } from "./spending";

export interface BudgetParts {
  config: BudgetConfig;
  calls: UsageCalls;
  deletions: Deletions;
  agents: Pick<Agents, "list">;
  models: PricedModels;
  members: Pick<Projects["members"], "list">;
  users: Pick<Users, "get" | "admins">;
}

/** Who calls which model, and where the call will be recorded. */
export interface Spender {
  project: string;
  agent: string;
  session: string;
  /** Who started the Task. */
  user: string | undefined;
  model: { provider: string; model_id: string; pricing?: PriceStamp };
  /** A call beside the Tasks: it has no `request_begin`. */
  aside: boolean;
}

interface Reservation {
  spender: Spender;
  usd: number;
  /** The Request it is for; null: it has none. */
  place: { file_index: number; begin_line: number } | null;
  /** When the call was over; null: it runs. ms */
  ended: number | null;
}

/** A Request whose records could not be written is not waited for longer. ms */
const LOST_MS = 10_000;

export type Verdict = { ok: true; done(): void } | { ok: false; message: string };

export class Budgets {
  readonly #reserved = new Map<string, Set<Reservation>>();

  constructor(
    private readonly parts: BudgetParts,
    private readonly now: () => number = Date.now,
  ) {}

  async view(project: string, asked: { user: string; provider?: string; model_id?: string }): Promise<BudgetsView> {
    const budgets = await this.parts.config.list(project);
    const [{ sessions, deleted, prices }, ask] = await Promise.all([this.#ledger(project), this.#owners(project)]);
    const views = budgets.map(async (budget): Promise<BudgetView> => {
      const period = periodAt(budget, this.now());
      const spent = spentOf(budget, period, { sessions, deleted, prices });
      const usd = totalOf(spent);
      return {
        ...budget,
        key: budgetKey(budget),
        label: await this.#label(budget),
        from: new Date(period.from).toISOString(),
        to: new Date(period.to).toISOString(),
        spent: { usd, ...spent },
        ...stateOf(usd, budget.limit_usd),
        applies: appliesTo(budget, asked.user, asked.provider && modelKey(asked.provider, asked.model_id)),
      };
    });
    return { budgets: await Promise.all(views), ask };
  }

  /** Throws `bad_request`. */
  put(project: string, budgets: readonly Budget[]): Promise<void> {
    return this.parts.config.put(project, budgets);
  }

  /**
   * May this call be made? `tokens`: about how many it sends. A yes reserves what it will cost at least; `done` is told
   * when the call is over.
   */
  async check(spender: Spender, tokens: () => number): Promise<Verdict> {
    const { project, user, model } = spender;
    const key = modelKey(model.provider, model.model_id);
    const all = await this.parts.config.list(project);
    const hard = all.filter((budget) => budget.kind === "hard" && appliesTo(budget, user, key));
    if (hard.length === 0) return { ok: true, done: () => {} };
    const price = model.pricing;
    if (!price)
      return { ok: false, message: await this.#refusal(project, `No price is known for ${model.model_id}`, "") };
    const { sessions, deleted, prices } = await this.#ledger(project);
    // From here to the reservation nothing is waited for: whoever asks next sees it.
    const under = this.#running(project, sessions);
    for (const budget of hard) {
      const period = periodAt(budget, this.now());
      const ahead = under.filter((one) => counted(one, budget)).reduce((sum, { usd }) => sum + usd, 0);
      const spent = totalOf(spentOf(budget, period, { sessions, deleted, prices })) + ahead;
      if (spent < budget.limit_usd) continue;
      const used = `The ${nameOf(budget)} is used up: ${dollars(spent)} of ${dollars(budget.limit_usd)}`;
      return { ok: false, message: await this.#refusal(project, used, resets(budget, period.to)) };
    }
    const least = Math.min(price.cache_read, price.cache_write);
    const reservation: Reservation = {
      spender,
      usd: (tokens() * least) / 1e6,
      place: spender.aside ? null : openRequest(spender, sessions),
      ended: null,
    };
    under.push(reservation);
    this.#keep(project, reservation);
    return { ok: true, done: () => this.#done(project, reservation) };
  }

  /** Writes what a Session had cost into the audit file, before its files go. */
  async deleting(project: string, agent: string, session: string | undefined, by: string): Promise<void> {
    const { sessions, prices } = await this.#ledger(project);
    const affected = sessions.filter((one) => one.agent === agent && (!session || one.session_id === session));
    const lines = affected.flatMap((one) => deletionLines(one, prices));
    await this.parts.deletions.write(project, by, lines);
  }

  /** Traces first: a file that goes in between is in its deletion lines, or still in the Traces, and never in neither. */
  async #ledger(project: string) {
    const agents = (await this.parts.agents.list(project)).map(({ id }) => id);
    const [{ models }, sessions] = await Promise.all([
      this.parts.models.view(project),
      this.parts.calls.of(project, agents),
    ]);
    const deleted = await this.parts.deletions.list(project);
    return { sessions, deleted, prices: this.#prices(project, pricesOf(models)) };
  }

  #prices(project: string, today: Prices): SpendingPrices {
    const places = new Set([...(this.#reserved.get(project) ?? [])].map(placeKey));
    return {
      today,
      reserved: ({ session, file_index, request }: Call) =>
        places.has(`${session.key}:${file_index}:${request.begin_line}`),
    };
  }

  // ---- what is on its way ----

  #keep(project: string, reservation: Reservation): void {
    const all = this.#reserved.get(project) ?? new Set();
    this.#reserved.set(project, all.add(reservation));
  }

  #done(project: string, reservation: Reservation): void {
    reservation.ended = this.now();
    // A call beside the Tasks is recorded right away, or not at all.
    if (!reservation.place) this.#reserved.get(project)?.delete(reservation);
  }

  /** Those that the Traces do not tell yet. */
  #running(project: string, sessions: readonly SessionCalls[]): Reservation[] {
    const all = this.#reserved.get(project) ?? new Set();
    const byKey = new Map(sessions.map((session) => [session.key, session]));
    for (const one of all) {
      const { spender, place, ended } = one;
      const lost = ended !== null && this.now() - ended > LOST_MS;
      if (lost || (place && isTold(byKey.get(keyOf(spender)), place))) all.delete(one);
    }
    return [...all];
  }

  // ---- words ----

  async #owners(project: string): Promise<BudgetsView["ask"]> {
    const members = await this.parts.members.list(project);
    const ids = members
      ? members.filter(({ role }) => role === "owner").map(({ user }) => user)
      : await this.parts.users.admins();
    return Promise.all(
      ids.map(async (user) => ({ user, name: (await this.parts.users.get(user).catch(() => null))?.name ?? user })),
    );
  }

  async #label({ scope }: Budget): Promise<string | null> {
    if (scope.kind === "member") return (await this.parts.users.get(scope.user).catch(() => null))?.name ?? scope.user;
    return scope.kind === "model" ? scope.model_id : null;
  }

  async #refusal(project: string, what: string, until: string): Promise<string> {
    const names = (await this.#owners(project)).map(({ name }) => name);
    const ask = names.length > 0 ? ` Ask ${names.join(" or ")}, who can change it.` : "";
    const because = until === "" ? ", and a hard budget is set: what it costs could not be counted." : `.${until}`;
    return `${what}${because}${ask}`;
  }
}

function appliesTo({ scope }: Budget, user: string | undefined, model: string | undefined): boolean {
  if (scope.kind === "member") return scope.user === user;
  return scope.kind === "project" || modelKey(scope.provider, scope.model_id) === model;
}

const counted = ({ spender }: Reservation, budget: Budget) =>
  appliesTo(budget, spender.user, modelKey(spender.model.provider, spender.model.model_id));

const keyOf = ({ agent, session }: Spender) => `${agent}/${session}`;
const placeKey = ({ spender, place }: Reservation) =>
  place ? `${keyOf(spender)}:${place.file_index}:${place.begin_line}` : "";

/** The Request that was begun last: its `request_begin` is written before its call goes out. */
function openRequest(spender: Spender, sessions: readonly SessionCalls[]): Reservation["place"] {
  const last = sessions
    .find(({ key }) => key === keyOf(spender))
    ?.all.findLast(({ request }) => request.begin_line !== null);
  const begin_line = last?.request.begin_line;
  return last && begin_line && last.request.status === "open" ? { file_index: last.file_index, begin_line } : null;
}

/** Its Session is gone, or it is on record how the Request ended. */
function isTold(
  session: SessionCalls | undefined,
  { file_index, begin_line }: NonNullable<Reservation["place"]>,
): boolean {
  const call = session?.all.find((one) => one.file_index === file_index && one.request.begin_line === begin_line);
  return call === undefined || call.request.status !== "open";
}

function nameOf({ scope, period }: Budget): string {
  const of = { project: "of this Project", member: "of this person", model: "of this model" }[scope.kind];
  return `budget ${of} for ${period === "day" ? "today" : "this month"}`;
}
const dollars = (usd: number) => `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
const resets = ({ tz }: Budget, to: number) =>
  ` It begins anew on ${new Date(to).toISOString().slice(0, 16).replace("T", " ")} UTC (${tz}).`;
