/** The one-time sign-in link of the first admin. Only the hash of its token is kept, and only in memory. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Milliseconds. */
const LIFETIME = 10 * 60 * 1000;

const digest = (token: string) => createHash("sha256").update(token).digest();

export class SignInLink {
  private current: { hash: Buffer; user: string; until: number } | undefined;

  /** A new token for this user; the one before is void. */
  make(user: string, now = Date.now()): string {
    const token = randomBytes(32).toString("base64url");
    this.current = { hash: digest(token), user, until: now + LIFETIME };
    return token;
  }

  /** Whose link this is; null when it is wrong, used up or expired. */
  user(token: string, now = Date.now()): string | null {
    if (!this.current || now > this.current.until) return null;
    return timingSafeEqual(this.current.hash, digest(token)) ? this.current.user : null;
  }

  /** Uses the link up. Of several at once exactly one gets the user. */
  redeem(token: string, now = Date.now()): string | null {
    const user = this.user(token, now);
    if (user !== null) this.current = undefined;
    return user;
  }
}
