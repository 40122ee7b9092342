/**
 * The Tasks of whole Sessions, folded once and kept: of a file that grew only the new bytes are read, so that a Trace
 * which is being written can be looked at again and again. In memory only; a few Sessions, the least used one goes first.
 */
import { titleLine } from "../../lib/omni/blocks";
import { isPayloadOf } from "../../lib/omni/guards";
import type { AddressedMessage } from "../../lib/omni/message";
import { LineSplitter, type ParsedLine, parseLine } from "../../lib/trace/jsonl";
import { Segmenter } from "../../lib/trace/segment";
import type { Task } from "../../lib/trace/task";
import { isFar, parseFar } from "./far-parse";
import { type FileState, onlyGrew } from "./line-index";
import type { FoundFile } from "./locate";
import { Pace, pieces } from "./scan";

export interface FoldedFile {
  index: number;
  /** Physical lines. */
  lines: number;
  /** Lines that are no records. */
  damaged: number[];
}
export interface FoldedSession {
  files: FoldedFile[];
  tasks: Task[];
  /** First line of each Task's Prompt by the Task's index. */
  titles: ReadonlyMap<number, string>;
}

interface KeptFile extends FoldedFile {
  state: FileState;
  /** Where the first line begins that was not folded yet. */
  rest: number;
}
interface Kept {
  files: KeptFile[];
  segmenter: Segmenter;
  titles: Map<number, string>;
  /** A last line without its line feed was folded: if it grows, all begins anew. */
  sealed: boolean;
}

/** Each open conversation asks for its own again after every Task. */
const KEPT = 12;
const TITLE_CHARS = 160;

export class TaskFolds {
  readonly #kept = new Map<string, Kept>();
  readonly #running = new Map<string, Promise<unknown>>();

  /** `key` names the Session; `found` are its files by ascending index. */
  of(key: string, found: FoundFile[]): Promise<FoldedSession> {
    const result = (this.#running.get(key) ?? Promise.resolve()).then(() => this.#fold(key, found));
    const settled = result
      .catch(() => {})
      .then(() => {
        if (this.#running.get(key) === settled) this.#running.delete(key);
      });
    this.#running.set(key, settled);
    return result;
  }

  async #fold(key: string, found: FoundFile[]): Promise<FoldedSession> {
    const old = this.#kept.get(key);
    this.#kept.delete(key);
    const kept = old && goesOn(old, found) ? old : fresh();
    const tails: FoldedFile[] = [];
    for (const [i, file] of found.entries()) {
      const known = kept.files[i] ?? {
        index: file.index,
        lines: 0,
        damaged: [],
        state: { ...file, bytes: 0 },
        rest: 0,
      };
      kept.files[i] = known;
      tails.push(
        known.state.bytes === file.bytes && known.rest === file.bytes ? known : await foldFile(kept, known, file),
      );
    }
    this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return {
      files: tails.map(({ index, lines, damaged }) => ({ index, lines, damaged: [...damaged] })),
      tasks: kept.segmenter.tasks,
      titles: kept.titles,
    };
  }
}

function fresh(): Kept {
  return { files: [], segmenter: new Segmenter(), titles: new Map(), sealed: false };
}

/** Only the newest of the files that were folded may have grown. */
function goesOn({ files, sealed }: Kept, found: FoundFile[]): boolean {
  return files.every((file, i) => {
    const now = found[i];
    if (!now || now.path !== file.state.path || !onlyGrew(file.state, now)) return false;
    if (now.bytes === file.state.bytes) return true;
    return i === files.length - 1 && !sealed;
  });
}

/** Folds what is new; answers the file's figures with its unterminated last line, which is not kept unless it is whole. */
async function foldFile(kept: Kept, known: KeptFile, file: FoundFile): Promise<FoldedFile> {
  const splitter = new LineSplitter();
  const pace = new Pace();
  const [firstLine, firstByte] = [known.lines, known.rest];
  const take = (line: number, parsed: ParsedLine) => {
    if (!parsed) return;
    if ("message" in parsed) push(kept, { address: { file_index: file.index, line }, message: parsed.message });
    else known.damaged.push(line);
  };
  let read = firstByte;
  let restLength = 0;
  for await (const piece of pieces(file.path, firstByte, file.bytes)) {
    read += piece.length;
    const lf = piece.lastIndexOf(0x0a);
    restLength = lf === -1 ? restLength + piece.length : piece.length - lf - 1;
    for (const raw of splitter.push(piece)) {
      take(raw.line + firstLine, isFar(raw) ? await parseFar(raw) : parseLine(raw));
      known.lines = raw.line + firstLine;
      if (pace.due) await pace.rest();
    }
  }
  known.rest = read - restLength;
  known.state = { ...file, bytes: read };
  const [last] = splitter.end();
  if (!last) return known;
  const parsed = isFar(last) ? await parseFar(last) : parseLine(last);
  const line = known.lines + 1;
  if (parsed && "message" in parsed) {
    take(line, parsed);
    kept.sealed = true;
    known.lines = line;
    known.rest = read;
    return known;
  }
  return { index: known.index, lines: line, damaged: parsed ? [...known.damaged, line] : known.damaged };
}

function push({ segmenter, titles }: Kept, record: AddressedMessage): void {
  const task = segmenter.push(record);
  if (!task || titles.has(task.index) || !isPayloadOf(record.message, "text")) return;
  const { role, text } = record.message.payload;
  const { file_index, line } = record.address;
  if (role !== "user" || typeof text !== "string") return;
  if (!task.prompt.some((at) => at.file_index === file_index && at.line === line)) return;
  const first = titleLine(text);
  if (first) titles.set(task.index, first.slice(0, TITLE_CHARS));
}
