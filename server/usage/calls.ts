/**
 * All model calls of a Project, from its Trace files alone (US1), each counted once (US4): copied lines of forks are
 * left out, and of a Session that lies under several Agents equal records count for one of them. In memory, rebuilt
 * from the tree at any time; of files that grew only the new bytes are read.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { NOBODY } from "../../lib/api/usage-values";
import type { SessionInfoPayload, SessionMetaPayload } from "../../lib/omni/message";
import type { CountedRequest } from "../../lib/trace/usage-fold";
import type { AgentRef, Layout } from "../paths";
import { type ImportMark, ImportMarks } from "../trace/imports";
import { type FoundFile, findFiles } from "../trace/locate";
import { Pace } from "../trace/scan";
import { type FileUsage, UsageFile } from "../trace/usage-scan";
import type { VisibleFacts } from "../trace/visible";

export interface Call {
  request: CountedRequest;
  session: SessionCalls;
  file_index: number;
  /** It stands in imported bytes: people named there are strangers, and budgets skip it. */
  imported: boolean;
  /** `<provider>/<model_id>` */
  model: string;
  /** User id; `file:<name>` for one named in an imported file; `-` for nobody. */
  user: string;
  /** When it counts. ms since 1970 */
  at: number;
}

export interface SessionCalls {
  /** `<agent>/<session id>` */
  key: string;
  agent: string;
  session_id: string;
  meta: SessionMetaPayload | null;
  imported: boolean;
  /** Who may see it depends on these. */
  facts: VisibleFacts;
  files: FoundFile[];
  /** What its files hold, and what of it counts here (US4). */
  all: readonly Call[];
  calls: readonly Call[];
  /** Subagents that it started, with the address of the pointer. */
  children: { session_id: string; agent: string | null; file_index: number; line: number }[];
  /** Key of the Session that started it, and of the one that started it all: its own key if nobody did. */
  parent: string | null;
  root: string;
  /** How many lines of each file a fork took over. */
  copied: ReadonlyMap<number, number>;
}

/** Provider and model of a key. */
export function splitModel(key: string): [provider: string, model_id: string] {
  const at = key.indexOf("/");
  return [key.slice(0, at), key.slice(at + 1)];
}
export const modelKey = (provider = "", model_id = "") => `${provider}/${model_id}`;

interface KeptFile {
  found: FoundFile;
  usage: FileUsage;
  mark: ImportMark | undefined;
}
interface KeptSession {
  /** Tells whether anything changed since. */
  stamp: string;
  files: KeptFile[];
  made: SessionCalls;
}
interface KeptProject {
  files: Map<string, UsageFile>;
  sessions: Map<string, KeptSession>;
  /** What was answered last. */
  list: SessionCalls[];
  running: Promise<unknown>;
  next: Promise<SessionCalls[]> | null;
}

export class UsageCalls {
  readonly #projects = new Map<string, KeptProject>();
  readonly #marks = new ImportMarks();

  constructor(private readonly layout: Layout) {}

  /** The Sessions of these Agents with their calls, as they are on disk after this was asked. */
  of(project: string, agents: readonly string[]): Promise<SessionCalls[]> {
    const kept = this.#projects.get(project) ?? {
      files: new Map(),
      sessions: new Map(),
      list: [],
      running: Promise.resolve(),
      next: null,
    };
    this.#projects.set(project, kept);
    // Whoever asks before the next look begins shares it.
    kept.next ??= kept.running.then(() => {
      kept.next = null;
      return this.#scan(project, [...agents].sort(), kept);
    });
    const result = kept.next;
    kept.running = result.catch(() => {});
    return result;
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
    kept.sessions = sessions;
    if (changed) kept.list = withRoots(await countedOnce(sessions));
    return kept.list;
  }

  /** null: its files vanished while they were read, or cannot be read. */
  async #session(
    { agent, id }: { agent: string; id: string },
    found: FoundFile[],
    marks: ReadonlyMap<number, ImportMark> | undefined,
    kept: KeptProject,
  ): Promise<KeptSession | null> {
    const key = `${agent}/${id}`;
    const stamp = found
      .map(({ path, bytes, mtime_ms, ino, index }) => `${path}:${bytes}:${mtime_ms}:${ino}:${marks?.get(index)?.bytes}`)
      .join(" ");
    const old = kept.sessions.get(key);
    if (old?.stamp === stamp) return old;
    try {
      const files: KeptFile[] = [];
      for (const file of found) {
        const reader = kept.files.get(file.path) ?? new UsageFile();
        kept.files.set(file.path, reader);
        files.push({ found: file, usage: await reader.of(file), mark: marks?.get(file.index) });
      }
      return { stamp, files, made: sessionOf({ agent, id, key }, files) };
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      // One file that the system does not give must not take the others with it.
      if (error.code !== "ENOENT") console.error(`[usage] ${key} could not be read: ${error.code}`);
      return null;
    }
  }
}

