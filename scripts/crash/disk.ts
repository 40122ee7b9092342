/** What lies on disk after a kill, and which rules it breaks. Reads lines with JSON.parse: no code of the product. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { Shown } from "./orders";
import type { Random } from "./random";

interface Payload {
  type?: string;
  role?: string;
  text?: string;
  status?: string;
  client_id?: string;
  sender?: string;
  tool_call_id?: string;
  mode?: string;
  by?: string;
  forked_from?: { file_index: number };
}
interface Line {
  type?: string;
  payload: Payload;
  origin?: unknown;
}
export interface TraceOnDisk {
  path: string;
  session: string;
  index: number;
  bytes: Buffer;
  /** null: it does not parse. */
  lines: (Line | null)[];
}
interface Known {
  bytes: number;
  hash: string;
  torn: number;
  /** The kill after which it was first seen; of a copy, one so long ago that it may hold whatever its source held. */
  since: number;
  /** A kill may have come before the fork was complete: then it is gone after the next start. */
  fork: boolean;
}

const NAME = /^(session-[\d-]{19}-[0-9a-f]{8})_(\d{3,})\.jsonl$/;
const COMMITS = new Set(["approval_decision", "request_end", "compaction_end"]);
const hashOf = (bytes: Uint8Array) => createHash("sha1").update(bytes).digest("hex");

function parsed(text: string): Line | null {
  try {
    const value: unknown = JSON.parse(text);
    return value && typeof value === "object" && "payload" in value ? (value as Line) : null;
  } catch {
    return null;
  }
}

function readTrace(path: string): TraceOnDisk {
  const [, session = "", index = ""] = NAME.exec(path.slice(path.lastIndexOf("/") + 1)) ?? [];
  const bytes = readFileSync(path);
  const texts = bytes.toString("utf8").split("\n");
  if (texts.at(-1) === "") texts.pop();
  return { path, session, index: Number(index), bytes, lines: texts.map(parsed) };
}

/** TR8: after these a power cut takes nothing away. */
const isCommit = ({ payload: { type = "", role } }: Line) =>
  COMMITS.has(type) || (role === "user" && (type === "text" || type === "image_url"));

export class Disk {
  readonly #known = new Map<string, Known>();
  #shown: Shown[] = [];
  #cuts = 0;
  #checked = 0;
  /** Kills that met a compaction under way, and kills between its end and the file that follows. */
  readonly #met = { compacting: 0, rotating: 0, torn: 0, forks: 0 };
  constructor(private readonly folder: string) {}

  /** A subscriber was shown it. */
  note(shown: Shown): void {
    this.#shown.push(shown);
  }

