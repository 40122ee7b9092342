/** The Traces on disk, as everybody else sees them: find, read, page, export, import, list. */
import { basename } from "node:path";
import type { SearchLine, TraceSearchQuery } from "../../lib/api/trace-search";
import type { AddressedMessage, OmniMessage } from "../../lib/omni/message";
import { type DamagedLine, LineSplitter, movedLine, parseLine, type RawLine } from "../../lib/trace/jsonl";
import { isSessionId } from "../../lib/trace/name";
import type { Task } from "../../lib/trace/task";
import { type AgentRef, isGenericId, type Layout } from "../paths";
import { type BundledSession, bundleStream } from "./bundle-export";
import { type BundleOutcome, importBundle } from "./bundle-import";
import { Catalog, type SessionFacts } from "./catalog";
import { isFar, parseFar } from "./far-parse";
import { type ImportOptions, type ImportOutcome, importTrace } from "./import";
import { LineIndexes, markBefore, totalLines } from "./line-index";
import { type FoundFile, findFiles, type TraceFileRef } from "./locate";
import { Pace, pieces } from "./scan";
import { type Candidate, searchProject, searchSession } from "./search";
import type { RecordQuery } from "./search-file";
import { type FoldedSession, TaskFolds } from "./task-folds";
import { isVisible } from "./visible";

export type { TraceFileRef } from "./locate";

/** A whole Trace file in memory. */
export interface LoadedFile {
  file_index: number;
  records: AddressedMessage[];
  damaged: DamagedLine[];
  /** Physical lines. */
  lines: number;
  ends_with_newline: boolean;
}
/** One physical line that is not blank. `M`: the record, or what the caller made of it. */
export type TraceLine<M = OmniMessage> =
  | { line: number; message: M }
  | { line: number; error: string; raw_head: string };

export interface TraceWindow<M> {
  records: TraceLine<M>[];
  /** Physical lines in the file. */
  total: number;
}
/** One record as it stands in the file. */
export type RawRecord = { line: number; json: Uint8Array } | { line: number; error: string; raw_head: string };

export class TraceStore {
  readonly #indexes = new LineIndexes();
  readonly #folds = new TaskFolds();
  readonly #catalog: Catalog;
  /** Are Sessions of a Project that recorded no settings their creator's only? Set by the composition root. */
  privateByDefault: ((project: string) => Promise<boolean>) | null = null;

  constructor(private readonly layout: Layout) {
    this.#catalog = new Catalog(layout);
  }

  /** The files of a Session by ascending index; none: []. */
  async files(ref: AgentRef, session: string): Promise<TraceFileRef[]> {
    const files = (await findFiles(this.layout, ref, session)).get(session) ?? [];
    return files.map(({ date, index, bytes }) => ({ date, index, bytes }));
  }

