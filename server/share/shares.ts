/**
 * Share links on disk, by the hash of their token: what is known about the link, its frozen copy, and who read it. The
 * token itself is nowhere. A link without its first file does not exist.
 */
import { createHash, randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { z } from "zod";
import type { SharedContent, ShareEnd, ShareRead } from "../../lib/api/share";
import { appendLine, createFile, listNames, readText, replaceFile } from "../files";
import { isShareHash, type Layout } from "../paths";

/** Bytes. */
const MAX_COPY = 16 * 1024 * 1024;
const MAX_READS = 512 * 1024;
/** How many readings are kept when there are too many. */
const KEPT_READS = 1_000;
/** The same reader within this time is one reading. Milliseconds. */
const ONE_READING_MS = 60_000;
/** Ended links stay in lists for so long. Milliseconds. */
const SHOWN_MS = 90 * 24 * 3600 * 1000;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

const linkFile = z.object({
  agent: z.string(),
  session_id: z.string(),
  title: z.string(),
  turns: z.number(),
  public: z.boolean(),
  created_by: z.string(),
  created_at: z.string(),
  expires_at: z.string().optional(),
  revoked: z.object({ at: z.string(), by: z.string(), why: z.enum(["revoked", "maker_left"]) }).optional(),
});
export type LinkFile = z.infer<typeof linkFile>;

const item = z.union([
  z.object({
    kind: z.literal("prompt"),
    text: z.string(),
    author: z.string().optional(),
    from_file: z.literal(true).optional(),
    left_out: z.number().optional(),
  }),
  z.object({ kind: z.enum(["answer", "thinking"]), html: z.string() }),
  z.object({ kind: z.literal("tool"), name: z.string(), arguments: z.string(), output: z.string().optional() }),
  z.object({ kind: z.enum(["picture", "stopped"]) }),
]);
const copyFile: z.ZodType<SharedContent> = z.object({
  title: z.string(),
  at: z.string(),
  by: z.string().optional(),
  turns: z.array(z.object({ items: z.array(item) })),
});
const readLine = z.object({ at: z.string(), by: z.string().optional(), device: z.string().optional() });

/** A link as the rest of the server knows it. */
export interface Link extends LinkFile {
  project: string;
  /** Its name in lists and in the log: the beginning of the hash. */
  id: string;
  hash: string;
}
export interface Readings {
  count: number;
  last?: string;
}

const digest = (token: string) => createHash("sha256").update(token).digest("hex");
const idOf = (hash: string) => hash.slice(0, 16);

/** Why a link does not work any more, as far as its file tells. */
export function endOf({ revoked, expires_at }: LinkFile): ShareEnd | undefined {
  if (revoked) return revoked.why;
  return expires_at !== undefined && !(Date.parse(expires_at) > Date.now()) ? "expired" : undefined;
}

export class Shares {
  /** When each reader of each link was last written down. */
  readonly #noted = new Map<string, number>();

  constructor(private readonly layout: Layout) {}

  /** The token of the new link: given away once, kept as a hash. */
  async create(project: string, file: LinkFile, content: SharedContent): Promise<{ token: string; link: Link }> {
    const token = randomBytes(32).toString("base64url");
    const hash = digest(token);
    // Without the other file it is nothing yet.
    await createFile(this.layout.shareCopy(project, hash), JSON.stringify(content));
    await createFile(this.layout.share(project, hash), JSON.stringify(file));
    return { token, link: { ...file, project, id: idOf(hash), hash } };
  }

  /** All links of a Project, newest first. What has ended loses its copy, and later its place in the list. */
  async list(project: string): Promise<Link[]> {
    const names = await listNames(this.layout.shares(project));
    const hashes = names.map((name) => name.replace(/\.json$/, "")).filter(isShareHash);
    const links: Link[] = [];
    for (const hash of hashes) {
      const link = await this.#read(project, hash);
      if (!link) continue;
      const ended = link.revoked?.at ?? (endOf(link) ? link.expires_at : undefined);
      if (ended !== undefined && Date.now() - Date.parse(ended) > SHOWN_MS) await this.#remove(link);
      else links.push(link);
      if (ended !== undefined) await rm(this.layout.shareCopy(project, hash), { force: true });
    }
    return links.sort((a, b) => b.created_at.localeCompare(a.created_at));
  }

  async get(project: string, id: string): Promise<Link | null> {
    return (await this.list(project)).find((link) => link.id === id) ?? null;
  }

  /** The link behind a token, in whichever of these Projects it lies; null: there is none. It may have ended. */
  async find(token: string, projects: () => Promise<string[]>): Promise<Link | null> {
    if (!TOKEN.test(token)) return null;
    const hash = digest(token);
    const found = await Promise.all((await projects()).map((project) => this.#read(project, hash)));
    return found.find((link) => link !== null) ?? null;
  }

  async content({ project, hash }: Link): Promise<SharedContent | null> {
    const text = await readText(this.layout.shareCopy(project, hash), MAX_COPY).catch(() => null);
    return text === null ? null : parsed(copyFile, text);
  }

  /** From this moment on nobody reads it; the copy is gone with this. */
  async revoke(link: Link, by: string, why: "revoked" | "maker_left"): Promise<void> {
    const { project, id: _id, hash, ...file } = link;
    const revoked = { at: new Date().toISOString(), by, why };
    await replaceFile(this.layout.share(project, hash), JSON.stringify({ ...file, revoked }));
    await rm(this.layout.shareCopy(project, hash), { force: true });
  }

  /** Ends the working links of a person in a Project. Returns them. */
  async revokeOf(project: string, user: string, by: string): Promise<Link[]> {
    const links = (await this.list(project)).filter((link) => link.created_by === user && !endOf(link));
    for (const link of links) await this.revoke(link, by, "maker_left");
    return links;
  }

  /** Removes every trace of the links of a Session, or of all Sessions of an Agent. */
  async forget(project: string, of: { agent: string; session?: string }): Promise<void> {
    const links = (await this.list(project)).filter(
      ({ agent, session_id }) => agent === of.agent && (of.session === undefined || session_id === of.session),
    );
    for (const link of links) await this.#remove(link);
  }

  async #remove({ project, hash }: Link): Promise<void> {
    // The first one is what makes it a link.
    const { share, shareCopy, shareReads } = this.layout;
    for (const path of [share, shareCopy, shareReads]) await rm(path(project, hash), { force: true });
  }

  // ---- who read it --------------------------------------------------------------------------------------------------

  /** Writes a reading down: who, or with what, and when. Never an address. Reading does not wait for a full disk. */
  async noteRead({ project, hash }: Link, reader: Omit<ShareRead, "at">): Promise<void> {
    const key = `${hash}\n${reader.by ?? ""}\n${reader.device ?? ""}`;
    const now = Date.now();
    if (now - (this.#noted.get(key) ?? 0) < ONE_READING_MS) return;
    if (this.#noted.size > 10_000) this.#noted.clear();
    this.#noted.set(key, now);
    const path = this.layout.shareReads(project, hash);
    const line: ShareRead = { at: new Date(now).toISOString(), ...reader };
    try {
      await appendLine(path, JSON.stringify(line));
      await this.#trim(path);
    } catch (error) {
      console.error("[share] a reading could not be recorded:", error instanceof Error ? error.message : error);
    }
  }

  async #trim(path: string): Promise<void> {
    const text = await readText(path, 2 * MAX_READS).catch(() => null);
    if (text === null || text.length < MAX_READS) return;
    await replaceFile(path, `${text.trimEnd().split("\n").slice(-KEPT_READS).join("\n")}\n`);
  }

  /** Newest first, at most 1,000. */
  async reads({ project, hash }: Pick<Link, "project" | "hash">): Promise<ShareRead[]> {
    const text = await readText(this.layout.shareReads(project, hash), 2 * MAX_READS).catch(() => null);
    const lines = text?.trimEnd().split("\n") ?? [];
    return lines
      .flatMap((line) => parsed(readLine, line) ?? [])
      .slice(-KEPT_READS)
      .reverse();
  }

  async readings(link: Link): Promise<Readings> {
    const reads = await this.reads(link);
    return { count: reads.length, ...(reads[0] ? { last: reads[0].at } : {}) };
  }

  async #read(project: string, hash: string): Promise<Link | null> {
    const text = await readText(this.layout.share(project, hash), MAX_READS).catch(() => null);
    const file = text === null ? null : parsed(linkFile, text);
    return file && { ...file, project, id: idOf(hash), hash };
  }
}

function parsed<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