  /** Files with something in them: a kill between a file's creation and its first byte leaves an empty one, which is refused with that cause (RS5). */
  #paths(): string[] {
    if (!existsSync(this.folder)) return [];
    return readdirSync(this.folder, { recursive: true, encoding: "utf8" })
      .filter((name) => NAME.test(name.slice(name.lastIndexOf("/") + 1)))
      .map((name) => join(this.folder, name))
      .filter((path) => statSync(path).size > 0)
      .sort();
  }
  /** The files of one Session, by index. */
  files(session: string): TraceOnDisk[] {
    return this.#paths()
      .filter((path) => path.includes(`/${session}_`))
      .map(readTrace)
      .sort((a, b) => a.index - b.index);
  }
  sessions(): string[] {
    return [...new Set(this.#paths().flatMap((path) => NAME.exec(path.slice(path.lastIndexOf("/") + 1))?.[1] ?? []))];
  }

  /** Halves of files that a kill left; none may outlive the next start. */
  leftovers(): string[] {
    if (!existsSync(this.folder)) return [];
    const names = readdirSync(this.folder, { recursive: true, encoding: "utf8" });
    return names.filter((name) => name.endsWith(".tmp") || /\.incoming(-bundles)?\//.test(name));
  }

  /** Where a Session may be forked: its completed Requests. */
  forkPoints(session: string): { file: number; line: number }[] {
    return this.files(session).flatMap(({ index, lines }) =>
      lines.flatMap((line, at) =>
        line?.payload.type === "request_end" && line.payload.status === "completed"
          ? [{ file: index, line: at + 1 }]
          : [],
      ),
    );
  }

  /** Sessions that lack a file: a fork appears as a whole, or not at all. */
  incomplete(): string[] {
    return this.sessions().flatMap((session) => {
      const files = this.files(session);
      const last = Math.max(files.length, ...files.map((file) => forkOf(file)?.file_index ?? 0));
      const whole = files.every(({ index }, at) => index === at + 1) && files.length === last;
      return whole ? [] : [`${session} has files ${files.map(({ index }) => index)} of ${last}`];
    });
  }

  /** A power cut: the last record of some files, if nothing after it was synced, loses its end. */
  powerCut(random: Random): void {
    for (const path of this.#paths()) {
      const { bytes, lines, session, index } = readTrace(path);
      const known = this.#known.get(path);
      const last = lines.at(-1);
      const start = bytes.lastIndexOf(10, bytes.length - 2) + 1;
      if (!last || bytes.at(-1) !== 10 || isCommit(last) || start < (known?.bytes ?? 0) || lines.length < 3) continue;
      if (!random.chance(0.5)) continue;
      truncateSync(path, start + random.below(bytes.length - start));
      this.#cuts += 1;
      const gone = ({ session: of, file, line }: Shown) => of === session && file === index && line >= lines.length;
      this.#shown = this.#shown.filter((one) => !gone(one));
    }
  }

  /**
   * A kill inside of the write that opens a context: of its file any part may be there (RS6). It is made of a later
   * one: what came after is taken back too. `queued`: prompts that left the queue because their record was on disk.
   */
  tearRotations(random: Random, queued: ReadonlySet<string>): void {
    for (const session of this.sessions()) {
      const trace = this.files(session).at(-1);
      if (!trace || trace.index === 1 || this.#known.has(trace.path) || forkOf(trace) || random.chance(0.7)) continue;
      if (trace.lines.some((line) => queued.has(line?.payload.client_id ?? ""))) continue;
      truncateSync(trace.path, random.below(headEnd(trace)));
      this.#met.torn += 1;
      this.#shown = this.#shown.filter(({ session: of, file }) => of !== session || file !== trace.index);
    }
  }

  /** Looks at every file that changed since the last time. Returns what is wrong and which Sessions changed. */
  check(kill: number): { problems: string[]; changed: string[] } {
    const problems: string[] = [];
    const changed = new Set<string>();
    const seen = new Map<string, TraceOnDisk>();
    for (const path of this.#paths()) {
      const trace = readTrace(path);
      seen.set(`${trace.session}/${trace.index}`, trace);
      const known = this.#known.get(path);
      if (known?.bytes === trace.bytes.length) continue;
      changed.add(trace.session);
      problems.push(...this.#one(trace, known, kill).map((problem) => `${path.slice(this.folder.length)}: ${problem}`));
    }
    for (const session of changed) this.#meet(this.files(session).at(-1));
    for (const [path, { fork }] of this.#known) {
      if (existsSync(path)) continue;
      this.#known.delete(path);
      if (!fork) problems.push(`${path} is gone`);
    }
    problems.push(...this.#notThere(seen));
    return { problems, changed: [...changed] };
  }

  /** What the newest file of a Session that was at work ends in. */
  #meet(newest: TraceOnDisk | undefined): void {
    const types = newest?.lines.map((line) => line?.payload.type) ?? [];
    const begun = types.lastIndexOf("compaction_begin");
    const ended = types.lastIndexOf("compaction_end");
    if (begun > ended) this.#met.compacting += 1;
    else if (ended !== -1 && newest?.lines[ended]?.payload.status === "completed") this.#met.rotating += 1;
  }

  #one(trace: TraceOnDisk, known: Known | undefined, kill: number): string[] {
    const problems: string[] = [];
    const { bytes, lines, path } = trace;
    if (known && hashOf(bytes.subarray(0, known.bytes)) !== known.hash) problems.push("TR1: earlier bytes changed");
    const torn = lines.filter((line) => line === null).length;
    const copied = !known && forkOf(trace) !== undefined;
    if (copied) this.#met.forks += 1;
    if (!copied && torn > (known?.torn ?? 0) + 1) problems.push(`TR5: ${torn} torn lines after ${known?.torn ?? 0}`);
    const since = copied ? Number.NEGATIVE_INFINITY : (known?.since ?? kill);
    const { orphans, unpaired } = pairs(lines);
    if (unpaired > 0) problems.push(`TR3: ${unpaired} request_end without a begin`);
    if (orphans > kill - since + 1) problems.push(`TR3: ${orphans} orphaned begins in ${kill - since + 1} kills`);
    for (const line of lines) {
      if (line?.origin !== undefined) problems.push("TR2: a record with origin");
      if (line?.payload.type?.startsWith("partial_")) problems.push("TR2: a fragment");
    }
    this.#known.set(path, { bytes: bytes.length, hash: hashOf(bytes), torn, since, fork: copied });
    return problems;
  }

  /** What all files hold: how much the run has really met. */
  totals() {
    const lines = this.#paths().map((path) => readTrace(path).lines);
    const all = lines.flat();
    const of = (type: string, status?: string) =>
      all.filter((line) => line?.payload.type === type && (!status || line.payload.status === status)).length;
    return {
      files: lines.length,
      lines: all.length,
      torn: all.filter((line) => line === null).length,
      "power cuts": this.#cuts,
      "shown records": this.#checked,
      "orphaned begins": lines.reduce((sum, one) => sum + pairs(one).orphans, 0),
      compactions: of("compaction_end", "completed"),
      rotations: lines.length - this.sessions().length,
      "kills in a compaction": this.#met.compacting,
      "kills before a rotation": this.#met.rotating,
      "torn rotations": this.#met.torn,
      "rotations by settings": all.filter((_, at) => opensBySettings(all, at)).length,
      forks: this.#met.forks,
      goals: of("goal_finished"),
      "failed compactions": of("compaction_end", "failed"),
      subagents: of("subagent"),
      aborts: of("abort"),
    };
  }

  /** EN1: what was shown is on disk, where it was said to be. */
  #notThere(seen: Map<string, TraceOnDisk>): string[] {
    const shown = this.#shown.splice(0);
    this.#checked += shown.length;
    return shown.flatMap(({ session, file, line, type }) => {
      const found = seen.get(`${session}/${file}`)?.lines[line - 1];
      const there = found && (found.payload.type ?? "session_meta") === type;
      return there ? [] : [`EN1: ${session}_${file} line ${line} (${type}) was shown and is not on disk`];
    });
  }
}

/** Where a copied file says that it comes from. */
const forkOf = ({ lines }: TraceOnDisk) => lines.find((line) => line?.type === "session_meta")?.payload.forked_from;

/** Where the write that opened the file ended, or later: before its first Request. Bytes. */
function headEnd({ bytes, lines }: TraceOnDisk): number {
  const first = lines.findIndex((line) => /^(request|compaction)_begin$/.test(line?.payload.type ?? ""));
  let end = 0;
  for (let line = 0; line < first; line += 1) end = bytes.indexOf(10, end) + 1;
  return first < 0 ? bytes.length : end;
}

/** Is this the change of a title or a mode that opened a context, behind meta and summary? */
function opensBySettings(lines: (Line | null)[], at: number): boolean {
  const [meta, before, line] = [lines[at - 2], lines[at - 1], lines[at]];
  return (
    line?.payload.type === "session_info" &&
    line.payload.by !== undefined &&
    before?.payload.role === "user" &&
    meta?.type === "session_meta"
  );
}

function pairs(lines: (Line | null)[]): { orphans: number; unpaired: number } {
  let open = false;
  let orphans = 0;
  let unpaired = 0;
  for (const line of lines) {
    const type = line?.payload.type;
    if (type === "request_begin") {
      if (open) orphans += 1;
      open = true;
    } else if (type === "request_end") {
      if (!open) unpaired += 1;
      open = false;
    }
  }
  return { orphans, unpaired };
}

const MARKER = /<<m\d+>>/g;
const markersOf = (lines: Line[]) => lines.flatMap(({ payload }) => payload.text?.match(MARKER) ?? []);

/** Markers of what a model has to be told next, by these files: the committed turns of the open context, or its summary. */
export function owedMarkers(files: TraceOnDisk[]): string[] {
  const [before, newest] = [files.at(-2), files.at(-1)];
  const own = newest ? contextOf(newest) : { turns: [], summary: null };
  if (own.summary) return own.summary;
  const summary = before ? contextOf(before).summary : null;
  return [...(summary ?? []), ...own.turns];
}

function contextOf({ lines }: TraceOnDisk): { turns: string[]; summary: string[] | null } {
  const turns: string[] = [];
  let [round, inside, compacting]: [Line[], boolean, boolean] = [[], false, false];
  let committed: string[] = [];
  let summary: string[] | null = null;
  for (const line of lines) {
    if (!line) continue;
    const { type, status, role } = line.payload;
    if (type === "compaction_begin") [compacting, committed] = [true, []];
    else if (type === "compaction_end") {
      compacting = false;
      if (status === "completed") summary = committed;
    } else if (type === "request_begin") [inside, round] = [true, []];
    else if (type === "request_end") {
      inside = false;
      if (status !== "completed") continue;
      if (compacting) committed = markersOf(round);
      else turns.push(...markersOf(round));
    } else if (inside && role === "assistant") round.push(line);
  }
  return { turns, summary };
}

/** How often each client_id was recorded as a prompt; what the harness tells with it has a sender, and is no prompt. */
export function promptsOf(files: TraceOnDisk[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of files.flatMap(({ lines }) => lines)) {
    const id = line?.payload.role === "user" && !line.payload.sender && line.payload.client_id;
    if (id) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
