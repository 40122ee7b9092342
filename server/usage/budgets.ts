/**
 * Budgets of a Project. What was spent is computed from the Traces and the deletion lines of the audit file each time,
 * so that no cache and no restart changes it. A hard budget is asked before each model call; what is on its way is
 * reserved, so that Sessions that start at the same moment see each other.
 */
import { AppError } from "../../lib/api/errors";
import type { Budget, BudgetsView, BudgetView } from "../../lib/api/usage";
import { modelKey } from "../../lib/api/usage-values";
import type { Agents } from "../agent/agent";
import type { Projects } from "../project/projects";
import type { Users } from "../users/users";
import { type BudgetConfig, budgetKey, periodAt, scopeKey } from "./budget-config";
import type { UsageCalls } from "./calls";
import { type Deletions, deletionLines } from "./deletions";
import { Ledgers } from "./ledgers";
import type { PricedModels } from "./reading";
import { type Reservation, Reservations, type Spender } from "./reservations";
import { counter, stateOf, totalOf } from "./spending";

export interface BudgetParts {
  config: BudgetConfig;
  calls: UsageCalls;
  deletions: Deletions;
  agents: Pick<Agents, "list">;
  models: PricedModels;
  members: Pick<Projects["members"], "list">;
  users: Pick<Users, "get" | "admins">;
}

export type Verdict = { ok: true; done(): void } | { ok: false; message: string };

export class Budgets {
  readonly #ledgers: Ledgers;
  readonly #reservations: Reservations;

  constructor(
    private readonly parts: BudgetParts,
    private readonly now: () => number = Date.now,
  ) {
    this.#ledgers = new Ledgers(parts, now);
    this.#reservations = new Reservations(now);
  }

  async view(project: string, asked: { user: string; provider?: string; model_id?: string }): Promise<BudgetsView> {
    const budgets = await this.parts.config.list(project);
    const [ledger, ask] = await Promise.all([
      this.#ledgers.whole(project, this.#reservations.atWork(project)),
      this.#owners(project),
    ]);
    const reserved = this.#reservations.reserved(project);
    const views = budgets.map(async (budget): Promise<BudgetView> => {
      const period = periodAt(budget, this.now());
      const spent = ledger.spent(budget, period, reserved);
      const usd = totalOf(spent);
      return {
        ...budget,
        key: budgetKey(budget),
        label: await this.#label(budget),
        from: new Date(period.from).toISOString(),
        to: new Date(period.to).toISOString(),
        spent: { usd, ...spent },
        ...stateOf(usd, budget.limit_usd),
        applies: counter(budget)(asked.user, asked.provider && modelKey(asked.provider, asked.model_id)),
      };
    });
    return { budgets: await Promise.all(views), ask };
  }

  /** Throws `bad_request`: two for the same, or a new one for a person or a model that the Project does not have. */
  async put(project: string, budgets: readonly Budget[]): Promise<void> {
    const known = new Set((await this.parts.config.list(project)).map(scopeKey));
    // Who left, or what is not offered any more, keeps the budget it has.
    const fresh = budgets.filter((budget) => !known.has(scopeKey(budget)));
    await Promise.all(fresh.map(({ scope }) => this.#requireScope(project, scope)));
    await this.parts.config.put(project, budgets);
  }

  async #requireScope(project: string, scope: Budget["scope"]): Promise<void> {
    if (scope.kind === "member") {
      const members = (await this.parts.members.list(project))?.map(({ user }) => user);
      const belongs = (members ?? (await this.parts.users.admins())).includes(scope.user);
      if (belongs && (await this.parts.users.get(scope.user).catch(() => null))) return;
      const message = `Nobody with the id "${scope.user}" belongs to this Project. Choose one of its members, or add the person first.`;
      throw new AppError("bad_request", message);
    }
    if (scope.kind === "project") return;
    const { models } = await this.parts.models.view(project);
    const { provider, model_id } = scope;
    if (models.some((model) => model.provider === provider && model.model_id === model_id)) return;
    const message = `This Project has no model "${model_id}" of provider "${provider}". Choose one of its models, or add it first.`;
    throw new AppError("bad_request", message);
  }

  /**
   * May this call be made? `tokens`: about how many it sends. A yes reserves what it will cost at least; `done` is told
   * when the call is over.
   */
  async check(spender: Spender, tokens: () => number): Promise<Verdict> {
    const { project, user, model } = spender;
    const key = modelKey(model.provider, model.model_id);
    const all = await this.parts.config.list(project);
    const hard = all.filter((budget) => budget.kind === "hard" && counter(budget)(user, key));
    if (hard.length === 0) return this.#yes(this.#reservations.add(spender, null));
    const price = model.pricing;
    if (!price)
      return { ok: false, message: await this.#refusal(project, `No price is known for ${model.model_id}`, "") };
    const ledger = await this.#ledgers.lately(project, this.#reservations.atWork(project, spender));
    // From here to the reservation nothing is waited for: whoever asks next sees it.
    const under = this.#reservations.untold(project, ledger);
    const reserved = this.#reservations.reserved(project);
    for (const budget of hard) {
      const period = periodAt(budget, this.now());
      const ahead = under.filter((one) => counted(one, budget)).reduce((sum, { usd }) => sum + usd, 0);
      const spent = totalOf(ledger.spent(budget, period, reserved)) + ahead;
      if (stateOf(spent, budget.limit_usd).state !== "used_up") continue;
      const used = `The ${nameOf(budget)} is used up: ${dollars(spent)} of ${dollars(budget.limit_usd)}`;
      return { ok: false, message: await this.#refusal(project, used, resets(budget, period.to)) };
    }
    const least = Math.min(price.cache_read, price.cache_write);
    return this.#yes(this.#reservations.add(spender, (tokens() * least) / 1e6, ledger));
  }

  #yes(reservation: Reservation): Verdict {
    const done = () => {
      this.#reservations.over(reservation);
      this.#ledgers.lookAhead(reservation.spender.project);
    };
    return { ok: true, done };
  }

  /** Writes what a Session had cost into the audit file, before its files go. */
  async deleting(project: string, agent: string, session: string | undefined, by: string): Promise<void> {
    const { sessions, prices } = await this.#ledgers.whole(project);
    const affected = sessions.filter((one) => one.agent === agent && (!session || one.session_id === session));
    const lines = affected.flatMap((one) => deletionLines(one, { today: prices }));
    await this.parts.deletions.write(project, by, lines);
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

const counted = ({ spender }: Reservation, budget: Budget) =>
  counter(budget)(spender.user, modelKey(spender.model.provider, spender.model.model_id));

function nameOf({ scope, period }: Budget): string {
  const of = { project: "of this Project", member: "of this person", model: "of this model" }[scope.kind];
  return `budget ${of} for ${period === "day" ? "today" : "this month"}`;
}
const dollars = (usd: number) => `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
const resets = ({ tz }: Budget, to: number) =>
  ` It begins anew on ${new Date(to).toISOString().slice(0, 16).replace("T", " ")} UTC (${tz}).`;
