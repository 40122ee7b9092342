/** The file of a person: its schema, read and written. Sign-ins hold also while a full disk cannot take them. */
import { z } from "zod";
import { AppError } from "../../lib/api/errors";
import { TOKEN_SCOPES } from "../../lib/api/team-values";
import { listNames } from "../files";
import { isUserId, type Layout } from "../paths";
import type { TomlFiles } from "../toml-file";

/** A sign-in ends after this, whatever the browser holds. Milliseconds. */
export const SIGN_IN_LIFETIME_MS = 30 * 24 * 3600 * 1000;
const MAX_SIGN_INS = 50;

const text = z.string().optional().catch(undefined);
const signIn = z.looseObject({
  sid: z.string(),
  created_at: z.string(),
  /** Browser and system, as they called themselves. */
  device: text,
  last_seen_at: text,
  /** It ends earlier than others. */
  expires_at: text,
});
/** Only the hash of its secret is kept. */
const token = z.looseObject({
  id: z.string(),
  name: z.string(),
  hash: z.string(),
  scopes: z.array(z.enum(TOKEN_SCOPES)).catch([]),
  /** Absent: all Projects of the person. */
  projects: z.array(z.string()).optional(),
  created_at: z.string(),
  expires_at: text,
  last_used_at: text,
});
export type StoredToken = z.infer<typeof token>;

/** Unknown members are kept when the file is written again. */
const userFile = z.looseObject({
  id: z.string(),
  name: z.string().catch(""),
  admin: z.boolean().catch(false),
  disabled: z.boolean().catch(false),
  password_hash: text,
  password_is_initial: z.boolean().catch(false),
  deleted: z.boolean().catch(false),
  created_at: text,
  last_sign_in_at: text,
  sign_ins: z.array(signIn).catch([]),
  /** The one link that sets a password: hash of its token, and until when. */
  invitation: z.looseObject({ hash: z.string(), until: z.string() }).optional().catch(undefined),
  tokens: z.array(token).catch([]),
  preferences: z.looseObject({ language: text, theme: text }).optional().catch(undefined),
  /** Who this is to the OpenID provider. Nothing else ever connects the two. */
  oidc: z.looseObject({ issuer: z.string(), sub: z.string() }).optional().catch(undefined),
  /** A group of that provider made this person an admin. */
  admin_by_group: z.boolean().optional().catch(undefined),
});
export type UserFile = z.infer<typeof userFile>;
export type SignIn = UserFile["sign_ins"][number];

/** Changes of sign-ins that a full disk would not take: they hold all the same, and are written once there is space. */
export interface Unwritten {
  added: SignIn[];
  ended: readonly string[];
}

export class UserFiles {
  readonly #unwritten = new Map<string, Unwritten>();

  constructor(
    private readonly layout: Layout,
    private readonly files: TomlFiles,
  ) {}

  async ids(): Promise<string[]> {
    return (await listNames(this.layout.users)).map((name) => name.replace(/\.toml$/, "")).filter(isUserId);
  }

  /** null: no such person. A deleted one has a file. */
  async load(id: string): Promise<UserFile | null> {
    if (!isUserId(id)) return null;
    const table = await this.files.read(this.layout.user(id));
    const parsed = userFile.safeParse(table);
    return parsed.success && parsed.data.id === id ? withSignIns(parsed.data, this.#unwritten.get(id)) : null;
  }

  /** A new file. Throws `exists`, also for the id of a deleted person. */
  async create(file: UserFile): Promise<void> {
    await this.files.update(this.layout.user(file.id), (table) => {
      if (Object.keys(table).length > 0) throw new AppError("exists");
      return { table: file, result: undefined };
    });
  }

  /** Throws `not_found` for nobody and for the deleted. */
  async change(id: string, change: (file: UserFile) => UserFile): Promise<void> {
    if (!isUserId(id)) throw new AppError("not_found");
    const written = await this.files.update(this.layout.user(id), (table) => {
      const parsed = userFile.safeParse(table);
      if (!parsed.success || parsed.data.deleted) throw new AppError("not_found");
      const unwritten = this.#unwritten.get(id);
      return { table: change(withSignIns(parsed.data, unwritten)), result: unwritten };
    });
    if (this.#unwritten.get(id) === written) this.#unwritten.delete(id);
  }

  /** Keeps a change of sign-ins in memory until the next change of the file takes it along. */
  keepUnwritten(id: string, { added, ended }: Unwritten): void {
    const before = this.#unwritten.get(id) ?? { added: [], ended: [] };
    this.#unwritten.set(id, { added: [...before.added, ...added], ended: [...before.ended, ...ended] });
  }

  hasUnwritten(id: string): boolean {
    return this.#unwritten.has(id);
  }
}

export const live = ({ created_at, expires_at }: { created_at: string; expires_at?: string }): boolean =>
  Date.now() - Date.parse(created_at) < SIGN_IN_LIFETIME_MS &&
  (expires_at === undefined || Date.now() < Date.parse(expires_at));

export function withSignIns(file: UserFile, changes: Unwritten | undefined): UserFile {
  if (!changes) return file;
  const known = new Set(file.sign_ins.map(({ sid }) => sid));
  const all = [...file.sign_ins.filter(live), ...changes.added.filter(({ sid }) => !known.has(sid))];
  const last = changes.added.at(-1)?.created_at ?? file.last_sign_in_at;
  return {
    ...file,
    sign_ins: all.filter(({ sid }) => !changes.ended.includes(sid)).slice(-MAX_SIGN_INS),
    last_sign_in_at: last,
  };
}
