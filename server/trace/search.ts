/**
 * Search over one Session, or over all Sessions of a Project that a person may see, newest first. The files are read
 * each time: there is no index.
 */
import type { FoundSession, SearchLine, TraceSearchQuery } from "../../lib/api/trace-search";
import { costOf } from "../../lib/model/price";
import { isEventOf } from "../../lib/omni/guards";
import { readable } from "../../lib/omni/readable";
import { parseLine } from "../../lib/trace/jsonl";
import type { AgentRef } from "../paths";
import type { SessionFacts } from "./catalog";
import type { FoundFile } from "./locate";
import { Pace } from "./scan";
import { asksForRecords, blocks, type RecordQuery, searchFile } from "./search-file";

/** Hits of one Session that a search over many shows. */
const PER_SESSION = 20;
const MAX_SESSIONS = 200;
const MAX_HITS = 5000;
/** Milliseconds between two reports of progress. */
const REPORT_MS = 200;

/** All files of one Session, oldest first. */
export async function* searchSession(files: FoundFile[], query: RecordQuery): AsyncGenerator<SearchLine> {
  let hits = 0;
  for (const file of files) {
    for await (const hit of searchFile(file.path, file.bytes, query)) {
      if (hits === MAX_HITS) return yield { done: { hits, sessions: 1, more: true } };
      hits++;
      yield { hit: { index: file.index, ...hit } };
    }
  }
  yield { done: { hits, sessions: 1, more: false } };
}

export interface Candidate {
  ref: AgentRef;
  session: string;
  /** By ascending index. */
  files: FoundFile[];
}
export interface SearchSource {
  /** null: it is gone, or this person may not see it. */
  facts(candidate: Candidate): Promise<SessionFacts | null>;
}

/** Newest first by the time of the last change of their files. */
export function newestFirst(candidates: Candidate[]): Candidate[] {
  const changed = ({ files }: Candidate) => Math.max(...files.map((file) => file.mtime_ms));
  return candidates.sort((a, b) => changed(b) - changed(a));
}

export async function* searchProject(
  candidates: Candidate[],
  source: SearchSource,
  query: TraceSearchQuery,
): AsyncGenerator<SearchLine> {
  const run = new ProjectSearch(candidates, query);
  for (const candidate of newestFirst(candidates)) {
    const facts = run.mayMatch(candidate) ? await source.facts(candidate) : null;
    if (!facts) run.skip(candidate);
    else yield* run.session(candidate, facts);
    const progress = run.progress();
    if (progress) yield progress;
    if (run.full) break;
  }
  yield run.done();
}

class ProjectSearch {
  readonly #records: RecordQuery;
  readonly #total: number;
  readonly #from: string | undefined;
  readonly #to: string | undefined;
  #read = 0;
  #hits = 0;
  #sessions = 0;
  #reported = 0;
  readonly #pace = new Pace();

  constructor(
    candidates: Candidate[],
    private readonly query: TraceSearchQuery,
  ) {
    this.#from = query.from && localDay(query.from, query.tz, 0);
    this.#to = query.to && localDay(query.to, query.tz, 1);
    const { q, tool, status } = query;
    this.#records = { text: q, tool, status, from: this.#from, to: this.#to, skipHeads: true };
    this.#total = candidates.reduce((sum, { files }) => sum + sizeOf(files), 0);
  }

  get full(): boolean {
    return this.#sessions >= MAX_SESSIONS;
  }

  /** By what is known without reading: a Session that nobody touched since cannot hold later records. */
  mayMatch({ files }: Candidate): boolean {
    return this.#from === undefined || files.some((file) => file.mtime_ms >= Date.parse(this.#from ?? ""));
  }

  skip({ files }: Candidate): void {
    this.#read += sizeOf(files);
  }

