/**
 * What Sessions an Agent has, and their small facts for lists. In memory, rebuilt from the tree at any time, refreshed
 * by size and time of change; of a file that grew only the new bytes are read.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SessionInfoPayload, SessionMetaPayload } from "../../lib/omni/message";
import { isDateFolder, sessionIdTime } from "../../lib/trace/name";
import { codeOf } from "../files";
import type { AgentRef, Layout } from "../paths";
import { FileFacts, type HeadFacts } from "./facts";
import { type ImportMark, ImportMarks } from "./imports";
import { type FoundFile, findFiles, SETTLED_MS, type TraceFileRef } from "./locate";
import { Pace } from "./scan";

export interface SessionFacts {
  session_id: string;
  /** By ascending index; at least one. */
  files: TraceFileRef[];
  /** Of the first file that has one, without `system_prompt` and `tools`; null: none is readable. */
  meta: SessionMetaPayload | null;
  /** The newest one of all files. null: there is none, or only one inside imported bytes, which is not trusted. */
  info: SessionInfoPayload | null;
  /** First line of the first prompt, or the title an imported file brought along. */
  title_fallback: string | null;
  /** ISO times. */
  last_active_at: string;
  created_at: string;
  imported: boolean;
  /** User id of who imported it; people named inside an imported file are strangers. */
  imported_by?: string;
  /** Of each imported file the number of lines that came in with it; null: all of them, as far as is known. */
  imported_lines?: { file_index: number; lines: number | null }[];
  /** Of all files. */
  bytes: number;
}

const linesOf = (marks: ReadonlyMap<number, ImportMark> | undefined) =>
  [...(marks?.values() ?? [])].map(({ index, lines = null }) => ({ file_index: index, lines }));

/** The place of a Session in lists: newest activity first. */
export const positionOf = ({
  last_active_at,
  session_id,
}: Pick<SessionFacts, "last_active_at" | "session_id">): string => `${last_active_at}_${session_id}`;

/** Sessions looked at side by side. */
const AT_ONCE = 16;

/** A list this old is made anew behind the answer: what grew in place is seen by the next look. Milliseconds. */
const FRESH_MS = 1000;

interface Newest {
  /** Names and times of change of the date folders. */
  folders: string;
  /** When its scan began; ms since 1970. */
  at: number;
  sessions: SessionFacts[];
}

interface AgentCache {
  /** By path. */
  files: Map<string, FileFacts>;
  /** The scan that has not begun to look yet: whoever asks now may share it. */
  next: Promise<SessionFacts[]> | null;
  running: Promise<unknown>;
  newest: Newest | null;
  /** A list is being made behind an answer. */
  renewing: boolean;
}

export class Catalog {
  readonly #agents = new Map<string, AgentCache>();
  readonly #marks = new ImportMarks();

  constructor(private readonly layout: Layout) {}

  /** The Sessions of an Agent as they are on disk after this call began; in no particular order. */
  sessions(ref: AgentRef): Promise<SessionFacts[]> {
    const cache = this.#cache(ref);
    cache.next ??= cache.running.then(() => {
      cache.next = null;
      return this.#scan(ref, cache);
    });
    const result = cache.next;
    cache.running = result.catch(() => {});
    return result;
  }

  /**
   * The same in the order of lists, newest activity first, without looking at every file each time: files that were
   * added or removed are seen at once, files that grew with the next look.
   */
  async newest(ref: AgentRef): Promise<SessionFacts[]> {
    const cache = this.#cache(ref);
    const { folders, changed } = this.#folders(ref);
    const kept = cache.newest;
    if (!kept || kept.folders !== folders || changed > kept.at - SETTLED_MS) return this.#renew(ref, cache, folders);
    if (Date.now() - kept.at > FRESH_MS && !cache.renewing) {
      cache.renewing = true;
      void this.#renew(ref, cache, folders)
        .catch(() => {})
        .finally(() => {
          cache.renewing = false;
        });
    }
    return kept.sessions;
  }

