/**
 * Several producers, one stream: values come out in the order in which they became ready. A producer is asked for its
 * next value only after its last one was taken and handled ("yield means written"), and joins the end of the line, so
 * a fast one cannot starve the others. Whoever leaves the loop early closes every producer.
 */
type Arrival<T> = { from: AsyncIterator<T>; result: IteratorResult<T> } | { from: AsyncIterator<T>; error: unknown };

export class Merge<T> {
  readonly #open = new Set<AsyncIterator<T>>();
  readonly #ready: Arrival<T>[] = [];
  #wake = () => {};
  #abandoned = false;

  /** Starts a producer; allowed at any time, also from inside another producer. */
  add(from: AsyncIterator<T>): void {
    this.#open.add(from);
    this.#pull(from);
  }

  /** Ends the stream once nothing is ready, without waiting for producers that do not settle. */
  abandon(): void {
    this.#abandoned = true;
    this.#wake();
  }

  #pull(from: AsyncIterator<T>): void {
    const arrived = (arrival: Arrival<T>) => {
      this.#ready.push(arrival);
      this.#wake();
    };
    from.next().then(
      (result) => arrived({ from, result }),
      (error: unknown) => arrived({ from, error }),
    );
  }

  /** Every value of every producer. A producer that throws ends the stream with its error. */
  async *stream(): AsyncGenerator<T, void, void> {
    try {
      while (this.#open.size > 0) {
        const arrival = this.#ready.shift();
        if (!arrival) {
          if (this.#abandoned) return;
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          continue;
        }
        if ("error" in arrival) throw arrival.error;
        if (arrival.result.done) {
          this.#open.delete(arrival.from);
          continue;
        }
        yield arrival.result.value;
        this.#pull(arrival.from);
      }
    } finally {
      // Not awaited: `return()` of a generator that waits for something settles only with that wait.
      for (const from of this.#open) void from.return?.().catch(() => {});
    }
  }
}