  progress(): SearchLine | null {
    if (performance.now() - this.#reported < REPORT_MS) return null;
    this.#reported = performance.now();
    return { progress: { bytes: Math.min(this.#read, this.#total), total_bytes: this.#total } };
  }

  done(): SearchLine {
    return { done: { hits: this.#hits, sessions: this.#sessions, more: this.full } };
  }

  async *session(candidate: Candidate, facts: SessionFacts): AsyncGenerator<SearchLine> {
    const before = this.#read;
    if (this.#pace.due) await this.#pace.rest();
    const cost = await this.#fits(candidate, facts);
    if (cost !== null) yield* this.#hitsOf(candidate, viewOf(candidate, facts, cost));
    // Filters read files a second time, and stop early: what counts is that this Session is done.
    this.#read = before + sizeOf(candidate.files);
  }

  /** null: the Session is not asked for; else what it cost, undefined when nobody asked. */
  async #fits({ files }: Candidate, facts: SessionFacts): Promise<number | undefined | null> {
    const { model, person, min_cost } = this.query;
    if (model !== undefined && `${facts.meta?.provider}/${facts.meta?.model_id}` !== model) return null;
    if (this.#from !== undefined && facts.last_active_at < this.#from) return null;
    if (this.#to !== undefined && facts.created_at > this.#to) return null;
    if (person !== undefined && facts.meta?.created_by !== person && !(await namesPerson(files, person))) return null;
    if (min_cost === undefined) return undefined;
    const cost = await stampedCost(files);
    return cost >= min_cost ? cost : null;
  }

  async *#hitsOf({ files }: Candidate, view: FoundSession): AsyncGenerator<SearchLine> {
    if (!asksForRecords(this.#records)) {
      this.#sessions++;
      return yield { session: view };
    }
    let shown = 0;
    for (const file of files.toReversed()) {
      for await (const hit of searchFile(file.path, file.bytes, this.#records, (bytes) => this.#count(bytes))) {
        if (shown === 0) {
          this.#sessions++;
          yield { session: view };
        }
        if (shown === PER_SESSION) return;
        shown++;
        this.#hits++;
        yield { hit: { index: file.index, ...hit } };
      }
      const progress = this.progress();
      if (progress) yield progress;
    }
  }

  #count(bytes: number): void {
    this.#read += bytes;
  }
}

const sizeOf = (files: FoundFile[]) => files.reduce((sum, file) => sum + file.bytes, 0);

/** The beginning of a calendar day (`plus` days later) in a zone, as ISO time. */
function localDay(day: string, tz: number, plus: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + tz * 60_000 + plus * 86_400_000).toISOString();
}

function viewOf({ ref, session }: Candidate, facts: SessionFacts, cost: number | undefined): FoundSession {
  return {
    agent: ref.agent,
    session_id: session,
    title: facts.info?.title ?? facts.title_fallback,
    imported: facts.imported,
    last_active_at: facts.last_active_at,
    files: facts.files,
    ...(cost === undefined ? {} : { cost }),
  };
}

/** Did this person write a prompt or decide anything here? Ids need no escapes; some writers put a space before values. */
async function namesPerson(files: FoundFile[], person: string): Promise<boolean> {
  const pace = new Pace();
  const marks = ["author", "by", "user"].flatMap((key) =>
    [":", ": "].map((colon) => Buffer.from(`"${key}"${colon}"${person}"`)),
  );
  for (const file of files) {
    for (const { bytes } of blocks(file.path, file.bytes)) {
      if (marks.some((mark) => bytes.includes(mark))) return true;
      if (pace.due) await pace.rest();
    }
  }
  return false;
}

const USAGE = Buffer.from('_usage"');

/** USD of all Requests with a stamped price. */
async function stampedCost(files: FoundFile[]): Promise<number> {
  const pace = new Pace();
  let usd = 0;
  for (const file of files) {
    for (const { bytes } of blocks(file.path, file.bytes)) {
      for (let at = bytes.indexOf(USAGE); at !== -1; ) {
        const from = at === 0 ? 0 : bytes.lastIndexOf(0x0a, at) + 1;
        const found = bytes.indexOf(0x0a, at);
        const to = found === -1 ? bytes.length : found;
        usd += costOfLine(bytes.subarray(from, to));
        at = bytes.indexOf(USAGE, to);
        if (pace.due) await pace.rest();
      }
    }
  }
  return usd;
}

/** Lines that only speak of usage may be long: those of ours are short. */
const MAX_USAGE_BYTES = 64 * 1024;

function costOfLine(line: Buffer): number {
  if (line.length > MAX_USAGE_BYTES) return 0;
  const parsed = parseLine(line.toString("utf8"));
  const message = parsed && "message" in parsed ? readable(parsed.message) : null;
  if (!message || !(isEventOf(message, "token_usage") || isEventOf(message, "aux_usage"))) return 0;
  const { request, price } = message.payload;
  return price ? costOf(request, price) : 0;
}
