/** People on disk: one TOML file each. Ids are never reused: the file of a deleted user stays. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { AppError } from "../../lib/api/errors";
import type { Preferences } from "../../lib/api/schemas";
import type { UserView } from "../../lib/api/team";
import { diskFull } from "../files";
import { isUserId, type Layout } from "../paths";
import type { TomlFiles } from "../toml-file";
import type { Hasher } from "./hash";
import { LastSeen } from "./last-seen";
import { live, type SignIn, type Unwritten, type UserFile, UserFiles, withSignIns } from "./user-file";

export const MIN_PASSWORD = 8;
/** How long an invitation or reset link works. Milliseconds. */
export const INVITATION_MS = 7 * 24 * 3600 * 1000;
/** Between two tries to write what a full disk did not take. */
const AGAIN_MS = 10_000;

/** What the rest of the server may know about a person. */
export type User = UserView;

function checkPassword(password: string): void {
  if ([...password].length < MIN_PASSWORD || password.length > 1_024) throw new AppError("invalid_password");
}

const digest = (secret: string) => createHash("sha256").update(secret).digest("hex");

export class Users {
  readonly store: UserFiles;
  readonly #seen: LastSeen;
  /** When writing sign-ins that did not fit on the disk was last tried. */
  #tried = 0;
  /** The change of who manages people that runs, or ran last. */
  #managing: Promise<unknown> = Promise.resolve();

  constructor(
    layout: Layout,
    files: TomlFiles,
    private readonly hasher: Hasher,
  ) {
    this.store = new UserFiles(layout, files);
    this.#seen = new LastSeen(this.store);
  }

  /** null: no such user, or deleted. */
  async get(id: string): Promise<User | null> {
    const file = await this.store.load(id);
    return file && !file.deleted ? view(file) : null;
  }

  async list(): Promise<User[]> {
    // A file that cannot be read keeps nobody from the others.
    const users = await Promise.all((await this.store.ids()).map((id) => this.get(id).catch(() => null)));
    return users.filter((user) => user !== null);
  }

  /** Ids of the admins who can sign in. */
  async admins(): Promise<string[]> {
    return (await this.list()).filter((user) => user.admin && !user.disabled).map((user) => user.id);
  }

  /** One change of who may manage people after the other: what it looked at holds until it is done. */
  alone<T>(change: () => Promise<T>): Promise<T> {
    const mine = this.#managing.then(change);
    this.#managing = mine.catch(() => {});
    return mine;
  }

  /** Throws `invalid_id`, `invalid_password`, or `exists` (also for the id of a deleted user). */
  async create(given: {
    id: string;
    name?: string;
    password?: string;
    admin?: boolean;
    initial?: boolean;
    oidc?: UserFile["oidc"];
  }): Promise<User> {
    if (!isUserId(given.id)) throw new AppError("invalid_id");
    if (given.password !== undefined) checkPassword(given.password);
    const file: UserFile = {
      id: given.id,
      name: given.name?.trim() || given.id,
      admin: given.admin ?? false,
      disabled: false,
      password_hash: given.password === undefined ? undefined : await this.hasher.hash(given.password),
      password_is_initial: given.initial ?? true,
      deleted: false,
      created_at: new Date().toISOString(),
      sign_ins: [],
      tokens: [],
      oidc: given.oidc,
    };
    await this.store.create(file);
    return view(file);
  }

  /** Is this the password of a live user? Costs the same for an unknown one. */
  async verify(id: string, password: string): Promise<User | null> {
    const file = await this.store.load(id);
    const may = file && !file.deleted && !file.disabled;
    const fits = await this.hasher.fits(may ? file.password_hash : undefined, password);
    return fits && file ? view(file) : null;
  }

  /** Sets the password. `initial`: somebody else chose it. `keep`: the only sign-in that stays; none ends all. */
  async setPassword(id: string, next: string, options: { initial: boolean; keep?: string }): Promise<void> {
    checkPassword(next);
    const password_hash = await this.hasher.hash(next);
    await this.store.change(id, (file) => ({
      ...file,
      password_hash,
      password_is_initial: options.initial,
      invitation: undefined,
      sign_ins: file.sign_ins.filter((entry) => entry.sid === options.keep),
    }));
  }

  /** The token of a link that sets the password once. The password so far, every sign-in and an older link are void. */
  async invite(id: string, now = Date.now()): Promise<{ token: string; until: string }> {
    const token = `${id}.${randomBytes(32).toString("base64url")}`;
    const until = new Date(now + INVITATION_MS).toISOString();
    await this.store.change(id, (file) => ({
      ...file,
      password_hash: undefined,
      invitation: { hash: digest(token), until },
      sign_ins: [],
    }));
    return { token, until };
  }