  async #renew(ref: AgentRef, cache: AgentCache, folders: string): Promise<SessionFacts[]> {
    const at = Date.now();
    const keyed = (await this.sessions(ref)).map((facts) => ({ facts, key: positionOf(facts) }));
    const sessions = keyed.sort((a, b) => (a.key < b.key ? 1 : -1)).map(({ facts }) => facts);
    cache.newest = { folders, at, sessions };
    return sessions;
  }

  /** In place: a list that was made already must not wait for its turn while another one is made. */
  #folders(ref: AgentRef): { folders: string; changed: number } {
    const root = this.layout.traces(ref);
    const names = ["", ...namesNow(root).filter(isDateFolder)];
    const times = names.map((name) => timeNow(join(root, name)));
    return { folders: names.map((name, i) => `${name}:${times[i]}`).join(" "), changed: Math.max(...times) };
  }

  /** One Session; null when it has no file. */
  async session(ref: AgentRef, id: string): Promise<SessionFacts | null> {
    const files = (await findFiles(this.layout, ref, id)).get(id);
    return files ? this.described(ref, id, files) : null;
  }

  /** The same for files that were found already. */
  async described(ref: AgentRef, id: string, files: FoundFile[]): Promise<SessionFacts | null> {
    return this.#facts(this.#cache(ref), id, files, (await this.#marks.of(this.layout, ref)).get(id));
  }

  #cache(ref: AgentRef): AgentCache {
    const key = this.layout.traces(ref);
    const cache = this.#agents.get(key) ?? {
      files: new Map(),
      next: null,
      running: Promise.resolve(),
      newest: null,
      renewing: false,
    };
    this.#agents.set(key, cache);
    return cache;
  }

  async #scan(ref: AgentRef, cache: AgentCache): Promise<SessionFacts[]> {
    const [found, marks] = await Promise.all([findFiles(this.layout, ref), this.#marks.of(this.layout, ref)]);
    const paths = new Set<string>();
    for (const files of found.values()) for (const { path } of files) paths.add(path);
    for (const path of cache.files.keys()) if (!paths.has(path)) cache.files.delete(path);
    const all = [...found];
    const facts: SessionFacts[] = [];
    const pace = new Pace();
    for (let i = 0; i < all.length; i += AT_ONCE) {
      const group = all.slice(i, i + AT_ONCE);
      if (pace.due) await pace.rest();
      const made = await Promise.all(group.map(([id, files]) => this.#facts(cache, id, files, marks.get(id))));
      facts.push(...made.filter((one) => one !== null));
    }
    return facts;
  }

  /** null: the files vanished while they were looked at. */
  async #facts(
    cache: AgentCache,
    session_id: string,
    files: FoundFile[],
    marks: ReadonlyMap<number, ImportMark> | undefined,
  ): Promise<SessionFacts | null> {
    try {
      const head = await readHeads(cache, files);
      const tail = await readTails(cache, files, marks);
      const [mark] = marks?.values() ?? [];
      const created = sessionIdTime(session_id)?.toISOString() ?? head.first_at ?? isoTime(files[0]?.mtime_ms);
      return {
        session_id,
        files: files.map(({ date, index, bytes }) => ({ date, index, bytes })),
        meta: head.meta,
        info: tail.info,
        title_fallback: tail.imported_title ?? head.title,
        last_active_at: tail.active_at ?? created,
        created_at: created,
        imported: mark !== undefined,
        ...(mark ? { imported_by: mark.by, imported_lines: linesOf(marks) } : {}),
        bytes: files.reduce((sum, file) => sum + file.bytes, 0),
      };
    } catch (error) {
      if (codeOf(error) === "ENOENT") return null;
      throw error;
    }
  }
}

/** Names in a folder; none when it cannot be read. */
function namesNow(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
/** Time of the last change; 0 when it is gone. ms since 1970. */
function timeNow(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

const isoTime = (ms = 0) => new Date(ms).toISOString();

function factsOf(cache: AgentCache, file: FoundFile): FileFacts {
  const facts = cache.files.get(file.path) ?? new FileFacts();
  cache.files.set(file.path, facts);
  return facts;
}

async function readHeads(cache: AgentCache, files: FoundFile[]): Promise<HeadFacts> {
  const all: HeadFacts = { meta: null, first_at: null, title: null };
  for (const file of files) {
    const head = await factsOf(cache, file).head(file);
    all.meta ??= head.meta;
    all.first_at ??= head.first_at;
    all.title ??= head.title;
    if (all.meta && all.title) break;
  }
  return all;
}

interface Tails {
  info: SessionInfoPayload | null;
  active_at: string | null;
  imported_title: string | null;
}

async function readTails(
  cache: AgentCache,
  files: FoundFile[],
  marks: ReadonlyMap<number, ImportMark> | undefined,
): Promise<Tails> {
  const tails: Tails = { info: null, active_at: null, imported_title: null };
  for (const file of files.toReversed()) {
    const { info, active_at } = await factsOf(cache, file).tail(file);
    tails.active_at ??= active_at;
    // For the bytes that were imported approval mode, archived and visibility are ignored; a title is only a name.
    const mark = marks?.get(file.index);
    if (info && mark && info.start < mark.bytes) tails.imported_title ??= info.payload.title;
    else tails.info ??= info?.payload ?? null;
    if (tails.active_at && (tails.info || tails.imported_title)) break;
  }
  return tails;
}
