/** Who looks at a Session at this moment: told to everybody who does, whenever it changes. */

export interface Present {
  id: string;
  name: string;
}
interface Seat {
  person: Present;
  tell(people: readonly Present[]): void;
}

/** Windows open and close together: told once. Milliseconds. */
const GATHER_MS = 60;

export class Presence {
  readonly #rooms = new Map<string, Set<Seat>>();
  readonly #told = new Map<string, ReturnType<typeof setTimeout>>();

  /** Takes a seat; the result gives it back. A person with several windows counts once. */
  join(room: string, person: Present, tell: Seat["tell"]): () => void {
    const seats = this.#rooms.get(room) ?? new Set();
    this.#rooms.set(room, seats);
    const seat = { person, tell };
    seats.add(seat);
    this.#soon(room);
    return () => {
      if (!seats.delete(seat)) return;
      if (seats.size === 0 && this.#rooms.get(room) === seats) this.#rooms.delete(room);
      else this.#soon(room);
    };
  }

  /** In the order in which they came. */
  people(room: string): Present[] {
    const seats = [...(this.#rooms.get(room) ?? [])];
    return [...new Map(seats.map(({ person: { id, name } }) => [id, { id, name }])).values()];
  }

  #soon(room: string): void {
    if (this.#told.has(room)) return;
    const timer = setTimeout(() => {
      this.#told.delete(room);
      const people = this.people(room);
      for (const { tell } of this.#rooms.get(room) ?? []) tell(people);
    }, GATHER_MS);
    timer.unref();
    this.#told.set(room, timer);
  }
}