  /** The same with their physical lines. */
  async filesWithLines(ref: AgentRef, session: string): Promise<(TraceFileRef & { lines: number })[]> {
    const files = (await findFiles(this.layout, ref, session)).get(session) ?? [];
    return Promise.all(
      files.map(async (file) => {
        const { date, index, bytes } = file;
        return { date, index, bytes, lines: totalLines(await this.#indexes.of(file)) };
      }),
    );
  }

  /** The Tasks of a whole Session; null: it has no Trace. */
  async tasks(ref: AgentRef, session: string): Promise<FoldedSession | null> {
    const files = (await findFiles(this.layout, ref, session)).get(session);
    return files ? this.#folds.of(`${this.layout.traces(ref)}\n${session}`, files) : null;
  }

  async #find(ref: AgentRef, session: string, index: number): Promise<FoundFile | null> {
    const files = (await findFiles(this.layout, ref, session)).get(session);
    return files?.find((file) => file.index === index) ?? null;
  }

  /** A whole file, streamed and parsed without holding up the event loop; null: no such file. */
  async read(ref: AgentRef, session: string, index: number): Promise<LoadedFile | null> {
    const records: AddressedMessage[] = [];
    const end = await this.fold(ref, session, index, (record) => records.push(record));
    return end && { file_index: index, records, ...end };
  }

  /** The same, giving each record away instead of keeping it. */
  async fold(
    ref: AgentRef,
    session: string,
    index: number,
    take: (record: AddressedMessage) => void,
  ): Promise<Omit<LoadedFile, "records" | "file_index"> | null> {
    const file = await this.#find(ref, session, index);
    if (!file) return null;
    const damaged: DamagedLine[] = [];
    const splitter = new LineSplitter();
    const pace = new Pace();
    let lines = 0;
    let lastFilled = 0;
    const takeLines = async (batch: RawLine[]) => {
      for (const raw of batch) {
        const parsed = isFar(raw) ? await parseFar(raw) : parseLine(raw);
        lines = raw.line;
        if (parsed) {
          lastFilled = raw.line;
          if ("message" in parsed) take({ address: { file_index: index, line: raw.line }, message: parsed.message });
          else damaged.push({ line: raw.line, ...parsed, last: false });
        }
        if (pace.due) await pace.rest();
      }
    };
    for await (const piece of pieces(file.path, 0, file.bytes)) await takeLines(splitter.push(piece));
    const rest = splitter.end();
    await takeLines(rest);
    const tail = damaged.at(-1);
    if (tail) tail.last = tail.line === lastFilled;
    return { damaged, lines, ends_with_newline: rest.length === 0 };
  }

  /**
   * The physical lines offset+1 … offset+limit; blank ones give no record, others are not parsed. `show` turns each
   * record into what is kept of it (shortening at once keeps the memory bounded; of records above 2 MiB long strings
   * come shortened already, P2). null: no such file.
   */
  async window<M = OmniMessage>(
    ref: AgentRef,
    session: string,
    index: number,
    range: { offset: number; limit: number },
    show: (message: OmniMessage) => M,
  ): Promise<TraceWindow<M> | null> {
    const file = await this.#find(ref, session, index);
    if (!file) return null;
    const lineIndex = await this.#indexes.of(file);
    const total = totalLines(lineIndex);
    const records: TraceLine<M>[] = [];
    const last = Math.min(range.offset + range.limit, total);
    const pace = new Pace();
    for await (const raw of linesFrom(file, markBefore(lineIndex, range.offset + 1), range.offset + 1, last)) {
      const parsed = isFar(raw) ? await parseFar(raw, "elided") : parseLine(raw);
      if (parsed)
        records.push(
          "message" in parsed ? { line: raw.line, message: show(parsed.message) } : { line: raw.line, ...parsed },
        );
      if (pace.due) await pace.rest();
    }
    return { records, total };
  }

  /** One whole record, checked, as the bytes of its line; null: no such file, or no or a blank line there. */
  async record(ref: AgentRef, session: string, index: number, line: number): Promise<RawRecord | null> {
    const file = await this.#find(ref, session, index);
    if (!file) return null;
    const lineIndex = await this.#indexes.of(file);
    if (line < 1 || line > totalLines(lineIndex)) return null;
    for await (const raw of linesFrom(file, markBefore(lineIndex, line), line, line)) {
      // A copy: the rest of the file may be read over it. A mark of byte order is no JSON.
      const json = new Uint8Array(raw.bytes[0] === 0xef ? raw.bytes.subarray(3) : raw.bytes);
      const parsed = isFar(raw) ? await parseFar(raw, "outline") : parseLine(raw);
      if (!parsed) return null;
      return "message" in parsed ? { line, json } : { line, ...parsed };
    }
    return null;
  }

  /** Where the bytes of a file are, for the export. */
  async openRaw(
    ref: AgentRef,
    session: string,
    index: number,
  ): Promise<{ path: string; bytes: number; name: string } | null> {
    const file = await this.#find(ref, session, index);
    return file ? { path: file.path, bytes: file.bytes, name: basename(file.path) } : null;
  }

  /** Stores an uploaded file as a new Session (product rules: import). Expected trouble is a value. */
  import(ref: AgentRef, body: ReadableStream<Uint8Array>, options: ImportOptions): Promise<ImportOutcome> {
    return importTrace(this.layout, ref, body, options);
  }

  /** The facts of a Session whose files were found already; null: they vanished. */
  described(ref: AgentRef, session: string, files: FoundFile[]): Promise<SessionFacts | null> {
    return this.#catalog.described(ref, session, files);
  }

  /** Search in all files of one Session. */
  async *searchSession(ref: AgentRef, session: string, query: RecordQuery): AsyncGenerator<SearchLine> {
    yield* searchSession((await findFiles(this.layout, ref, session)).get(session) ?? [], query);
  }

  /** Search over all Sessions of these Agents that the person may see, newest first. */
  async *search(project: string, agents: string[], user: string, query: TraceSearchQuery): AsyncGenerator<SearchLine> {
    const found = await Promise.all(
      agents.map(async (agent) => {
        const ref = { project, agent };
        return Array.from(await findFiles(this.layout, ref), ([session, files]) => ({ ref, session, files }));
      }),
    );
    const facts = async ({ ref, session, files }: Candidate) => {
      const one = await this.#catalog.described(ref, session, files);
      return one && (await isVisible(this, ref, one, user)) ? one : null;
    };
    yield* searchProject(found.flat(), { facts }, query);
  }

  /** Stores a bundle as new Sessions, all of it or nothing. */
  importBundle(ref: AgentRef, body: ReadableStream<Uint8Array>, options: ImportOptions): Promise<BundleOutcome> {
    return importBundle(this.layout, ref, body, options);
  }

  /**
   * The Session and its children that the person may see, as one archive; null: it has no Trace. `secretsOf` gives the
   * values that no file of an Agent's Sessions may show (AC3).
   */
  async bundle(
    ref: AgentRef,
    session: string,
    user: string,
    secretsOf: (ref: AgentRef) => Promise<readonly string[]>,
  ): Promise<ReadableStream<Uint8Array> | null> {
    const sessions: BundledSession[] = [];
    const open = [{ ref, session }];
    for (let next = open.shift(); next && sessions.length < MAX_BUNDLED; next = open.shift()) {
      const { ref, session } = next;
      const files = (await findFiles(this.layout, ref, session)).get(session);
      const facts = files && (await this.#catalog.described(ref, session, files));
      if (!files || !facts || sessions.some((one) => one.session === session)) continue;
      if (!(await isVisible(this, ref, facts, user))) continue;
      sessions.push({ ref, session, files, secrets: await secretsOf(ref) });
      for (const child of childrenOf((await this.tasks(ref, session))?.tasks ?? [])) {
        open.push({ ref: { project: ref.project, agent: child.agent ?? ref.agent }, session: child.session_id });
      }
    }
    return sessions.length > 0 ? bundleStream(this.layout, sessions) : null;
  }

  /** The Sessions of an Agent that have a Trace, with their small facts; in no particular order. */
  sessions(ref: AgentRef): Promise<SessionFacts[]> {
    return this.#catalog.sessions(ref);
  }

  /** The same in the order of lists; what grew in place is seen a look later. */
  newest(ref: AgentRef): Promise<SessionFacts[]> {
    return this.#catalog.newest(ref);
  }

  /** The facts of one Session; null: it has no Trace. */
  session(ref: AgentRef, session: string): Promise<SessionFacts | null> {
    return this.#catalog.session(ref, session);
  }
}

/** Sessions in one bundle. */
const MAX_BUNDLED = 1000;

/** Pointers to children, as far as they can be ids. */
function childrenOf(tasks: readonly Task[]): { session_id: string; agent?: string }[] {
  const all = tasks.flatMap(({ requests }) => requests.flatMap(({ subagents }) => subagents));
  return all.filter(({ session_id, agent }) => isSessionId(session_id) && (agent === undefined || isGenericId(agent)));
}

/** The lines first … last, read from a mark at or before the first of them. */
async function* linesFrom(
  file: FoundFile,
  mark: { line: number; start: number },
  first: number,
  last: number,
): AsyncGenerator<RawLine> {
  const splitter = new LineSplitter();
  const within = (raw: RawLine) => movedLine(raw, { line: mark.line - 1, start: mark.start });
  if (last < first) return;
  for await (const piece of pieces(file.path, mark.start, file.bytes)) {
    for (const raw of splitter.push(piece)) {
      const line = within(raw);
      if (line.line >= first) yield line;
      if (line.line >= last) return;
    }
  }
  for (const raw of splitter.end()) yield within(raw);
}
