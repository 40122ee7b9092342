/** People on disk: one TOML file each. Ids are never reused: the file of a deleted user stays. */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { AppError } from "../../lib/api/errors";
import { diskFull, listNames } from "../files";
import { isUserId, type Layout } from "../paths";
import type { TomlFiles } from "../toml-file";
import type { Hasher } from "./hash";

/** A sign-in ends after this, whatever the browser holds. Milliseconds. */
export const SIGN_IN_LIFETIME_MS = 30 * 24 * 3600 * 1000;
const MAX_SIGN_INS = 50;
export const MIN_PASSWORD = 8;

const signIn = z.looseObject({ sid: z.string(), created_at: z.string() });
/** Unknown members are kept when the file is written again. */
const userFile = z.looseObject({
  id: z.string(),
  name: z.string().catch(""),
  admin: z.boolean().catch(false),
  password_hash: z.string().optional().catch(undefined),
  password_is_initial: z.boolean().catch(false),
  deleted: z.boolean().catch(false),
  created_at: z.string().optional().catch(undefined),
  sign_ins: z.array(signIn).catch([]),
});
type UserFile = z.infer<typeof userFile>;

/** Changes of sign-ins that a full disk would not take: they hold all the same, and are written once there is space. */
interface Unwritten {
  added: UserFile["sign_ins"];
  ended: readonly string[];
}
const AGAIN_MS = 10_000;

/** What the rest of the server may know about a person. */
export interface User {
  id: string;
  name: string;
  admin: boolean;
  has_password: boolean;
  password_is_initial: boolean;
}

const live = (entry: { created_at: string }) => Date.now() - Date.parse(entry.created_at) < SIGN_IN_LIFETIME_MS;

function checkPassword(password: string): void {
  if ([...password].length < MIN_PASSWORD || password.length > 1_024) throw new AppError("invalid_password");
}

export class Users {
  readonly #unwritten = new Map<string, Unwritten>();
  /** When writing those was last tried. */
  #tried = 0;

  constructor(
    private readonly layout: Layout,
    private readonly files: TomlFiles,
    private readonly hasher: Hasher,
  ) {}

  /** null: no such user, or deleted. */
  async get(id: string): Promise<User | null> {
    const file = await this.load(id);
    return file && !file.deleted ? view(file) : null;
  }

  async list(): Promise<User[]> {
    const ids = (await listNames(this.layout.users)).map((name) => name.replace(/\.toml$/, "")).filter(isUserId);
    const users = await Promise.all(ids.map((id) => this.get(id)));
    return users.filter((user) => user !== null);
  }

  /** Ids of the admins. */
  async admins(): Promise<string[]> {
    return (await this.list()).filter((user) => user.admin).map((user) => user.id);
  }

  /** Throws `invalid_id`, `invalid_password`, or `exists` (also for the id of a deleted user). */
  async create(given: { id: string; name?: string; password?: string; admin?: boolean; initial?: boolean }) {
    if (!isUserId(given.id)) throw new AppError("invalid_id");
    if (given.password !== undefined) checkPassword(given.password);
    const password_hash = given.password === undefined ? undefined : await this.hasher.hash(given.password);
    return this.files.update(this.layout.user(given.id), (table) => {
      if (Object.keys(table).length > 0) throw new AppError("exists");
      const file: UserFile = {
        id: given.id,
        name: given.name?.trim() || given.id,
        admin: given.admin ?? false,
        password_hash,
        password_is_initial: given.initial ?? true,
        deleted: false,
        created_at: new Date().toISOString(),
        sign_ins: [],
      };
      return { table: file, result: view(file) };
    });
  }

  /** Is this the password of a live user? Costs the same for an unknown one. */
  async verify(id: string, password: string): Promise<User | null> {
    const file = await this.load(id);
    const fits = await this.hasher.fits(file && !file.deleted ? file.password_hash : undefined, password);
    return fits && file ? view(file) : null;
  }

