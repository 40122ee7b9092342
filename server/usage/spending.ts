/** What was spent in a period, for budgets: calls that ran here, the estimated input of stopped ones, deleted Sessions. */
import type { Budget, BudgetView } from "../../lib/api/usage";
import type { PriceStamp } from "../../lib/omni/message";
import { estimatedInput } from "../../lib/trace/usage-fold";
import { type Call, modelKey, type SessionCalls } from "./calls";
import { type Prices, priced } from "./figures";

export interface SpendingPrices {
  today: Prices;
  /** A Request that is on its way is in a reservation, and not estimated. */
  reserved?(call: Call): boolean;
}
export interface Amount {
  requests_usd: number;
  stopped_usd: number;
  unpriced: number;
}

/** What a quarter of an hour of a Trace file that is gone had cost. */
export interface Deleted {
  agent: string;
  session_id: string;
  file_index: number;
  /** Begin of the quarter of an hour, as ISO time and in ms since 1970. */
  from: string;
  at: number;
  user: string;
  model: string;
  requests: number;
  tokens: number;
  /** USD */
  cost: number;
  unpriced: number;
}

/** Stopped, cut off or broken off: the provider was given the input and may have charged for it. */
const MAYBE_CHARGED = new Set(["aborted", "open", "timeout", "malformed"]);

export function amountOf(call: Call, { today, reserved }: SpendingPrices): Amount {
  const { request } = call;
  const cost = priced(request, today.get(call.model));
  if (cost.usd !== null) return { requests_usd: cost.usd, stopped_usd: 0, unpriced: 0 };
  if (cost.certainty === "unpriced") return { requests_usd: 0, stopped_usd: 0, unpriced: 1 };
  const underWay = request.status === "open" && reserved?.(call);
  if (!MAYBE_CHARGED.has(request.status) || underWay) return { requests_usd: 0, stopped_usd: 0, unpriced: 0 };
  const price = today.get(call.model) ?? lastStamp(call);
  if (!price) return { requests_usd: 0, stopped_usd: 0, unpriced: 1 };
  return { requests_usd: 0, stopped_usd: (estimatedInput(request) * price.cache_write) / 1e6, unpriced: 0 };
}

/** The model may be gone from the table: what its Session paid last. */
function lastStamp({ session, model }: Call): PriceStamp | undefined {
  return session.all.findLast((call) => call.model === model && call.request.price)?.request.price ?? undefined;
}

export interface Spent extends Amount {
  deleted_usd: number;
}
export const totalOf = ({ requests_usd, stopped_usd, deleted_usd }: Spent) => requests_usd + stopped_usd + deleted_usd;

interface Ledger {
  sessions: readonly SessionCalls[];
  deleted: readonly Deleted[];
  prices: SpendingPrices;
}

export function spentOf({ scope }: Budget, { from, to }: { from: number; to: number }, ledger: Ledger): Spent {
  const counts = (user: string, model: string) => {
    if (scope.kind === "member") return user === scope.user;
    return scope.kind === "project" || model === modelKey(scope.provider, scope.model_id);
  };
  const spent: Spent = { requests_usd: 0, stopped_usd: 0, deleted_usd: 0, unpriced: 0 };
  for (const { calls } of ledger.sessions) {
    for (const call of calls) {
      if (call.imported || call.at < from || call.at >= to || !counts(call.user, call.model)) continue;
      const amount = amountOf(call, ledger.prices);
      spent.requests_usd += amount.requests_usd;
      spent.stopped_usd += amount.stopped_usd;
      spent.unpriced += amount.unpriced;
    }
  }
  const here = stillHere(ledger.sessions);
  for (const line of ledger.deleted) {
    const { agent, session_id, file_index, at } = line;
    if (at < from || at >= to || !counts(line.user, line.model)) continue;
    if (here.has(`${agent}/${session_id}/${file_index}`)) continue;
    spent.deleted_usd += line.cost;
    spent.unpriced += line.unpriced;
  }
  return spent;
}

/** Files whose deletion was begun and not done. A Session that was imported since is another: its bytes do not count. */
function stillHere(sessions: readonly SessionCalls[]): Set<string> {
  const here = new Set<string>();
  for (const { key, all, imported } of sessions) {
    if (!imported) for (const { file_index } of all) here.add(`${key}/${file_index}`);
  }
  return here;
}

export function stateOf(spent: number, limit: number): Pick<BudgetView, "used" | "state"> {
  const used = limit > 0 ? spent / limit : 1;
  return { used, state: used >= 1 ? "used_up" : used >= 0.8 ? "warning" : "ok" };
}
