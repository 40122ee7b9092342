/** When sign-ins and tokens were last used: exact in memory, written now and then. */
import type { UserFile, UserFiles } from "./user-file";

/** What the file says may be this old. */
const STALE_MS = 5 * 60_000;
/** After a try to write, whatever came of it. */
const REST_MS = 60_000;

interface Used {
  created_at: string;
  last_seen_at?: string;
}

export class LastSeen {
  readonly #times = new Map<string, number>();
  readonly #resting = new Set<string>();

  constructor(private readonly files: Pick<UserFiles, "change">) {}

  /** ISO time. */
  of(entry: Used & { sid: string }): string {
    const known = this.#times.get(entry.sid);
    return known === undefined ? (entry.last_seen_at ?? entry.created_at) : new Date(known).toISOString();
  }

  /** A sign-in was used just now. Waits for nothing. */
  note(user: string, entry: Used & { sid: string }): void {
    this.#times.set(entry.sid, Date.now());
    const write = (file: UserFile) => ({
      ...file,
      sign_ins: file.sign_ins.map((one) => ({ ...one, last_seen_at: this.of(one) })),
    });
    this.#later(user, entry.last_seen_at ?? entry.created_at, write);
  }

  /** The same for a token. */
  noteToken(user: string, token: { id: string; last_used_at?: string }): void {
    const last_used_at = new Date().toISOString();
    const write = (file: UserFile) => ({
      ...file,
      tokens: file.tokens.map((one) => (one.id === token.id ? { ...one, last_used_at } : one)),
    });
    this.#later(user, token.last_used_at ?? "", write);
  }

  #later(user: string, stored: string, write: (file: UserFile) => UserFile): void {
    if (Date.now() - (Date.parse(stored) || 0) < STALE_MS || this.#resting.has(user)) return;
    this.#resting.add(user);
    setTimeout(() => this.#resting.delete(user), REST_MS).unref();
    // A disk that takes nothing is told elsewhere.
    this.files.change(user, write).catch(() => {});
  }
}
