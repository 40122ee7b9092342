/** Who belongs to a Project. Without a member file the admins own it. */
import { z } from "zod";
import { AppError } from "../../lib/api/errors";
import type { Role } from "../../lib/api/schemas";
import { isGenericId, type Layout } from "../paths";
import type { TomlFiles } from "../toml-file";

const member = z.looseObject({ user: z.string(), role: z.enum(["owner", "member", "viewer"]) });
const memberFile = z.looseObject({ members: z.array(z.unknown()).catch([]) });
export type Member = { user: string; role: Role };

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
      if (!members.some((other) => other.user === entry.user)) throw new AppError("not_found");
      const next = members.map((other) => (other.user === entry.user ? { ...other, role: entry.role } : other));
      requireOwner(next);
      return next;
    });
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
