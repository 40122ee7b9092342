/** When what came over the stream is drawn: with the next frame, unless the page has something more urgent to do. */

/** A frame that took longer had more to do than fits: as long again is left to whoever types or scrolls. Milliseconds. */
const LONG_FRAME_MS = 22;
/** Who types goes first: so long after a key nothing is drawn. Milliseconds. */
const TYPING_MS = 60;
/** Nothing waits longer. A page that is hidden, or covered by other windows, gets no frames at all. Milliseconds. */
const MAX_WAIT_MS = 250;

export class Pacer {
  /** Undoes what is planned; null: nothing is. */
  #planned: (() => void) | null = null;
  #since = 0;
  #restUntil = 0;
  #typedAt = Number.NEGATIVE_INFINITY;
  /** It is being drawn, in slices, since then; null: it is not. */
  #drawing: number | null = null;
  /** What is planned waits for its end. */
  #held = false;

  constructor(private readonly draw: () => void) {}

  attach(): void {
    window.addEventListener("keydown", this.#onKey, { capture: true });
  }

  detach(): void {
    window.removeEventListener("keydown", this.#onKey, { capture: true });
    this.#drawing = null;
  }

  /** Calls `draw` once, soon; however often it is asked for meanwhile. */
  plan(): void {
    if (this.#planned) return;
    this.#since = performance.now();
    this.#held = this.#drawing !== null;
    if (this.#held || document.visibilityState === "hidden") this.#in(MAX_WAIT_MS, this.#run);
    else this.#next();
  }

  /** Drawing goes on beyond `draw`, until `end`. */
  begin(): void {
    this.#drawing ??= performance.now();
  }

  end(): void {
    const began = this.#drawing;
    if (began === null) return;
    this.#drawing = null;
    this.#measure(began);
    if (!this.#held || !this.#planned) return;
    this.cancel();
    this.#next();
  }

  /** Nothing is planned any more. */
  cancel(): void {
    this.#planned?.();
    this.#planned = null;
    this.#held = false;
  }

  readonly #run = (): void => {
    this.cancel();
    this.draw();
  };

  readonly #next = (): void => {
    const now = performance.now();
    const wait = Math.max(this.#restUntil, this.#typedAt + TYPING_MS) - now;
    const left = this.#since + MAX_WAIT_MS - now;
    if (wait > 0 && left > 0) this.#in(Math.min(wait, left), this.#next);
    else this.#frame();
  };

  #in(ms: number, run: () => void): void {
    const timer = setTimeout(run, ms);
    this.#planned = () => clearTimeout(timer);
  }

  #frame(): void {
    const timer = setTimeout(this.#run, MAX_WAIT_MS);
    const frame = requestAnimationFrame((begin) => {
      this.#run();
      if (this.#drawing === null) this.#measure(begin);
    });
    this.#planned = () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }

  #measure(began: number): void {
    requestAnimationFrame((end) => {
      const took = end - began;
      if (took > LONG_FRAME_MS) this.#restUntil = end + Math.min(took, MAX_WAIT_MS);
    });
  }

  readonly #onKey = (): void => {
    this.#typedAt = performance.now();
  };
}
