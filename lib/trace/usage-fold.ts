/**
 * Records of one Trace file -> the Requests that count for usage. The same Requests as `segment.ts` finds (a test
 * compares them), told from the few kinds of records that matter, so that a reader may leave out all others.
 *
 *   request_begin ──▶ open Request ──token_usage──▶ its tokens ──request_end──▶ how it ended
 *
 * A Request stands at its `token_usage`, else its `request_end`, else its `request_begin`: that record is the one that
 * is counted. `aux_usage` is a model call of its own.
 */
import type {
  EventPayload,
  PriceStamp,
  SessionInfoPayload,
  SessionMetaPayload,
  StopReason,
  TokenCounts,
} from "../omni/message";

/** Where a record stands: physical line, byte offset and length. */
export interface Spot {
  line: number;
  start: number;
  length: number;
}

export interface CountedRequest extends Spot {
  kind: "request" | "aux";
  /** Time of the record that is counted, whose place the members of `Spot` tell. ms since 1970; NaN: unreadable */
  at: number;
  /** Line of its `request_begin`; null: none is on record. */
  begin_line: number | null;
  /** ms since 1970; null: not on record. */
  begin: number | null;
  end: number | null;
  /** Milliseconds that people were waited for before it ended. */
  waited: number;
  status: StopReason | "open";
  attempt: number;
  error: string | null;
  refused: boolean;
  /** A budget refused it: the model was not called. */
  unsent: boolean;
  tokens: TokenCounts | null;
  price: PriceStamp | null;
  estimated: boolean;
  /** Who started its Task; null: nobody is named. */
  user: string | null;
  compaction: boolean;
  /** Of an `aux` call. */
  aux: { purpose: string; provider: string; model_id: string } | null;
  /** Bytes that the model was given beyond the `context` tokens of the Request before it. */
  fed: number;
  context: number;
  /** Subagents it started. */
  children: { session_id: string; agent?: string; line: number }[] | null;
}

const BYTES_PER_TOKEN = 4;
/** One record adds no more to a Request than this: images are long and cost little. */
const MOST_FED = 256 * 1024;

/** About how many input tokens a Request had that sent no usage. */
export function estimatedInput({ context, fed }: Pick<CountedRequest, "context" | "fed">): number {
  return context + Math.ceil(fed / BYTES_PER_TOKEN);
}

interface Running {
  open: CountedRequest | null;
  span: boolean;
  author: string | null;
  context: number;
  fed: number;
  lastCall: number;
  lastDecision: number;
}

export class UsageFold {
  /** Of the first `session_meta`, without prompt and tools. */
  meta: SessionMetaPayload | null = null;
  readonly requests: CountedRequest[] = [];
  /** The settings on record, and where each record begins. */
  readonly infos: { start: number; payload: SessionInfoPayload }[] = [];
  #now: Running = {
    open: null,
    span: false,
    author: null,
    context: 0,
    fed: 0,
    lastCall: Number.NaN,
    lastDecision: Number.NaN,
  };

  /** What an unterminated last line did can be undone: it may have been cut. */
  mark(): () => void {
    const { meta } = this;
    const now = { ...this.#now };
    const open = now.open;
    const was = open && { ...open, children: open.children && [...open.children] };
    const [count, infos] = [this.requests.length, this.infos.length];
    return () => {
      this.meta = meta;
      this.#now = now;
      this.requests.length = count;
      this.infos.length = infos;
      if (open && was) Object.assign(open, was);
    };
  }

  /** Every line passes here once, whatever it holds: what is not usage is input for the next Request. */
  fed(bytes: number): void {
    this.#now.fed += Math.min(bytes, MOST_FED);
  }

  /** A prompt names its author. */
  author(user: string): void {
    this.#now.author = user;
  }

  /** A tool was called. */
  call(at: number): void {
    this.#now.lastCall = at;
  }

  begin(at: number, spot: Spot): void {
    const { context, fed, span, author } = this.#now;
    const request = blank(spot, at);
    request.begin_line = spot.line;
    request.begin = believedTime(at);
    request.compaction = span;
    request.user = author;
    request.context = context;
    request.fed = fed;
    this.#now.open = request;
    this.#now.lastDecision = Number.NaN;
    this.requests.push(request);
  }

  /** `at` is the time of the record. */
  event(payload: EventPayload, at: number, spot: Spot): void {
    switch (payload.type) {
      case "request_begin":
        this.begin(at, spot);
        return;
      case "request_end":
        this.end(at, spot, payload);
        return;
      case "token_usage":
        this.usage(payload, at, spot);
        return;
      case "aux_usage":
        this.#aux(payload, at, spot);
        return;
      case "approval_decision":
        this.decided(payload.waited_ms, at);
        return;
      case "session_info":
        this.infos.push({ start: spot.start, payload });
        return;
      case "compaction_begin":
        this.#now.span = true;
        return;
      case "compaction_end":
        this.#now.span = false;
        this.#now.open = null;
        // What follows a completed one begins from the summary.
        if (payload.status === "completed") this.#now = { ...this.#now, context: 0, fed: 0 };
        return;
      case "subagent": {
        const { open } = this.#now;
        const child = { session_id: payload.session_id, line: spot.line };
        if (open)
          open.children = [...(open.children ?? []), payload.agent ? { ...child, agent: payload.agent } : child];
      }
    }
  }

  end(
    at: number,
    spot: Spot,
    end: { status: StopReason; attempt?: number; error_message?: string; refused?: boolean; over_budget?: boolean },
  ): void {
    const { open } = this.#now;
    if (!open || open.end !== null) return;
    open.end = believedTime(at);
    open.status = end.status;
    open.attempt = end.attempt ?? 1;
    open.error = end.error_message?.slice(0, MOST_ERROR_CHARS) ?? null;
    open.refused = end.refused === true;
    open.unsent = end.over_budget === true;
    if (open.tokens) return;
    stand(open, spot, at);
  }

  usage(
    {
      request,
      price,
      user,
      estimated,
    }: { request: TokenCounts; price?: PriceStamp; user?: string; estimated?: boolean },
    at: number,
    spot: Spot,
  ): void {
    const { open } = this.#now;
    // Its request_begin may be damaged: what was used counts all the same.
    const stray = open === null || (open.end !== null && open.tokens !== null);
    const to = stray ? blank(spot, at) : open;
    if (stray) {
      to.compaction = this.#now.span;
      this.requests.push(to);
      this.#now.open = to;
    }
    stand(to, spot, at);
    to.tokens = believedCounts(request);
    to.price = believedPrice(price);
    to.estimated = estimated === true;
    to.user = user ?? to.user ?? this.#now.author;
    this.#now.context = to.tokens?.total ?? 0;
    this.#now.fed = 0;
  }

  #aux(
    {
      request,
      price,
      user,
      purpose,
      provider,
      model_id,
    }: {
      request: TokenCounts;
      price?: PriceStamp;
      user?: string;
      purpose: string;
      provider: string;
      model_id: string;
    },
    at: number,
    spot: Spot,
  ): void {
    this.requests.push({
      ...blank(spot, at),
      kind: "aux",
      status: "completed",
      tokens: believedCounts(request),
      price: believedPrice(price),
      user: user ?? this.#now.author,
      aux: { purpose, provider, model_id },
    });
  }

  /** `waited_ms`: as recorded; else at most since the call, and since the decision before it. */
  decided(waited_ms: number | undefined, at: number): void {
    const { open, lastCall, lastDecision } = this.#now;
    const called = passed(lastCall, at) ?? 0;
    const since = Math.min(called, passed(lastDecision, at) ?? called);
    if (open && open.end === null) open.waited += waited_ms ?? since;
    this.#now.lastDecision = at;
  }
}

