/** Reads an audit log from its end: the newest lines first, whatever its size. */
import { type FileHandle, open } from "node:fs/promises";
import { z } from "zod";
import type { AuditLine, AuditPage } from "../lib/api/audit";

const CHUNK = 64 * 1024;
/** One question reads at most so much: a filter that finds little answers with where to go on. Bytes. */
const MOST = 8 * 1024 * 1024;
const NEWLINE = 10;

const line = z.looseObject({ at: z.string(), by: z.string(), action: z.string() });

export interface AuditQuery {
  limit: number;
  /** Byte at which to begin, backwards; absent: the end. */
  before?: number;
  keep(entry: AuditLine): boolean;
}

/** Lines that are not entries, such as a torn last one, are left out. No file: no entries. */
export async function readAudit(path: string, query: AuditQuery): Promise<AuditPage> {
  const file = await open(path, "r").catch(() => null);
  if (!file) return { entries: [] };
  try {
    const { size } = await file.stat();
    return await readBack(file, Math.min(query.before ?? size, size), query);
  } finally {
    await file.close();
  }
}

/**
 * The entries as this person may read them: of a private Session of somebody else what was done, not which one it is.
 * `maySee`: of one that is still there; null: it is gone. Then only who deleted it told of it, unless it was private.
 */
export async function asSeenBy(
  person: string,
  entries: readonly AuditLine[],
  maySee: (agent: string, session: string) => Promise<boolean | null>,
): Promise<AuditLine[]> {
  const seen = entries.map(async (entry): Promise<AuditLine> => {
    const { session, session_id: _of_usage, file_index: _file, ...rest } = entry;
    if (entry.action === "usage.deleted") return rest;
    if (typeof session !== "string" || typeof entry.agent !== "string") return entry;
    const told = entry.by === person || (entry.action === "session.delete" && entry.private !== true);
    return told || (await maySee(entry.agent, session)) ? entry : { ...rest, private: true };
  });
  return Promise.all(seen);
}

async function readBack(file: FileHandle, end: number, { limit, keep }: AuditQuery): Promise<AuditPage> {
  const entries: AuditLine[] = [];
  /** Of the line that begins before what was read so far. */
  let rest = Buffer.alloc(0);
  let at = end;
  while (at > 0 && end - at < MOST) {
    const from = Math.max(0, at - CHUNK);
    const chunk = Buffer.alloc(at - from);
    await file.read(chunk, 0, chunk.length, from);
    let bytes = Buffer.concat([chunk, rest]);
    at = from;
    for (;;) {
      // Without its own line break at the end, which is the first byte behind the line before.
      const tail = bytes.at(-1) === NEWLINE ? bytes.length - 1 : bytes.length;
      const start = tail === 0 ? -1 : bytes.lastIndexOf(NEWLINE, tail - 1);
      if (start < 0 && at > 0) break;
      const entry = parse(bytes.subarray(start + 1, tail));
      bytes = bytes.subarray(0, start + 1);
      if (entry && keep(entry)) entries.push(entry);
      const older = at + bytes.length;
      if (entries.length === limit || older === 0) return { entries, ...(older > 0 ? { before: older } : {}) };
    }
    rest = bytes;
  }
  const before = at + rest.length;
  return { entries, ...(before > 0 && before < end ? { before } : {}) };
}

function parse(bytes: Buffer): AuditLine | null {
  try {
    const parsed = line.safeParse(JSON.parse(bytes.toString("utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
