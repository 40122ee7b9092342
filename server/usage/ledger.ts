/**
 * What was spent in a Project, at once. The sum over all Sessions is kept and made anew only of what changed; Sessions
 * with calls on their way are counted as they are. So a call costs as much as the Sessions at work, not as all there are.
 */
import type { Budget } from "../../lib/api/usage";
import { budgetKey } from "./budget-config";
import type { FewSessions } from "./calls";
import type { DeletedLines } from "./deletions";
import type { Prices } from "./figures";
import type { Call, SessionCalls } from "./session-calls";
import { NOTHING, type Period, plus, type Spent, spentBy, spentOfDeleted } from "./spending";

interface Kept {
  /** Begin of the period, and the prices. */
  from: number;
  prices: Prices;
  spent: Spent;
}

/** What each Session spent, for each budget: as long as its calls, the prices and the period are the same. */
export class Amounts {
  readonly #kept = new WeakMap<readonly Call[], Map<string, Kept>>();

  of(ran: readonly Call[], budget: Budget, period: Period, prices: Prices): Spent {
    const byBudget = this.#kept.get(ran) ?? new Map<string, Kept>();
    this.#kept.set(ran, byBudget);
    const key = keyOf(budget);
    const known = byBudget.get(key);
    if (known?.from === period.from && known.prices === prices) return known.spent;
    const spent = spentBy(ran, budget, period, { today: prices });
    byBudget.set(key, { from: period.from, prices, spent });
    return spent;
  }
}

/** All Sessions as one look found them. */
export class Look {
  readonly #byKey: ReadonlyMap<string, SessionCalls>;
  readonly #sums = new Map<string, Kept & { deleted: DeletedLines }>();

  constructor(
    readonly sessions: readonly SessionCalls[],
    private readonly amounts: Amounts,
  ) {
    this.#byKey = new Map(sessions.map((session) => [session.key, session]));
  }

  session(key: string): SessionCalls | undefined {
    return this.#byKey.get(key);
  }

  /** All of it, without regard to what is on its way. */
  sum(budget: Budget, period: Period, prices: Prices, deleted: DeletedLines): Spent {
    const key = keyOf(budget);
    const known = this.#sums.get(key);
    if (known?.from === period.from && known.prices === prices && known.deleted === deleted) return known.spent;
    let spent = NOTHING;
    for (const { ran } of this.sessions) spent = plus(spent, this.amounts.of(ran, budget, period, prices));
    for (const [session, lines] of deleted) {
      spent = plus(spent, spentOfDeleted(lines, this.#byKey.get(session), budget, period));
    }
    this.#sums.set(key, { from: period.from, prices, deleted, spent });
    return spent;
  }

  /** The part of that sum which one Session is. */
  part(session: string, budget: Budget, period: Period, prices: Prices, deleted: DeletedLines): Spent {
    const here = this.#byKey.get(session);
    const ran = here ? this.amounts.of(here.ran, budget, period, prices) : NOTHING;
    return plus(ran, spentOfDeleted(deleted.get(session) ?? [], here, budget, period));
  }
}

export class Ledger {
  constructor(
    private readonly look: Look,
    private readonly deleted: DeletedLines,
    readonly prices: Prices,
    /** Newer than the look: Sessions with calls on their way. */
    private readonly few: FewSessions,
  ) {}

  /** All of them, as the look found them. */
  get sessions(): readonly SessionCalls[] {
    return this.look.sessions;
  }

  session(key: string): SessionCalls | undefined {
    const newer = this.few.get(key);
    return newer === undefined ? this.look.session(key) : (newer ?? undefined);
  }

  /** `reserved`: calls on their way, which are not estimated. They are in the few. */
  spent(budget: Budget, period: Period, reserved: (call: Call) => boolean): Spent {
    const { look, deleted, prices } = this;
    let spent = look.sum(budget, period, prices, deleted);
    for (const [key, session] of this.few) {
      spent = plus(spent, look.part(key, budget, period, prices, deleted), -1);
      if (session) spent = plus(spent, spentBy(session.ran, budget, period, { today: prices, reserved }));
      spent = plus(spent, spentOfDeleted(deleted.get(key) ?? [], session ?? undefined, budget, period));
    }
    return spent;
  }
}

const keyOf = (budget: Budget) => `${budgetKey(budget)} ${budget.tz}`;