  /** Uses a link up and sets the password. null: wrong, used, expired, or its person may not sign in. */
  async redeem(token: string, password: string, now = Date.now()): Promise<string | null> {
    checkPassword(password);
    const id = token.split(".")[0] ?? "";
    const fits = (file: UserFile | null) =>
      file !== null && !file.deleted && !file.disabled && fitsInvitation(file.invitation, token, now);
    if (!fits(await this.store.load(id))) return null;
    const password_hash = await this.hasher.hash(password);
    let used = false;
    await this.store.change(id, (file) => {
      if (!fits(file)) return file;
      used = true;
      return { ...file, password_hash, password_is_initial: false, invitation: undefined, sign_ins: [] };
    });
    return used ? id : null;
  }

  /** `disabled` ends every sign-in. */
  async patch(id: string, values: { name?: string; admin?: boolean; disabled?: boolean }): Promise<User> {
    await this.store.change(id, (file) => ({
      ...file,
      name: values.name ?? file.name,
      admin: values.admin ?? file.admin,
      admin_by_group: values.admin === undefined ? file.admin_by_group : undefined,
      disabled: values.disabled ?? file.disabled,
      sign_ins: values.disabled ? [] : file.sign_ins,
    }));
    const user = await this.get(id);
    if (!user) throw new AppError("not_found");
    return user;
  }

  /** Ends every sign-in and token; the file stays so that the id is never given to anybody else. */
  async remove(id: string): Promise<void> {
    const nothing = { password_hash: undefined, invitation: undefined, sign_ins: [], tokens: [] };
    await this.store.change(id, (file) => ({ ...file, ...nothing, deleted: true }));
  }

  async preferences(id: string): Promise<Preferences> {
    const { language, theme } = (await this.store.load(id))?.preferences ?? {};
    return { ...(language ? { language } : {}), ...(theme ? { theme } : {}) };
  }
  async setPreferences(id: string, given: Preferences): Promise<void> {
    await this.store.change(id, (file) => ({ ...file, preferences: { ...file.preferences, ...given } }));
  }

  /** Records a new sign-in and returns its id. A full disk keeps nobody out. `lifetime`: milliseconds, if it is short. */
  async addSignIn(id: string, device?: string, lifetime?: number): Promise<string> {
    const sid = randomBytes(16).toString("base64url");
    const now = Date.now();
    const ends = lifetime ? { expires_at: new Date(now + lifetime).toISOString() } : {};
    const entry: SignIn = { sid, created_at: new Date(now).toISOString(), ...(device ? { device } : {}), ...ends };
    await this.changeSignIns(id, { added: [entry], ended: [] });
    return sid;
  }

  async endSignIn(id: string, sid: string): Promise<void> {
    await this.changeSignIns(id, { added: [], ended: [sid] });
  }

  /** The live sign-ins, newest first, with the time each was last used. */
  async signIns(id: string): Promise<(SignIn & { last_seen_at: string })[]> {
    const file = await this.store.load(id);
    const alive = (file?.sign_ins ?? []).filter(live).toReversed();
    return alive.map((entry) => ({ ...entry, last_seen_at: this.#seen.of(entry) }));
  }

  /** The user of a sign-in that still lives; null otherwise. */
  async signedIn(id: string, sid: string): Promise<User | null> {
    const file = await this.store.load(id);
    if (!file || file.deleted || file.disabled) return null;
    if (this.store.hasUnwritten(id) && Date.now() - this.#tried > AGAIN_MS) {
      this.#tried = Date.now();
      this.store.change(id, (now) => now).catch(() => {});
    }
    const entry = file.sign_ins.find((one) => one.sid === sid && live(one));
    if (!entry) return null;
    this.#seen.note(id, entry);
    return view(file);
  }

  private async changeSignIns(id: string, changes: Unwritten): Promise<void> {
    try {
      await this.store.change(id, (file) => withSignIns(file, changes));
    } catch (error) {
      if (!diskFull(error)) throw error;
      console.error(`[users] the disk is full: a change of ${id}'s sign-ins is kept in memory until it can be written`);
      this.store.keepUnwritten(id, changes);
    }
  }
}

function fitsInvitation(given: UserFile["invitation"], token: string, now: number): boolean {
  if (!given || !(now <= Date.parse(given.until))) return false;
  const [mine, theirs] = [Buffer.from(given.hash), Buffer.from(digest(token))];
  return mine.length === theirs.length && timingSafeEqual(mine, theirs);
}

export function view(file: UserFile): User {
  const { id, name, admin, disabled, password_is_initial, last_sign_in_at, invitation, created_at } = file;
  const invited = invitation && Date.parse(invitation.until) > Date.now() ? { invited_until: invitation.until } : {};
  return {
    id,
    name: name || id,
    admin,
    ...(disabled ? { disabled: true as const } : {}),
    ...(file.oidc ? { single_sign_on: true as const } : {}),
    has_password: file.password_hash !== undefined,
    password_is_initial,
    ...(created_at ? { created_at } : {}),
    ...(last_sign_in_at ? { last_sign_in_at } : {}),
    ...invited,
  };
}
