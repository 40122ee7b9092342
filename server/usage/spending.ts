/** What was spent in a period, for budgets: calls that ran here, the estimated input of stopped ones, deleted Sessions. */
import type { Budget, BudgetView } from "../../lib/api/usage";
import { modelKey } from "../../lib/api/usage-values";
import type { PriceStamp } from "../../lib/omni/message";
import { estimatedInput } from "../../lib/trace/usage-fold";
import { type Prices, priced } from "./figures";
import type { Call, SessionCalls } from "./session-calls";

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
  /** When the file had come in from outside; absent: it had not. */
  imported?: string;
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
  // A token is a byte at least: what an imported beginning claims to have been read does not count for more.
  const tokens = Math.min(estimatedInput(request), request.start);
  return { requests_usd: 0, stopped_usd: (tokens * price.cache_write) / 1e6, unpriced: 0 };
}

/** The model may be gone from the table: what its Session paid here last. */
function lastStamp({ session, model }: Call): PriceStamp | undefined {
  return session.ran.findLast((call) => call.model === model && call.request.price)?.request.price ?? undefined;
}

export interface Spent extends Amount {
  deleted_usd: number;
}
export const NOTHING: Readonly<Spent> = { requests_usd: 0, stopped_usd: 0, deleted_usd: 0, unpriced: 0 };
export const totalOf = ({ requests_usd, stopped_usd, deleted_usd }: Spent) => requests_usd + stopped_usd + deleted_usd;

export function plus(a: Spent, b: Spent, sign: 1 | -1 = 1): Spent {
  return {
    requests_usd: a.requests_usd + sign * b.requests_usd,
    stopped_usd: a.stopped_usd + sign * b.stopped_usd,
    deleted_usd: a.deleted_usd + sign * b.deleted_usd,
    unpriced: a.unpriced + sign * b.unpriced,
  };
}

/** ms since 1970; `to` is not included. */
export interface Period {
  from: number;
  to: number;
}

/** Whose calls of which model a budget counts. */
export function counter({ scope }: Budget): (user: string | undefined, model: string | undefined) => boolean {
  if (scope.kind === "project") return () => true;
  if (scope.kind === "member") return (user) => user === scope.user;
  const wanted = modelKey(scope.provider, scope.model_id);
  return (_, model) => model === wanted;
}

/** Of one Session that is there. */
export function spentBy(ran: readonly Call[], budget: Budget, { from, to }: Period, prices: SpendingPrices): Spent {
  const counts = counter(budget);
  const spent = { ...NOTHING };
  for (const call of ran) {
    if (call.at < from || call.at >= to || !counts(call.user, call.model)) continue;
    const amount = amountOf(call, prices);
    spent.requests_usd += amount.requests_usd;
    spent.stopped_usd += amount.stopped_usd;
    spent.unpriced += amount.unpriced;
  }
  return spent;
}

/** Of what the deletions of one Session left; `session`: what is there of it now. */
export function spentOfDeleted(
  lines: readonly Deleted[],
  session: SessionCalls | undefined,
  budget: Budget,
  { from, to }: Period,
): Spent {
  const counts = counter(budget);
  const spent = { ...NOTHING };
  for (const line of lines) {
    if (line.at < from || line.at >= to || !counts(line.user, line.model) || isHere(line, session)) continue;
    spent.deleted_usd += line.cost;
    spent.unpriced += line.unpriced;
  }
  return spent;
}

/** A deletion was begun and not done, or undone. What was imported since is another file: its bytes do not count. */
function isHere({ file_index, imported }: Deleted, session: SessionCalls | undefined): boolean {
  const there = session?.files.some(({ index }) => index === file_index);
  return there === true && session?.imports.get(file_index) === imported;
}

/** Less than anybody can be asked to pay; amounts are only as exact as sums of them. */
const HAIR = 1e-9;

export function stateOf(spent: number, limit: number): Pick<BudgetView, "used" | "state"> {
  const used = limit > 0 ? spent / limit : 1;
  const isUp = spent >= limit - HAIR || used >= 1 - HAIR;
  return { used, state: isUp ? "used_up" : used >= 0.8 - HAIR ? "warning" : "ok" };
}
