/** Model calls on their way: what they will cost at least, until the Traces tell what they did. In memory only. */
import type { PriceStamp } from "../../lib/omni/message";
import type { Ledger } from "./ledger";
import { type Call, keyOf, type SessionPlace } from "./session-calls";

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

export interface Reservation {
  spender: Spender;
  /** What it costs at least; 0 where no budget asks. */
  usd: number;
  /** The Request it is for; null: it has none. */
  place: { file_index: number; begin_line: number } | null;
  /** The Traces tell it, or it reserves nothing. */
  told: boolean;
  /** When the call was over; null: it runs. ms */
  ended: number | null;
}

/** A Request whose records could not be written is not waited for longer; by then all Sessions were looked at again. ms */
const LOST_MS = 10_000;

export class Reservations {
  readonly #all = new Map<string, Set<Reservation>>();

  constructor(private readonly now: () => number) {}

  /** Its Session is at work from now on. `usd` null: nothing is reserved. */
  add(spender: Spender, usd: number | null, ledger?: Ledger): Reservation {
    const place = usd === null || spender.aside || !ledger ? null : openRequest(spender, ledger);
    const made: Reservation = { spender, usd: usd ?? 0, place, told: usd === null, ended: null };
    this.#withoutLost(spender.project).add(made);
    return made;
  }

  over(reservation: Reservation): void {
    reservation.ended = this.now();
    // A call beside the Tasks is recorded right away, or not at all.
    if (!reservation.place) reservation.told = true;
  }

  /** Sessions that may have written something since all of them were looked at. */
  atWork(project: string, more?: SessionPlace): SessionPlace[] {
    const places = new Map<string, SessionPlace>();
    for (const { agent, session } of [
      ...[...this.#of(project)].map(({ spender }) => spender),
      ...(more ? [more] : []),
    ]) {
      places.set(keyOf({ agent, session }), { agent, session });
    }
    return [...places.values()];
  }

  /** Those that the Traces do not tell yet. */
  untold(project: string, ledger: Ledger): Reservation[] {
    const all = this.#withoutLost(project);
    for (const one of all) if (one.place && !one.told && isTold(one.spender, one.place, ledger)) one.told = true;
    return [...all].filter(({ told }) => !told);
  }

  /** Is this the call of a reservation? */
  reserved(project: string): (call: Call) => boolean {
    const places = new Set([...this.#of(project)].filter(({ told }) => !told).map(placeKey));
    return ({ session, file_index, request }) => places.has(`${session.key}:${file_index}:${request.begin_line}`);
  }

  #withoutLost(project: string): Set<Reservation> {
    const all = this.#of(project);
    for (const one of all) if (one.ended !== null && this.now() - one.ended > LOST_MS) all.delete(one);
    return all;
  }

  #of(project: string): Set<Reservation> {
    const all = this.#all.get(project) ?? new Set();
    this.#all.set(project, all);
    return all;
  }
}

const placeKey = ({ spender, place }: Reservation) =>
  place ? `${keyOf(spender)}:${place.file_index}:${place.begin_line}` : "";

/** The Request that was begun last: its `request_begin` is written before its call goes out. */
function openRequest(spender: Spender, ledger: Ledger): Reservation["place"] {
  const last = ledger.session(keyOf(spender))?.all.findLast(({ request }) => request.begin_line !== null);
  const begin_line = last?.request.begin_line;
  return last && begin_line && last.request.status === "open" ? { file_index: last.file_index, begin_line } : null;
}

/** Its Session is gone, or it is on record how the Request ended. */
function isTold(spender: Spender, { file_index, begin_line }: NonNullable<Reservation["place"]>, ledger: Ledger) {
  const session = ledger.session(keyOf(spender));
  const call = session?.all.find((one) => one.file_index === file_index && one.request.begin_line === begin_line);
  return call === undefined || call.request.status !== "open";
}