/** Milliseconds; null: a time is not known, or they run backwards. */
function passed(from: number, to: number): number | null {
  const ms = to - from;
  return ms >= 0 ? ms : null;
}

/** The whole of it is in the record. */
const MOST_ERROR_CHARS = 4_000;
const MOST_TOKENS = 1e9;
const MOST_USD = 1e6;
const [FIRST_TIME, LAST_TIME] = [Date.UTC(2000, 0), Date.UTC(2100, 0)];

/**
 * Anybody can write a Trace. Counts that no model call has are not known, rather than added up: numbers out of bounds,
 * more written into the cache than was sent, a total with nothing that it could be made of. A total that differs from
 * its parts is made anew of them, which is what a total is (FF 2.6).
 */
function believedCounts(counts: TokenCounts): TokenCounts | null {
  const { cache_read, cache_write, output, total, cache_creation = 0 } = counts;
  const known = isCount(cache_read) && isCount(cache_write) && isCount(output) && isCount(total);
  if (!known || !isCount(cache_creation) || cache_creation > cache_write) return null;
  const sum = cache_read + cache_write + output;
  if (sum === total) return counts;
  return sum === 0 ? null : { ...counts, total: sum };
}

const isCount = (count: number): boolean => Number.isInteger(count) && count >= 0 && count <= MOST_TOKENS;

/** A price that nobody asks is none. */
function believedPrice(price: PriceStamp | undefined): PriceStamp | null {
  if (!price) return null;
  const { cache_read, cache_write, output, cache_creation = 0 } = price;
  const fits = (usd: number) => usd >= 0 && usd <= MOST_USD;
  return [cache_read, cache_write, output, cache_creation].every(fits) ? price : null;
}

/** A time far from ours is as good as unreadable: one such record would make every range endless. */
function believedTime(at: number): number {
  return at >= FIRST_TIME && at < LAST_TIME ? at : Number.NaN;
}

/** It is counted by this record. `spot` is used again for the next line. */
function stand(request: CountedRequest, { line, start, length }: Spot, at: number): void {
  request.line = line;
  request.start = start;
  request.length = length;
  request.at = believedTime(at);
}

/** One shape for all of them, filled in place: there may be very many. */
function blank(spot: Spot, at: number): CountedRequest {
  return {
    kind: "request",
    line: spot.line,
    start: spot.start,
    length: spot.length,
    at: believedTime(at),
    begin_line: null,
    begin: null,
    end: null,
    waited: 0,
    status: "open",
    attempt: 1,
    error: null,
    refused: false,
    unsent: false,
    tokens: null,
    price: null,
    estimated: false,
    user: null,
    compaction: false,
    aux: null,
    fed: 0,
    context: 0,
    children: null,
  };
}

/** Milliseconds that the model worked; null: its begin or end is not on record. */
export function activeMs({ begin, end, waited }: Pick<CountedRequest, "begin" | "end" | "waited">): number | null {
  if (begin === null || end === null || !Number.isFinite(begin) || !Number.isFinite(end)) return null;
  return Math.max(0, Math.max(0, end - begin) - waited);
}