function sessionOf({ agent, id, key }: { agent: string; id: string; key: string }, files: KeptFile[]): SessionCalls {
  const metas = files.map(({ usage }) => usage.meta);
  const meta = metas.find((one) => one !== null) ?? null;
  const imported = files.some(({ mark }) => mark !== undefined);
  const session: SessionCalls = {
    key,
    agent,
    session_id: id,
    meta,
    imported,
    facts: { session_id: id, meta, info: trustedInfo(files), imported, ...importedBy(files) },
    files: files.map(({ found }) => found),
    all: [],
    calls: [],
    children: [],
    parent: null,
    root: key,
    copied: new Map(files.map(({ found, usage }) => [found.index, usage.meta?.forked_from?.copied_lines ?? 0])),
  };
  const calls: Call[] = [];
  let last = 0;
  for (const { found, usage, mark } of files) {
    const copied = usage.meta?.forked_from?.copied_lines ?? 0;
    for (const request of usage.requests) {
      const { line, start, aux } = request;
      for (const child of request.children ?? []) {
        if (child.line <= copied) continue;
        session.children.push({ ...child, agent: child.agent ?? null, file_index: found.index });
      }
      if (line <= copied) continue;
      const isImported = mark !== undefined && start < mark.bytes;
      last = timeOf(request) ?? last;
      const of = aux ?? usage.meta ?? meta;
      calls.push({
        request,
        session,
        file_index: found.index,
        imported: isImported,
        model: modelKey(of?.provider, of?.model_id),
        user: userKey(request.user ?? (isImported ? null : (meta?.created_by ?? null)), isImported),
        at: last,
      });
    }
  }
  return Object.assign(session, { all: calls, calls });
}

/** The newest settings; those inside imported bytes are not trusted. */
function trustedInfo(files: KeptFile[]): SessionInfoPayload | null {
  for (const { usage, mark } of files.toReversed()) {
    const info = usage.infos.findLast(({ start }) => mark === undefined || start >= mark.bytes);
    if (info) return info.payload;
  }
  return null;
}
function importedBy(files: KeptFile[]): { imported_by?: string } {
  const by = files.find(({ mark }) => mark)?.mark?.by;
  return by === undefined ? {} : { imported_by: by };
}

function userKey(user: string | null, imported: boolean): string {
  if (user === null) return NOBODY;
  return imported ? `file:${user}` : user;
}

/** null: no time of it can be read. */
function timeOf({ at, end, begin }: CountedRequest): number | null {
  return [at, end, begin].find((time): time is number => time !== null && Number.isFinite(time)) ?? null;
}

// ---- counted once (US4) -------------------------------------------------------------------------------------------

async function countedOnce(sessions: ReadonlyMap<string, KeptSession>): Promise<SessionCalls[]> {
  const byId = new Map<string, KeptSession[]>();
  for (const session of sessions.values()) {
    const { session_id } = session.made;
    byId.set(session_id, [...(byId.get(session_id) ?? []), session]);
  }
  const pace = new Pace();
  for (const same of byId.values()) {
    if (same.length > 1) countOnce(same);
    else for (const { made } of same) made.calls = made.all;
    if (pace.due) await pace.rest();
  }
  return [...sessions.values()].map(({ made }) => made);
}

/** Of byte-equal records at the same place one counts: that of the Agent its meta names, else of the first by id. */
function countOnce(same: KeptSession[]): void {
  const counted = new Set<string>();
  const home = same.find(({ made }) => homeOf(made.meta) === made.agent);
  const inOrder = home ? [home, ...same.filter((one) => one !== home)] : same;
  for (const session of inOrder) {
    const lines = linesOf(session);
    session.made.calls = session.made.all.filter((call, i) => {
      const key = `${call.file_index}:${call.request.line}:${lines[i]}`;
      if (counted.has(key)) return false;
      counted.add(key);
      return true;
    });
  }
}

function linesOf({ files, made }: KeptSession): string[] {
  const lines: string[] = [];
  for (const { found } of files) {
    const fd = openSync(found.path, "r");
    try {
      for (const { file_index, request } of made.all) {
        if (file_index !== found.index) continue;
        const bytes = Buffer.alloc(request.length);
        readSync(fd, bytes, 0, bytes.length, request.start);
        lines.push(bytes.toString("latin1"));
      }
    } finally {
      closeSync(fd);
    }
  }
  return lines;
}

/** FF 2.2: the Agent is the folder above `agent_state`. */
function homeOf(meta: SessionMetaPayload | null): string | undefined {
  return meta?.agent_state
    ?.split(/[/\\]+/)
    .filter(Boolean)
    .at(-2);
}

// ---- who started whom ---------------------------------------------------------------------------------------------

/** Each Session rolls up once: to what its meta names, else to the first that points to it. */
function withRoots(sessions: SessionCalls[]): SessionCalls[] {
  const byKey = new Map(sessions.map((session) => [session.key, session]));
  const parents = parentsOf(sessions, byKey);
  for (const session of sessions) {
    const seen = new Set([session.key]);
    let root = session.key;
    let above = parents.get(root);
    for (; above !== undefined && !seen.has(above); above = parents.get(above)) {
      seen.add(above);
      root = above;
    }
    // In a circle nobody is first.
    session.root = above === undefined ? root : session.key;
    session.parent = session.root === session.key ? null : (parents.get(session.key) ?? null);
  }
  return sessions;
}

function parentsOf(sessions: SessionCalls[], byKey: ReadonlyMap<string, SessionCalls>): Map<string, string> {
  const byId = new Map<string, string>();
  for (const { key, session_id } of sessions) if (!byId.has(session_id)) byId.set(session_id, key);
  const parents = new Map<string, string>();
  for (const { key, meta } of sessions) {
    const { parent } = meta ?? {};
    const above = parent && `${parent.agent}/${parent.session_id}`;
    if (above && above !== key && byKey.has(above)) parents.set(key, above);
  }
  for (const session of sessions) {
    for (const { agent, session_id } of session.children) {
      const near = `${agent ?? session.agent}/${session_id}`;
      const child = byKey.has(near) ? near : byId.get(session_id);
      if (child !== undefined && child !== session.key && !parents.has(child)) parents.set(child, session.key);
    }
  }
  return parents;
}
