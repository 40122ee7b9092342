/**
 * All model calls of a Project, from its Trace files alone (US1), each counted once (US4): copied lines of forks are
 * left out, and of a Session that lies under several Agents equal records count for one of them. In memory, rebuilt
 * from the tree at any time; of files that grew only the new bytes are read.
 */
import { codeOf } from "../files";
import type { AgentRef, Layout } from "../paths";
import { type ImportMark, ImportMarks } from "../trace/imports";
import { type FoundFile, findFiles } from "../trace/locate";
import { Pace } from "../trace/scan";
import { UsageFile } from "../trace/usage-scan";
import { countedOnce, withRoots } from "./once";
import {
  type KeptFile,
  type KeptSession,
  keyOf,
  type SessionCalls,
  type SessionPlace,
  sessionOf,
} from "./session-calls";

interface KeptProject {
  files: Map<string, UsageFile>;
  sessions: Map<string, KeptSession>;
  /** What was answered last. */
  list: SessionCalls[];
  /** Sessions that were looked at alone since then. */
  recent: Map<string, KeptSession>;
  /** Ids that lie under several Agents. */
  doubles: ReadonlySet<string>;
  running: Promise<unknown>;
  next: Promise<SessionCalls[]> | null;
  /** Who is asked for at the next look at a few. */
  asked: Map<string, SessionPlace>;
  nextFew: Promise<FewSessions | null> | null;
}

/** By key; null: no file of it is there. */
export type FewSessions = ReadonlyMap<string, SessionCalls | null>;

export class UsageCalls {
  readonly #projects = new Map<string, KeptProject>();
  readonly #marks = new ImportMarks();

  constructor(private readonly layout: Layout) {}

  /** The Sessions of these Agents with their calls, as they are on disk after this was asked. */
  of(project: string, agents: readonly string[]): Promise<SessionCalls[]> {
    const kept = this.#kept(project);
    // Whoever asks before the next look begins shares it.
    kept.next ??= kept.running.then(() => {
      kept.next = null;
      return this.#scan(project, [...agents].sort(), kept);
    });
    const result = kept.next;
    kept.running = result.catch(() => {});
    return result;
  }

  /**
   * Only these Sessions, as they are on disk after this was asked: at the cost of these, however many there are. null:
   * one of them lies under several Agents, so that all must be looked at.
   */
  few(project: string, places: readonly SessionPlace[]): Promise<FewSessions | null> {
    const kept = this.#kept(project);
    for (const place of places) kept.asked.set(keyOf(place), place);
    kept.nextFew ??= kept.running.then(() => {
      const { asked } = kept;
      [kept.asked, kept.nextFew] = [new Map(), null];
      return this.#look(project, asked, kept);
    });
    const result = kept.nextFew;
    kept.running = result.catch(() => {});
    return result;
  }

  #kept(project: string): KeptProject {
    const kept = this.#projects.get(project) ?? {
      files: new Map(),
      sessions: new Map(),
      list: [],
      recent: new Map(),
      doubles: new Set<string>(),
      running: Promise.resolve(),
      next: null,
      asked: new Map(),
      nextFew: null,
    };
    this.#projects.set(project, kept);
    return kept;
  }

  async #look(project: string, asked: ReadonlyMap<string, SessionPlace>, kept: KeptProject) {
    const found = new Map<string, SessionCalls | null>();
    for (const [key, { agent, session: id }] of asked) {
      if (kept.doubles.has(id)) return null;
      const ref: AgentRef = { project, agent };
      const known = (kept.recent.get(key) ?? kept.sessions.get(key))?.made.files;
      // What goes on here goes on in the folders where it is.
      const dates = known && known.length > 0 ? new Set(known.map(({ date }) => date)) : undefined;
      const files = (await findFiles(this.layout, ref, id, dates)).get(id) ?? [];
      const marks = (await this.#marks.of(this.layout, ref)).get(id);
      const made = files.length > 0 ? await this.#session({ agent, id }, files, marks, kept) : null;
      if (made) kept.recent.set(key, made);
      else kept.recent.delete(key);
      found.set(key, made?.made ?? null);
    }
    return found;
  }

  async #scan(project: string, agents: string[], kept: KeptProject): Promise<SessionCalls[]> {
    const seen = new Set<string>();
    const sessions = new Map<string, KeptSession>();
    const pace = new Pace();
    for (const agent of agents) {
      const ref: AgentRef = { project, agent };
      const [found, marks] = await Promise.all([findFiles(this.layout, ref), this.#marks.of(this.layout, ref)]);
      for (const id of [...found.keys()].sort()) {
        const files = found.get(id) ?? [];
        for (const { path } of files) seen.add(path);
        const made = await this.#session({ agent, id }, files, marks.get(id), kept);
        if (made) sessions.set(made.made.key, made);
        if (pace.due) await pace.rest();
      }
    }
    for (const path of kept.files.keys()) if (!seen.has(path)) kept.files.delete(path);
    const changed =
      sessions.size !== kept.sessions.size || [...sessions].some(([key, one]) => kept.sessions.get(key) !== one);
    if (changed) {
      const { list, doubles } = await countedOnce(sessions);
      kept.list = withRoots(list);
      kept.doubles = doubles;
    }
    kept.sessions = sessions;
    kept.recent.clear();
    return kept.list;
  }

  /** null: its files vanished while they were read, or cannot be read. */
  async #session(
    { agent, id }: { agent: string; id: string },
    found: FoundFile[],
    marks: ReadonlyMap<number, ImportMark> | undefined,
    kept: KeptProject,
  ): Promise<KeptSession | null> {
    const key = keyOf({ agent, session: id });
    const stamp = found
      .map(({ path, bytes, mtime_ms, ino, index }) => `${path}:${bytes}:${mtime_ms}:${ino}:${marks?.get(index)?.bytes}`)
      .join(" ");
    for (const old of [kept.recent.get(key), kept.sessions.get(key)]) if (old?.stamp === stamp) return old;
    try {
      const files: KeptFile[] = [];
      for (const file of found) {
        const reader = kept.files.get(file.path) ?? new UsageFile();
        kept.files.set(file.path, reader);
        files.push({ found: file, usage: await reader.of(file), mark: marks?.get(file.index) });
      }
      return { stamp, files, made: sessionOf({ agent, id, key }, files) };
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined) throw error;
      // One file that the system does not give must not take the others with it.
      if (code !== "ENOENT") console.error(`[usage] ${key} could not be read: ${code}`);
      return null;
    }
  }
}
