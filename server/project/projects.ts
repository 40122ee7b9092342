/** Projects on disk: a folder of the data root with a config file, a member file or Agents in it. */
import { mkdir, stat } from "node:fs/promises";
import { z } from "zod";
import { AppError } from "../../lib/api/errors";
import type { Me } from "../../lib/api/schemas";
import type { PatchProjectBody, ProjectDefaults } from "../../lib/api/team";
import { approvalMode, visibility } from "../../lib/omni/message";
import { listNames } from "../files";
import { Going } from "../going";
import { DEFAULT_PROJECT, isGenericId, isNewId, type Layout } from "../paths";
import type { TomlFiles } from "../toml-file";
import { Members } from "./members";

const named = z.looseObject({ name: z.string().trim().min(1).optional().catch(undefined) });

/** `[default_chat]`: what a Session begins with. Values that make no sense count as absent. */
const chat = z.looseObject({
  visibility: visibility.optional().catch(undefined),
  approval_mode: approvalMode.optional().catch(undefined),
});
/** `[sharing]`: what share links of the Project may do. */
const sharing = z.looseObject({ public_links: z.boolean().optional().catch(undefined) });
const withSharing = z.looseObject({ sharing: sharing.catch({}).optional() });
const withChat = z.looseObject({ default_chat: chat.catch({}).optional() });

export class Projects {
  readonly members: Members;
  readonly #going = new Going();
  constructor(
    private readonly layout: Layout,
    private readonly files: TomlFiles,
  ) {
    this.members = new Members(layout, files);
  }

  async exists(id: string): Promise<boolean> {
    if (!isGenericId(id) || this.#going.has(this.layout.project(id))) return false;
    const marks = [this.layout.projectConfig(id), this.layout.members(id), this.layout.agents(id)];
    const found = await Promise.all(
      marks.map((path) =>
        stat(path).then(
          () => true,
          () => false,
        ),
      ),
    );
    return found.includes(true);
  }

  /** Ids of all Projects, sorted. */
  async ids(): Promise<string[]> {
    const names = (await listNames(this.layout.root)).filter(isGenericId);
    const exist = await Promise.all(names.map((name) => this.exists(name)));
    return names.filter((_, i) => exist[i]);
  }

  role(project: string, person: { id: string; admin: boolean }) {
    return this.members.role(project, person);
  }

  /** The Projects of a person. Admins are not members by being admins; of one whose members cannot be read nobody is. */
  async of(person: { id: string; admin: boolean }): Promise<Me["projects"]> {
    const found = await Promise.all(
      (await this.ids()).map(async (id) => {
        const role = await this.role(id, person).catch(() => null);
        return role ? [{ id, name: await this.name(id), role }] : [];
      }),
    );
    return found.flat();
  }

  /** Where a person is named as a member, and whether nobody else owns the Project. */
  async membershipsOf(user: string): Promise<{ project: string; last_owner: boolean }[]> {
    const found = await Promise.all(
      (await this.ids()).map(async (project) => {
        const members = (await this.members.list(project).catch(() => null)) ?? [];
        if (!members.some((member) => member.user === user)) return [];
        const owners = members.filter(({ role }) => role === "owner");
        return [{ project, last_owner: owners.length === 1 && owners[0]?.user === user }];
      }),
    );
    return found.flat();
  }

  /** Display name; the id when there is none or the config cannot be read. */
  async name(id: string): Promise<string> {
    const table = await this.files.read(this.layout.projectConfig(id)).catch(() => null);
    return named.safeParse(table).data?.name ?? id;
  }

  /** Throws `invalid_id` or `exists`. The folder is private from the first moment. */
  async create(id: string, name: string | undefined, owner: string): Promise<void> {
    if (!isNewId(id)) throw new AppError("invalid_id");
    if (this.#going.has(this.layout.project(id))) throw new AppError("exists");
    await mkdir(this.layout.root, { recursive: true, mode: 0o700 });
    await mkdir(this.layout.project(id), { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "EEXIST" ? new AppError("exists") : error;
    });
    await this.members.start(id, owner);
    await this.rename(id, name ?? id);
  }

  async rename(id: string, name: string): Promise<void> {
    await this.change(id, { name });
  }

  /** What Sessions of this Project begin with; a config that cannot be read changes nothing. */
  async defaults(id: string): Promise<ProjectDefaults> {
    const table = await this.files.read(this.layout.projectConfig(id)).catch(() => null);
    const given = withChat.parse(table ?? {}).default_chat;
    return { visibility: given?.visibility ?? "team", approval_mode: given?.approval_mode ?? "read-only" };
  }

  /** May share links of this Project be read without a sign-in? A config that cannot be read allows nothing. */
  async publicLinks(id: string): Promise<boolean> {
    const table = await this.files.read(this.layout.projectConfig(id)).catch(() => null);
    return withSharing.safeParse(table ?? {}).data?.sharing?.public_links === true;
  }

  /** Changes what is named; everything else in the file stays. */
  async change(id: string, { name, public_links, ...defaults }: PatchProjectBody): Promise<void> {
    await this.files.update(this.layout.projectConfig(id), (table) => {
      const given = Object.entries(defaults).filter(([, value]) => value !== undefined);
      const next = { ...withChat.parse(table).default_chat, ...Object.fromEntries(given) };
      const changed = given.length > 0 ? { default_chat: next } : {};
      const shared =
        public_links === undefined ? {} : { sharing: { ...withSharing.parse(table).sharing, public_links } };
      return { table: { ...table, ...(name === undefined ? {} : { name }), ...changed, ...shared }, result: undefined };
    });
  }

  /** Removes the Project with everything in it, once `stop` ended its Sessions. It is out of sight from the first moment. */
  async remove(id: string, stop: () => Promise<void>): Promise<void> {
    if (id === DEFAULT_PROJECT) throw new AppError("forbidden", "The default Project cannot be deleted.");
    await this.#going.remove(this.layout.project(id), id, stop);
  }
}
