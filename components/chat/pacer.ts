/**
 * When what came over the stream is drawn: with the next frame, but no more often than the page can afford. However fast
 * a model writes and however many windows share a processor, most of the time is left to whoever types or scrolls.
 */

/** From one drawing to the next: the eye follows text no faster. Milliseconds. */
const INTERVAL_MS = 50;
/** So many times as long as a drawing took, the page rests; at most so many milliseconds. */
const [REST, MAX_REST_MS] = [2, 200];
/** The same for a drawing that left something, or with keys at a pace of their own: the longer the rest, the more is next. */
const BRIEF_REST = 1;
/**
 * Somebody types for so long after a key. Then it is drawn right behind what a key has drawn, when the next one is
 * farthest away, or after the longest wait. Milliseconds.
 */
const [TYPING_MS, MAX_TYPING_MS] = [150, 400];
/** A page that is hidden, or covered by other windows, gets no frames at all. Milliseconds. */
const NO_FRAME_MS = 250;
/** A drawing whose end was not told is over. Milliseconds. */
const LOST_MS = 1_500;

interface Drawing {
  began: number;
  sliced: boolean;
  /** It has not drawn all there is. */
  more: boolean;
}

export class Pacer {
  /** Undoes what is planned; null: nothing is. */
  #planned: (() => void) | null = null;
  #since = 0;
  #restUntil = Number.NEGATIVE_INFINITY;
  #typedAt = Number.NEGATIVE_INFINITY;
  /** What is being drawn, until it is known how long that took; null: nothing. */
  #drawing: Drawing | null = null;
  /** What is planned waits for the end of the drawing. */
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
    if (this.#held) this.#in(LOST_MS, this.#run);
    else if (document.visibilityState === "hidden") this.#in(NO_FRAME_MS, this.#run);
    else this.#next();
  }

  /** `draw` only began it: drawing goes on until `end`. */
  begin(): void {
    if (this.#drawing) this.#drawing.sliced = true;
    else this.#drawing = { began: performance.now(), sliced: true, more: false };
  }

  end(): void {
    const drawing = this.#drawing;
    if (!drawing?.sliced) return;
    drawing.sliced = false;
    const took = performance.now() - drawing.began;
    onFrame(() => this.#measure(drawing, took));
  }

  /** Nothing is planned any more. */
  cancel(): void {
    this.#planned?.();
    this.#planned = null;
    this.#held = false;
  }

  readonly #run = (): void => {
    this.cancel();
    const drawing = { began: performance.now(), sliced: false, more: false };
    this.#drawing = drawing;
    this.draw();
    drawing.more = this.#planned !== null;
    if (!drawing.sliced) this.#measure(drawing, performance.now() - drawing.began);
  };

  readonly #next = (): void => {
    const now = performance.now();
    const typing = Math.min(this.#typedAt + TYPING_MS, this.#since + MAX_TYPING_MS);
    const wait = Math.max(this.#restUntil, typing) - now;
    if (wait > 0) this.#in(wait, this.#next);
    else this.#planned = onFrame(this.#run);
  };

  #in(ms: number, run: () => void): void {
    const timer = setTimeout(run, ms);
    this.#planned = () => clearTimeout(timer);
  }

  /** Within a frame. `took`: what the drawing has cost until then; layout and paint of this frame come on top. */
  #measure(drawing: Drawing, took: number): void {
    const frame = performance.now();
    setTimeout(() => {
      if (this.#drawing !== drawing) return;
      this.#drawing = null;
      const now = performance.now();
      const cost = took + now - frame;
      const rest = drawing.more || now - this.#typedAt < TYPING_MS ? BRIEF_REST : REST;
      this.#restUntil = Math.max(drawing.began + INTERVAL_MS, now + Math.min(rest * cost, MAX_REST_MS));
      if (!this.#held) return;
      this.cancel();
      this.#next();
    });
  }

  readonly #onKey = (): void => {
    this.#typedAt = performance.now();
    if (!this.#planned || this.#held || this.#typedAt < this.#restUntil) return;
    this.cancel();
    this.#planned = onFrame(() => this.#in(0, this.#run));
  };
}

/** Calls `run` in the next frame, or soon when there is none. Gives what undoes it. */
function onFrame(run: () => void): () => void {
  const cancel = () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  };
  const once = () => {
    cancel();
    run();
  };
  const timer = setTimeout(once, NO_FRAME_MS);
  const frame = requestAnimationFrame(once);
  return cancel;
}
