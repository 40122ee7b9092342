/** Slows down guessing: per user name and, more generously, for all names together. Unknown names count alike. */
import { RateLimiterMemory } from "rate-limiter-flexible";
import { AppError } from "../../lib/api/errors";

const FREE_FAILURES = 5;
const WINDOW_S = 60;
/** Names are cheap to make up: this many failures a minute over all of them. */
const FREE_FAILURES_TOGETHER = 100;
const EVERYBODY = "*";

export class Throttle {
  private readonly perName = new RateLimiterMemory({ points: FREE_FAILURES, duration: WINDOW_S });
  private readonly together = new RateLimiterMemory({ points: FREE_FAILURES_TOGETHER, duration: WINDOW_S });

  /**
   * Runs one attempt; a null result is a failure. Every attempt is counted before it runs, so that many at once cannot
   * slip through; success clears the name. Throws `too_many_attempts`.
   */
  async attempt<T>(name: string, run: () => Promise<T | null>): Promise<T | null> {
    const key = name.slice(0, 64).toLowerCase();
    await this.consume(this.perName, key);
    await this.consume(this.together, EVERYBODY);
    const result = await run();
    if (result !== null) {
      await this.perName.delete(key);
      await this.together.reward(EVERYBODY);
    }
    return result;
  }

  private async consume(limiter: RateLimiterMemory, key: string): Promise<void> {
    try {
      await limiter.consume(key);
    } catch (refused) {
      if (refused instanceof Error) throw refused;
      throw new AppError("too_many_attempts");
    }
  }
}