  /** Sets the password. `initial`: somebody else chose it. `keep`: the only sign-in that stays; none ends all. */
  async setPassword(id: string, next: string, options: { initial: boolean; keep?: string }): Promise<void> {
    checkPassword(next);
    const password_hash = await this.hasher.hash(next);
    await this.change(id, (file) => ({
      ...file,
      password_hash,
      password_is_initial: options.initial,
      sign_ins: file.sign_ins.filter((entry) => entry.sid === options.keep),
    }));
  }

  async patch(id: string, values: { name?: string; admin?: boolean }): Promise<User> {
    await this.change(id, (file) => ({ ...file, name: values.name ?? file.name, admin: values.admin ?? file.admin }));
    const user = await this.get(id);
    if (!user) throw new AppError("not_found");
    return user;
  }

  /** Ends every sign-in; the file stays so that the id is never given to anybody else. */
  async remove(id: string): Promise<void> {
    await this.change(id, (file) => ({ ...file, deleted: true, password_hash: undefined, sign_ins: [] }));
  }

  /** Records a new sign-in and returns its id. A full disk keeps nobody out. */
  async addSignIn(id: string): Promise<string> {
    const sid = randomBytes(16).toString("base64url");
    const entry = { sid, created_at: new Date().toISOString() };
    await this.changeSignIns(id, { added: [entry], ended: [] });
    return sid;
  }

  async endSignIn(id: string, sid: string): Promise<void> {
    await this.changeSignIns(id, { added: [], ended: [sid] });
  }

  /** The user of a sign-in that still lives; null otherwise. */
  async signedIn(id: string, sid: string): Promise<User | null> {
    const file = await this.load(id);
    if (!file || file.deleted) return null;
    if (this.#unwritten.has(id) && Date.now() - this.#tried > AGAIN_MS) {
      this.#tried = Date.now();
      this.change(id, (now) => now).catch(() => {});
    }
    return file.sign_ins.some((entry) => entry.sid === sid && live(entry)) ? view(file) : null;
  }

  private async changeSignIns(id: string, { added, ended }: Unwritten): Promise<void> {
    try {
      await this.change(id, (file) => withSignIns(file, { added, ended }));
    } catch (error) {
      if (!diskFull(error)) throw error;
      console.error(`[users] the disk is full: a change of ${id}'s sign-ins is kept in memory until it can be written`);
      const before = this.#unwritten.get(id) ?? { added: [], ended: [] };
      this.#unwritten.set(id, { added: [...before.added, ...added], ended: [...before.ended, ...ended] });
    }
  }

  private async load(id: string): Promise<UserFile | null> {
    if (!isUserId(id)) return null;
    const table = await this.files.read(this.layout.user(id));
    const parsed = userFile.safeParse(table);
    return parsed.success && parsed.data.id === id ? withSignIns(parsed.data, this.#unwritten.get(id)) : null;
  }

  private async change(id: string, change: (file: UserFile) => UserFile): Promise<void> {
    if (!isUserId(id)) throw new AppError("not_found");
    const written = await this.files.update(this.layout.user(id), (table) => {
      const parsed = userFile.safeParse(table);
      if (!parsed.success || parsed.data.deleted) throw new AppError("not_found");
      const unwritten = this.#unwritten.get(id);
      return { table: change(withSignIns(parsed.data, unwritten)), result: unwritten };
    });
    if (this.#unwritten.get(id) === written) this.#unwritten.delete(id);
  }
}

function withSignIns(file: UserFile, changes: Unwritten | undefined): UserFile {
  if (!changes) return file;
  const known = new Set(file.sign_ins.map(({ sid }) => sid));
  const all = [...file.sign_ins.filter(live), ...changes.added.filter(({ sid }) => !known.has(sid))];
  return { ...file, sign_ins: all.filter(({ sid }) => !changes.ended.includes(sid)).slice(-MAX_SIGN_INS) };
}

function view(file: UserFile): User {
  const { id, name, admin, password_is_initial } = file;
  return { id, name: name || id, admin, has_password: file.password_hash !== undefined, password_is_initial };
}
