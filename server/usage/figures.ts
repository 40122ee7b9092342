/** Sums over model calls. Counts are integers; money is summed with its rounding carried along, so that parts and total agree. */
import type { CostSum, Figures } from "../../lib/api/usage";
import { CERTAINTIES, type Certainty } from "../../lib/api/usage-values";
import { costOf } from "../../lib/model/price";
import type { PriceStamp } from "../../lib/omni/message";
import { activeMs, type CountedRequest } from "../../lib/trace/usage-fold";

/** Today's price of a model by its key; undefined: none is known. */
export type Prices = ReadonlyMap<string, PriceStamp>;

export interface Priced {
  certainty: Certainty;
  /** null: not known. */
  usd: number | null;
  price: PriceStamp | null;
}

/** What a call cost, and how sure that is. A stamp wins over today's table (US3). */
export function priced(request: CountedRequest, today: PriceStamp | undefined): Priced {
  const { tokens, price: stamp, estimated, unsent } = request;
  if (unsent) return { certainty: "free", usd: 0, price: null };
  if (!tokens) return { certainty: "unknown", usd: null, price: null };
  const price = stamp ?? today;
  if (!price) return { certainty: "unpriced", usd: null, price: null };
  const { cache_read, cache_write, output, cache_creation = 0 } = price;
  if (cache_read === 0 && cache_write === 0 && output === 0 && cache_creation === 0) {
    return { certainty: "free", usd: 0, price };
  }
  return { certainty: estimated ? "estimated" : stamp ? "stamped" : "today", usd: costOf(tokens, price), price };
}

export const isFailure = (status: CountedRequest["status"]): boolean =>
  status === "failed" || status === "timeout" || status === "malformed" || status === "auth";

/** A sum of many small amounts without the error of adding them one by one (Neumaier). */
class Money {
  #sum = 0;
  #rest = 0;
  add(usd: number): void {
    const next = this.#sum + usd;
    this.#rest += Math.abs(this.#sum) >= Math.abs(usd) ? this.#sum - next + usd : usd - next + this.#sum;
    this.#sum = next;
  }
  get value(): number {
    return this.#sum + this.#rest;
  }
}

export class Sum {
  #requests = 0;
  #completed = 0;
  #failed = 0;
  #aborted = 0;
  #open = 0;
  #aux = 0;
  #read = 0;
  #write = 0;
  #creation = 0;
  #output = 0;
  #total = 0;
  #estimated = 0;
  #activeMs = 0;
  #timed = 0;
  #timedOutput = 0;
  #unpricedTokens = 0;
  readonly #counts: Record<Certainty, number> = {
    stamped: 0,
    today: 0,
    free: 0,
    estimated: 0,
    unpriced: 0,
    unknown: 0,
  };
  readonly #usd = { stamped: new Money(), today: new Money(), estimated: new Money(), all: new Money() };

  add(request: CountedRequest, { certainty, usd }: Priced): void {
    this.#requests += 1;
    this.#status(request);
    const { tokens } = request;
    if (tokens) {
      this.#read += tokens.cache_read;
      this.#write += tokens.cache_write;
      this.#creation += tokens.cache_creation ?? 0;
      this.#output += tokens.output;
      this.#total += tokens.total;
      if (request.estimated) this.#estimated += 1;
      if (certainty === "unpriced") this.#unpricedTokens += tokens.total;
    }
    this.#counts[certainty] += 1;
    if (usd !== null) {
      this.#usd.all.add(usd);
      if (certainty === "stamped" || certainty === "today" || certainty === "estimated") this.#usd[certainty].add(usd);
    }
  }

  #status(request: CountedRequest): void {
    const { kind, status, tokens } = request;
    if (kind === "aux") this.#aux += 1;
    if (status === "completed") this.#completed += 1;
    else if (status === "aborted") this.#aborted += 1;
    else if (status === "open") this.#open += 1;
    else this.#failed += 1;
    const ms = status === "completed" ? activeMs(request) : null;
    if (ms === null) return;
    this.#activeMs += ms;
    this.#timed += 1;
    this.#timedOutput += tokens?.output ?? 0;
  }

  /** Adds what another sum holds. */
  take(other: Sum): void {
    this.#requests += other.#requests;
    this.#completed += other.#completed;
    this.#failed += other.#failed;
    this.#aborted += other.#aborted;
    this.#open += other.#open;
    this.#aux += other.#aux;
    this.#read += other.#read;
    this.#write += other.#write;
    this.#creation += other.#creation;
    this.#output += other.#output;
    this.#total += other.#total;
    this.#estimated += other.#estimated;
    this.#activeMs += other.#activeMs;
    this.#timed += other.#timed;
    this.#timedOutput += other.#timedOutput;
    this.#unpricedTokens += other.#unpricedTokens;
    for (const kind of CERTAINTIES) this.#counts[kind] += other.#counts[kind];
    for (const kind of ["stamped", "today", "estimated", "all"] as const) {
      this.#usd[kind].add(other.#usd[kind].value);
    }
  }

  get usd(): number {
    return this.#usd.all.value;
  }
  get tokens(): number {
    return this.#total;
  }
  get requests(): number {
    return this.#requests;
  }

  figures(): Figures {
    const tried = this.#completed - this.#aux + this.#failed;
    const input = this.#read + this.#write;
    return {
      requests: this.#requests,
      completed: this.#completed,
      failed: this.#failed,
      aborted: this.#aborted,
      open: this.#open,
      aux: this.#aux,
      success_rate: tried > 0 ? (this.#completed - this.#aux) / tried : null,
      tokens: {
        cache_read: this.#read,
        cache_write: this.#write,
        cache_creation: this.#creation,
        output: this.#output,
        total: this.#total,
      },
      unknown: this.#counts.unknown,
      estimated: this.#estimated,
      cost: this.#cost(),
      cache_hit_rate: input > 0 ? this.#read / input : null,
      active_ms: this.#activeMs,
      timed: this.#timed,
      timed_output: this.#timedOutput,
      ms_per_request: this.#timed > 0 ? this.#activeMs / this.#timed : null,
      tokens_per_second: this.#activeMs > 0 ? (this.#timedOutput * 1000) / this.#activeMs : null,
    };
  }

  #cost(): CostSum {
    const part = (kind: "stamped" | "today" | "estimated") => ({
      requests: this.#counts[kind],
      usd: this.#usd[kind].value,
    });
    return {
      usd: this.#usd.all.value,
      stamped: part("stamped"),
      today: part("today"),
      estimated: part("estimated"),
      free: { requests: this.#counts.free },
      unpriced: { requests: this.#counts.unpriced, tokens: this.#unpricedTokens },
      unknown: { requests: this.#counts.unknown },
    };
  }
}
