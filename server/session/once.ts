/** Idempotency: what is asked for under an id happens once, however often it is asked for. */
export class Once {
  readonly #asked = new Map<string, Promise<void>>();

  /** Does it, unless it was asked for before, or `known` says that it is on record. A failure frees the id again. */
  async run(id: string, known: () => boolean, act: () => Promise<void>): Promise<void> {
    const before = this.#asked.get(id);
    if (before) return before;
    if (known()) return;
    await this.note(id, act());
  }

  /** It is being done already. */
  async note(id: string, doing: Promise<void>): Promise<void> {
    this.#asked.set(id, doing);
    try {
      await doing;
    } catch (error) {
      this.#asked.delete(id);
      throw error;
    }
  }

  /** It was taken back, and may be asked for again. */
  forget(id: string): void {
    this.#asked.delete(id);
  }
}
