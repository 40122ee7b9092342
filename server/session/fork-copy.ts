/**
 * The files of a fork: copies of Trace files in which the Session id, the scratchpad's path and the lineage are the
 * fork's own, everything else byte for byte; and a copy of the scratchpad.
 */
import { cp, type FileHandle, lstat, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { isSessionMeta } from "../../lib/omni/guards";
import type { OmniMessage, SessionMetaPayload } from "../../lib/omni/message";
import { encodeRecord, LineSplitter, parseLine, type RawLine } from "../../lib/trace/jsonl";
import { sessionIdTime } from "../../lib/trace/name";
import { makeFolder } from "../files";
import { Pace, pieces } from "../trace/scan";

/** What becomes what. */
export interface Renaming {
  from: { session: string; scratchpad: string };
  to: { session: string; scratchpad: string };
  forked_from: { agent: string; session_id: string; file_index: number; line: number };
  created_by: string;
}

export interface FileCopy {
  source: string;
  /** Bytes of the source file as it was found. */
  bytes: number;
  target: string;
  /** Copies this many physical lines; absent: all. */
  lines?: number;
  /** Written behind them. */
  tail: OmniMessage[];
}

/** A line that is written anew. Byte offsets in the source. */
interface Edit {
  from: number;
  to: number;
  text: (copied_lines: number) => string;
}
interface Plan {
  edits: Edit[];
  /** Where copying ends. */
  end: number;
  copied_lines: number;
}

const META_MARK = Buffer.from('"session_meta"');
const ATTACHED_MARK = Buffer.from("[attached ");

/** Copies one file; it must not exist. What a failure leaves of it is the caller's to remove. */
export async function copyTraceFile(copy: FileCopy, renaming: Renaming): Promise<void> {
  const plan = await planOf(copy, renaming);
  await makeFolder(dirname(copy.target));
  const handle = await open(copy.target, "wx", 0o600);
  try {
    let at = 0;
    for (const { from, to, text } of plan.edits) {
      await copyBytes(handle, copy.source, at, from);
      await handle.appendFile(text(plan.copied_lines));
      at = to;
    }
    await copyBytes(handle, copy.source, at, plan.end);
    if (copy.tail.length > 0)
      await handle.appendFile(`${await lineEnd(copy, plan)}${copy.tail.map(encodeRecord).join("")}`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function copyBytes(handle: FileHandle, source: string, from: number, to: number): Promise<void> {
  for await (const piece of pieces(source, from, to)) await handle.appendFile(piece);
}

/** A line feed where the copied part ends without one. */
async function lineEnd({ source }: FileCopy, { end }: Plan): Promise<string> {
  if (end === 0) return "";
  for await (const piece of pieces(source, end - 1, end)) return piece[0] === 0x0a ? "" : "\n";
  return "";
}

async function planOf(copy: FileCopy, renaming: Renaming): Promise<Plan> {
  const plan: Plan = { edits: [], end: copy.bytes, copied_lines: 0 };
  const splitter = new LineSplitter();
  const pace = new Pace();
  const wanted = copy.lines ?? Number.POSITIVE_INFINITY;
  const take = async (raw: RawLine): Promise<boolean> => {
    // The line before is complete: copying ends where this one begins.
    if (raw.line > wanted) plan.end = raw.start;
    if (raw.line > wanted) return false;
    plan.copied_lines = raw.line;
    const text = editOf(raw, renaming);
    if (text) plan.edits.push({ from: raw.start, to: raw.start + raw.length, text });
    if (pace.due) await pace.rest();
    return true;
  };
  for await (const piece of pieces(copy.source, 0, copy.bytes)) {
    for (const raw of splitter.push(piece)) if (!(await take(raw))) return plan;
  }
  for (const raw of splitter.end()) await take(raw);
  return plan;
}

function editOf(raw: RawLine, renaming: Renaming): Edit["text"] | null {
  const bytes = Buffer.from(raw.bytes.buffer, raw.bytes.byteOffset, raw.bytes.byteLength);
  // Only whole lines: of one that is too large there is only the head.
  if (bytes.length !== raw.length) return null;
  if (bytes.includes(META_MARK)) {
    const parsed = parseLine(raw);
    if (parsed && "message" in parsed && isSessionMeta(parsed.message)) {
      const { message } = parsed;
      return (copied_lines) =>
        encodeRecord({ ...message, payload: forkedMeta(message.payload, renaming, copied_lines) }).trimEnd();
    }
  }
  return bytes.includes(ATTACHED_MARK) ? attachmentEdit(raw, bytes, renaming) : null;
}

/** FF 9.14. Who started it, and how, was true of the source only. */
export function forkedMeta(
  { client_id: _, source: __, parent: ___, ...meta }: SessionMetaPayload,
  { from, to, forked_from, created_by }: Renaming,
  copied_lines: number,
): SessionMetaPayload {
  const { system_prompt } = meta;
  return {
    ...meta,
    session_id: to.session,
    ...(system_prompt === undefined ? {} : { system_prompt: renamed(system_prompt, from, to) }),
    created_by,
    forked_from: { ...forked_from, copied_lines },
  };
}

function renamed(text: string, from: Renaming["from"], to: Renaming["to"]): string {
  const paths = text.replaceAll(from.scratchpad, to.scratchpad);
  // An imported id may be any word; only one of our own form is certain to mean the Session.
  return sessionIdTime(from.session) ? paths.replaceAll(from.session, to.session) : paths;
}

/** Attachment lines of a person's text. The rest of the line stays as it was written, number spellings included. */
function attachmentEdit(raw: RawLine, bytes: Buffer, { from, to }: Renaming): Edit["text"] | null {
  const parsed = parseLine(raw);
  if (!parsed || !("message" in parsed) || parsed.message.type !== "model_msg") return null;
  const { payload } = parsed.message;
  if (payload.type !== "text" || payload.role !== "user") return null;
  const inJson = (path: string) => JSON.stringify(`${path}/`).slice(1, -1);
  let text = bytes.toString("utf8");
  const before = text;
  for (const kind of ["image", "file"]) {
    text = text.replaceAll(
      `[attached ${kind}: ${inJson(from.scratchpad)}`,
      `[attached ${kind}: ${inJson(to.scratchpad)}`,
    );
  }
  return text === before ? null : () => text;
}

/** Files, folders and links as they are; pipes and sockets belong to what runs in the source. False: there is none. */
export async function copyScratchpad(from: string, to: string): Promise<boolean> {
  if (!(await lstat(from).catch(() => null))?.isDirectory()) return false;
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await cp(from, to, {
    recursive: true,
    errorOnExist: true,
    force: false,
    verbatimSymlinks: true,
    filter: async (path) => {
      const stat = await lstat(path).catch(() => null);
      return stat !== null && (stat.isFile() || stat.isDirectory() || stat.isSymbolicLink());
    },
  });
  return true;
}
