/** What the event loop of this process waited for: its own work, a processor, or a collection of garbage. */
import { readFileSync } from "node:fs";
import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";
import type { Figures } from "./orders";

/** How often the loop is looked at; each figure of its delay holds this much. Milliseconds. */
export const LOOK_MS = 5;
const LONG_MS = 50;

/** Nanoseconds that the main thread ran, and that it could have run but had no processor. Linux only; else zeros. */
function scheduled(): { ran: number; waited: number } {
  try {
    const [ran = 0, waited = 0] = readFileSync("/proc/self/schedstat", "utf8").split(" ").map(Number);
    return { ran, waited };
  } catch {
    return { ran: 0, waited: 0 };
  }
}

const ms = (nanoseconds: number) => nanoseconds / 1e6;

export class Loop {
  readonly #delay = monitorEventLoopDelay({ resolution: LOOK_MS });
  #since = performance.now();
  #start = scheduled();
  #gc = { ms: 0, longest: 0 };
  /** Looks that came late by more than `LONG_MS`, by what took most of the time. */
  #long = { work: 0, wait: 0 };
  #last = { at: performance.now(), ...scheduled() };

  constructor() {
    this.#delay.enable();
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        this.#gc.ms += duration;
        this.#gc.longest = Math.max(this.#gc.longest, duration);
      }
    }).observe({ entryTypes: ["gc"] });
    setInterval(() => this.#look(), LOOK_MS).unref();
  }

  #look(): void {
    const now = { at: performance.now(), ...scheduled() };
    const { at, waited, ran } = this.#last;
    this.#last = now;
    if (now.at - at <= LONG_MS + LOOK_MS) return;
    if (now.waited - waited > now.ran - ran) this.#long.wait += 1;
    else this.#long.work += 1;
  }

  /** Since the last reset. */
  figures(reset: boolean): Figures["loop"] {
    const { ran, waited } = scheduled();
    const delay = (percentile: number) => ms(this.#delay.percentile(percentile));
    const figures = {
      seconds: (performance.now() - this.#since) / 1000,
      p50_ms: delay(50),
      p99_ms: delay(99),
      p999_ms: delay(99.9),
      max_ms: ms(this.#delay.max),
      ran_ms: ms(ran - this.#start.ran),
      waited_ms: ms(waited - this.#start.waited),
      gc_ms: this.#gc.ms,
      gc_longest_ms: this.#gc.longest,
      long_by_work: this.#long.work,
      long_by_wait: this.#long.wait,
    };
    if (reset) {
      this.#delay.reset();
      this.#since = performance.now();
      this.#start = { ran, waited };
      this.#gc = { ms: 0, longest: 0 };
      this.#long = { work: 0, wait: 0 };
    }
    return figures;
  }
}
