/** Share links of Sessions: who may make one, what goes into it, who may read it, and when that ends. */
import { createHash } from "node:crypto";
import { homedir, hostname, userInfo } from "node:os";
import { AppError } from "../../lib/api/errors";
import type { CreateShareBody, Masked, ShareChoice, SharedContent, ShareEnd, ShareView } from "../../lib/api/share";
import type { RecordAddress } from "../../lib/omni/message";
import type { TaskBlock } from "../../lib/trace/transcript-items";
import type { Agents } from "../agent/agent";
import type { AgentRef, Layout } from "../paths";
import type { Models } from "../project/models";
import type { Projects } from "../project/projects";
import type { SessionFacts } from "../trace/catalog";
import type { TraceStore } from "../trace/store";
import { isVisible } from "../trace/visible";
import type { Users } from "../users/users";
import { freeze } from "./freeze";
import { type Known, Mask } from "./mask";
import { endOf, type Link, type Shares } from "./shares";
import { readTurns } from "./turns";

/** A preview is good for so long. Milliseconds. */
const PREVIEW_MS = 2 * 3600 * 1000;
/** Who is no owner chooses an end within this time. Milliseconds. */
const MAX_MS = 366 * 24 * 3600 * 1000;

export interface Parts {
  layout: Layout;
  shares: Shares;
  traces: TraceStore;
  agents: Pick<Agents, "list" | "vault">;
  models: Pick<Models, "secrets">;
  users: Pick<Users, "get" | "store">;
  projects: Projects;
  /** Secrets of the server itself. */
  secrets: readonly string[];
}
export interface Ref extends AgentRef {
  session: string;
}
export interface Prepared {
  content: SharedContent;
  masked: Masked[];
  digest: string;
}

export class ShareDesk {
  constructor(private readonly parts: Parts) {}

  /** The copy as it would be made now. Throws `bad_request` when nothing is left in it, `payload_too_large`. */
  async prepare(ref: Ref, facts: SessionFacts, choice: ShareChoice, by: string, at: string): Promise<Prepared> {
    const blocks = await readTurns(this.parts.traces, ref, ref.session, choice.turns);
    if (!blocks) throw new AppError("payload_too_large", TOO_MUCH);
    const people = await this.#people(ref.project, blocks, by);
    const mask = new Mask({
      known: await this.#known(ref.project),
      names: choice.names ? [] : [...people].flat().concat(accountNames()),
      places: choice.paths ? null : this.#places(facts),
      hide: choice.hide,
    });
    const nameOf = (user: string) => people.get(user) ?? user;
    const personOf = (user: string, at: RecordAddress | undefined) =>
      isImported(facts, at) ? { author: user, from_file: true as const } : { author: nameOf(user) };
    const { tools, thinking, names } = choice;
    const turns = await freeze(blocks, { tools, thinking, names, mask, personOf });
    if (!turns) throw new AppError("payload_too_large", TOO_MUCH);
    if (turns.length === 0) throw new AppError("bad_request", "Nothing of the chosen turns can be shared.");
    const title = await mask.text(choice.title);
    const content: SharedContent = { title, at, ...(names ? { by: nameOf(by) } : {}), turns };
    const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
    return { content, masked: mask.found, digest };
  }

  /** The link for what was previewed. Throws `share_changed` when that would come out differently now. */
  async create(ref: Ref, facts: SessionFacts, body: CreateShareBody, person: { id: string; owner: boolean }) {
    const age = Date.now() - Date.parse(body.at);
    if (!(age > -60_000 && age < PREVIEW_MS)) throw new AppError("share_changed");
    await this.#checkTerms(ref.project, body, person.owner);
    const { content, digest } = await this.prepare(ref, facts, body, person.id, body.at);
    if (digest !== body.digest) throw new AppError("share_changed");
    const file = {
      agent: ref.agent,
      session_id: ref.session,
      title: content.title,
      turns: content.turns.length,
      public: body.public,
      created_by: person.id,
      created_at: new Date().toISOString(),
      ...(body.expires ? { expires_at: body.expires } : {}),
    };
    return this.parts.shares.create(ref.project, file, content);
  }

