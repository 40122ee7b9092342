/** Who belongs to a Project. Without a member file the admins own it. */
import { z } from "zod";
import { AppError } from "../../lib/api/errors";
import type { Role } from "../../lib/api/schemas";
import { isGenericId, type Layout } from "../paths";
import type { TomlFiles } from "../toml-file";

/** The lowest first. */
export const ROLES = ["viewer", "member", "owner"] as const satisfies Role[];
const optionalRole = z.enum(ROLES).optional().catch(undefined);
const member = z.looseObject({
  user: z.string(),
  /** The one in force. */
  role: z.enum(ROLES),
  /** What a group of the OpenID provider gives, and what somebody gave beside it. */
  by_group: optionalRole,
  by_hand: optionalRole,
});
const memberFile = z.looseObject({ members: z.array(z.unknown()).catch([]) });
export type Member = { user: string; role: Role; by_group?: Role; by_hand?: Role };

export const higher = (one: Role, other: Role): Role => (ROLES.indexOf(one) > ROLES.indexOf(other) ? one : other);

function parseMembers(table: unknown): Member[] {
  const { members } = memberFile.parse(table);
  return members.flatMap((entry) => {
    const parsed = member.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}

function requireOwner(members: Member[]): void {
  if (!members.some((entry) => entry.role === "owner")) {
    throw new AppError("last_owner");
  }
}

export class Members {
  constructor(
    private readonly layout: Layout,
    private readonly files: TomlFiles,
  ) {}

  /** null: no member file, the admins own the Project. */
  async list(project: string): Promise<Member[] | null> {
    const table = await this.files.read(this.layout.members(project));
    return table && parseMembers(table);
  }

  /** The role of a person in a Project that exists; null: none. */
  async role(project: string, person: { id: string; admin: boolean }): Promise<Role | null> {
    if (!isGenericId(project)) return null;
    const members = await this.list(project);
    if (!members) return person.admin ? "owner" : null;
    return members.find((entry) => entry.user === person.id)?.role ?? null;
  }

  /** `admins`: who owned the Project so far when it has no member file yet. Throws `exists`. */
  async add(project: string, entry: Member, admins: string[]): Promise<void> {
    await this.change(project, admins, (members) => {
      if (members.some((other) => other.user === entry.user)) {
        throw new AppError("exists", "This person is already a member.");
      }
      return [...members, entry];
    });
  }

  /** Throws `not_found`, or `last_owner`. */
  async setRole(project: string, entry: Member, admins: string[]): Promise<void> {
    await this.change(project, admins, (members) => {
      const found = members.find((other) => other.user === entry.user);
      if (!found) throw new AppError("not_found");
      const { by_group } = found;
      if (by_group && higher(by_group, entry.role) !== entry.role) throw new AppError("role_by_group");
      const changed = { ...found, role: entry.role, by_hand: by_group && entry.role };
      const next = members.map((other) => (other === found ? changed : other));
      requireOwner(next);
      return next;
    });
  }

  /**
   * What the groups of the OpenID provider give this person now; null: nothing. A role given by hand stays, the higher
   * one holds. Resolves with the role before and after, when that changed. Throws `last_owner`, and then changes nothing.
   */
  async setByGroup(
    project: string,
    user: string,
    role: Role | null,
    admins: string[],
  ): Promise<{ before: Role | null; after: Role | null } | null> {
    const known = (await this.list(project))?.find((entry) => entry.user === user);
    if (known?.by_group === (role ?? undefined)) return null;
    let change: { before: Role | null; after: Role | null } | null = null;
    await this.change(project, admins, (members) => {
      const found = members.find((entry) => entry.user === user);
      const byHand = found && (found.by_group ? found.by_hand : found.role);
      const after = role && byHand ? higher(role, byHand) : (role ?? byHand ?? null);
      const given = role ? { by_group: role, by_hand: byHand } : { by_group: undefined, by_hand: undefined };
      const entry = after && { ...found, user, role: after, ...given };
      const others = members.flatMap((other) => (other === found ? (entry ?? []) : other));
      const next = found || !entry ? others : [...others, entry];
      if (found?.role === "owner" && after !== "owner") requireOwner(next);
      const before = found?.role ?? null;
      if (before !== after) change = { before, after };
      return next;
    });
    return change;
  }

  async remove(project: string, user: string, admins: string[]): Promise<void> {
    await this.change(project, admins, (members) => {
      const next = members.filter((other) => other.user !== user);
      if (next.length === members.length) throw new AppError("not_found");
      requireOwner(next);
      return next;
    });
  }

  /** The member file of a new Project. */
  async start(project: string, owner: string): Promise<void> {
    await this.files.update(this.layout.members(project), () => ({
      table: { members: [{ user: owner, role: "owner" }] },
      result: undefined,
    }));
  }

  private async change(project: string, admins: string[], change: (members: Member[]) => Member[]): Promise<void> {
    await this.files.update(this.layout.members(project), (table) => {
      const stored =
        "members" in table ? parseMembers(table) : admins.map((user) => ({ user, role: "owner" as const }));
      return { table: { ...table, members: change(stored) }, result: undefined };
    });
  }
}
