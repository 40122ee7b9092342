/** Personal access tokens: shown once, kept as hashes in the person's file, never more than the person's own rights. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { AppError } from "../../lib/api/errors";
import type { CreateTokenBody, TokenView } from "../../lib/api/team";
import { LastSeen } from "./last-seen";
import type { StoredToken, UserFile, UserFiles } from "./user-file";
import { type User, view } from "./users";

/** What every token begins with: told from other Bearer values, and found in texts where it does not belong. */
export const TOKEN_PREFIX = "pht.";
const SHAPE = /^pht\.([a-z][a-z0-9_]{1,31})\.([0-9a-f]{12})\.([A-Za-z0-9_-]{43})$/;
const MAX_TOKENS = 50;

const digest = (secret: string) => createHash("sha256").update(secret).digest("hex");

export class Tokens {
  readonly #seen: LastSeen;

  constructor(private readonly files: UserFiles) {
    this.#seen = new LastSeen(files);
  }

  /** Throws `bad_request` for a time that has passed, or for more tokens than anybody needs. */
  async create(user: string, given: CreateTokenBody): Promise<{ token: string; view: TokenView }> {
    const secret = randomBytes(32).toString("base64url");
    const stored: StoredToken = {
      id: randomBytes(6).toString("hex"),
      name: given.name,
      hash: digest(secret),
      scopes: given.scopes,
      ...(given.projects ? { projects: given.projects } : {}),
      created_at: new Date().toISOString(),
      ...(given.expires ? { expires_at: given.expires } : {}),
    };
    if (expired(stored)) throw new AppError("bad_request", "The token would be expired already.");
    await this.files.change(user, (file) => {
      const tokens = file.tokens.filter((one) => !expired(one));
      if (tokens.length >= MAX_TOKENS) throw new AppError("bad_request", `${MAX_TOKENS} tokens are the limit.`);
      return { ...file, tokens: [...tokens, stored] };
    });
    return { token: `${TOKEN_PREFIX}${user}.${stored.id}.${secret}`, view: tokenView(stored) };
  }

  /** Newest first, expired ones too. */
  async list(user: string): Promise<TokenView[]> {
    return ((await this.files.load(user))?.tokens ?? []).map(tokenView).toReversed();
  }

  /** Throws `not_found`. */
  async revoke(user: string, id: string): Promise<void> {
    await this.files.change(user, (file) => {
      const tokens = file.tokens.filter((one) => one.id !== id);
      if (tokens.length === file.tokens.length) throw new AppError("not_found");
      return { ...file, tokens };
    });
  }

  /** Whose token this is, and what it may; null: wrong, revoked, expired, or of somebody who may not sign in. */
  async owner(given: string): Promise<{ user: User; token: StoredToken } | null> {
    const [, user = "", id = "", secret = ""] = SHAPE.exec(given) ?? [];
    const file = await this.files.load(user);
    const token = usable(file, id);
    if (!file || !token) return null;
    const [mine, theirs] = [Buffer.from(token.hash), Buffer.from(digest(secret))];
    if (mine.length !== theirs.length || !timingSafeEqual(mine, theirs)) return null;
    this.#seen.noteToken(user, token);
    return { user: view(file), token };
  }

  /** Does a token that was valid once still hold? For open streams. */
  async holds(user: string, id: string): Promise<boolean> {
    return usable(await this.files.load(user), id) !== undefined;
  }
}

const expired = ({ expires_at }: StoredToken) => expires_at !== undefined && !(Date.parse(expires_at) > Date.now());

function usable(file: UserFile | null, id: string): StoredToken | undefined {
  if (!file || file.deleted || file.disabled) return undefined;
  return file.tokens.find((one) => one.id === id && !expired(one));
}

function tokenView(token: StoredToken): TokenView {
  const { id, name, scopes, projects, created_at, expires_at, last_used_at } = token;
  return {
    id,
    name,
    scopes,
    ...(projects ? { projects } : {}),
    created_at,
    ...(expires_at ? { expires_at } : {}),
    ...(last_used_at ? { last_used_at } : {}),
    ...(expired(token) ? { expired: true } : {}),
  };
}