  async #checkTerms(project: string, body: CreateShareBody, owner: boolean): Promise<void> {
    if (body.public && !(await this.parts.projects.publicLinks(project))) {
      throw new AppError("forbidden", "This Project does not allow links that are read without a sign-in.");
    }
    if (body.expires === null && !owner) {
      throw new AppError("forbidden", "Only owners make links without an end.");
    }
    const left = body.expires === null ? 1 : Date.parse(body.expires) - Date.now();
    if (left <= 0) throw new AppError("bad_request", "The link would be expired already.");
    if (left > MAX_MS && !owner) throw new AppError("bad_request", "A link works for a year at most.");
  }

  /** Why nobody can read it any more; checked with every reading, so that what changed on the disk counts too. */
  async endOf(link: Link): Promise<ShareEnd | undefined> {
    const ended = endOf(link);
    if (ended) return ended;
    if (!(await this.#mayStill(link))) return "maker_left";
    const facts = await this.#facts(link);
    const visible = facts !== null && (await isVisible(this.parts.traces, link, facts, link.created_by));
    return visible ? undefined : "unavailable";
  }

  /** Can whoever made it still sign in and work here? */
  async #mayStill({ project, created_by }: Link): Promise<boolean> {
    const maker = await this.parts.users.get(created_by).catch(() => null);
    if (!maker || maker.disabled) return false;
    const role = await this.parts.projects.role(project, maker);
    return role === "owner" || role === "member";
  }

  #facts(link: Link): Promise<SessionFacts | null> {
    return this.parts.traces.session(link, link.session_id).catch(() => null);
  }

  /** The link of a token that can be read now; null for everything else. `public`: without a sign-in. */
  async open(token: string): Promise<{ link: Link; public: boolean } | null> {
    const { projects, shares } = this.parts;
    const link = await shares.find(token, () => projects.ids());
    if (!link || (await this.endOf(link))) return null;
    return { link, public: link.public && (await projects.publicLinks(link.project)) };
  }

  /** Links as this person may know of them. Of a private Session of somebody else: that there is a link. */
  async views(
    project: string,
    person: { id: string; owner: boolean },
    of?: Omit<Ref, "project">,
  ): Promise<ShareView[]> {
    const links = (await this.parts.shares.list(project)).filter(
      ({ agent, session_id }) => !of || (agent === of.agent && session_id === of.session),
    );
    const views = await Promise.all(links.map((link) => this.view(link, person)));
    return views.filter((view) => view !== null);
  }

  async view(link: Link, person: { id: string; owner: boolean }): Promise<ShareView | null> {
    const facts = await this.#facts(link);
    const visible = facts !== null && (await isVisible(this.parts.traces, link, facts, person.id));
    const mine = link.created_by === person.id || person.owner;
    if (!visible && !mine) return null;
    const { count, last } = await this.parts.shares.readings(link);
    const ended = await this.endOf(link);
    const maker = await this.parts.users.get(link.created_by).catch(() => null);
    const { id, agent, session_id, title, turns, created_by, created_at, expires_at } = link;
    return {
      id,
      ...(visible ? { agent, session_id, title } : {}),
      turns,
      public: link.public,
      created_by,
      created_by_name: maker?.name ?? created_by,
      created_at,
      ...(expires_at ? { expires_at } : {}),
      ...(ended ? { ended } : {}),
      reads: count,
      ...(last ? { last_read_at: last } : {}),
      mine,
    };
  }

  // ---- what must not be read ------------------------------------------------------------------------------------------

  async #known(project: string): Promise<Known[]> {
    const { agents, models, secrets } = this.parts;
    const vaults = await Promise.all(
      (await agents.list(project)).map(({ id }) => agents.vault({ project, agent: id })),
    );
    return [
      ...vaults.flatMap((vault) => Object.values(vault).map((value) => ({ kind: "vault_value" as const, value }))),
      ...(await models.secrets(project)).map((value) => ({ kind: "model_key" as const, value })),
      ...secrets.map((value) => ({ kind: "server_secret" as const, value })),
    ];
  }

  /** Members of the Project, and whoever did something in these turns: id and name. */
  async #people(project: string, blocks: readonly TaskBlock[], by: string): Promise<Map<string, string>> {
    const members = ((await this.parts.projects.members.list(project)) ?? []).map(({ user }) => user);
    const ids = new Set([by, ...members, ...blocks.flatMap(({ items }) => items.flatMap(peopleOf))]);
    // Who was deleted is still called somehow.
    const named = [...ids].map(async (id) => {
      const file = await this.parts.users.store.load(id).catch(() => null);
      return [id, file?.name || id] as const;
    });
    return new Map(await Promise.all(named));
  }

  #places({ meta }: SessionFacts) {
    const others = [this.parts.layout.root, homedir(), process.cwd()];
    return { ...(meta?.workspace ? { workspace: meta.workspace } : {}), others };
  }
}

const TOO_MUCH = "This is more than a link can hold. Choose fewer turns, or leave tools out.";

/** Is this one of the lines that came in with an imported file? */
function isImported({ imported_lines }: SessionFacts, at: RecordAddress | undefined): boolean {
  const file = at && imported_lines?.find(({ file_index }) => file_index === at.file_index);
  return file !== undefined && (file.lines === null || (at?.line ?? 0) <= file.lines);
}

function peopleOf(item: TaskBlock["items"][number]): string[] {
  const named = [
    "author" in item ? item.author : undefined,
    "by" in item ? item.by : undefined,
    item.kind === "tool" ? item.decision?.by : undefined,
  ];
  return named.filter((id): id is string => typeof id === "string" && !id.includes(":"));
}

/** The account and the machine of the server, as listings show them. */
function accountNames(): string[] {
  try {
    const names = [userInfo().username, hostname()];
    return names.filter(
      (name) => name.length >= 4 && !/^(?:localhost|node|ubuntu|debian|docker|nobody|daemon)/.test(name),
    );
  } catch {
    return [];
  }
}
