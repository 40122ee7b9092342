/**
 * Import of one Trace file: streamed to a private place, checked on the way, and made visible in one step under its
 * Session id. A refusal leaves nothing on disk.
 */
import { createHash, randomBytes } from "node:crypto";
import { type FileHandle, link, open, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { discardRest } from "../../lib/discard-rest";
import { dateFolder, isDateFolder } from "../../lib/trace/name";
import { codeOf, diskFull, listNames, makeFolder, syncFolder } from "../files";
import type { AgentRef, Layout } from "../paths";
import { type Checked, type DamagedLineView, ImportCheck, type Refusal } from "./import-check";
import { appendImportMark } from "./imports";
import { findFiles } from "./locate";

export interface ImportOptions {
  /** Store damaged lines as they are instead of refusing the file. */
  acceptDamage: boolean;
  /** User id. */
  by: string;
  maxBytes: number;
  /** As declared by the sender. */
  contentLength?: number | null;
  /** Ids in use that no file shows yet. */
  isTaken?: (session_id: string) => boolean;
}
export type ImportOutcome =
  | { ok: true; session_id: string; index: 1; date: string; damaged: DamagedLineView[] }
  | Refusal;

const MIB = 1024 * 1024;

/** Uploads on their way in this process; anything else in the folder was left by a crash. */
const active = new Set<string>();
/** One import at a time per Agent and Session id: a second date folder would let both pass an exclusive create. */
const queues = new Map<string, Promise<unknown>>();

function oneAtATime<T>(key: string, run: () => Promise<T>): Promise<T> {
  const result = (queues.get(key) ?? Promise.resolve()).then(run);
  const settled = result
    .catch(() => {})
    .finally(() => {
      if (queues.get(key) === settled) queues.delete(key);
    });
  queues.set(key, settled);
  return result;
}

/** Runs under the locks of all these Session ids; ids must be sorted, so that two bundles cannot wait for each other. */
export function locked<T>(layout: Layout, ref: AgentRef, ids: readonly string[], run: () => Promise<T>): Promise<T> {
  const [id, ...rest] = ids;
  if (id === undefined) return run();
  return oneAtATime(`${layout.incoming(ref)}\n${id}`, () => locked(layout, ref, rest, run));
}

/** Imports the file that `body` streams. Expected trouble is a value; nothing is left on disk then. */
export async function importTrace(
  layout: Layout,
  ref: AgentRef,
  body: ReadableStream<Uint8Array>,
  options: ImportOptions,
): Promise<ImportOutcome> {
  if ((options.contentLength ?? 0) > options.maxBytes) return tooLarge(options.maxBytes);
  const folder = layout.incoming(ref);
  const path = join(folder, randomBytes(12).toString("hex"));
  active.add(path);
  try {
    await makeFolder(folder);
    await removeStale(folder);
    const upload = await receive(path, body, options.maxBytes);
    if (!upload.ok) return upload;
    if (upload.damaged_total > 0 && !options.acceptDamage) return damagedTrace(upload);
    return await locked(layout, ref, [upload.session_id], () => place(layout, ref, path, upload, options));
  } catch (error) {
    if (diskFull(error)) return { ok: false, code: "disk_full", message: "The disk is full. Nothing was stored." };
    throw error;
  } finally {
    await unlink(path).catch(() => {});
    active.delete(path);
    await rmdir(folder).catch(() => {});
  }
}

async function removeStale(folder: string): Promise<void> {
  for (const name of await listNames(folder)) {
    const path = join(folder, name);
    if (!active.has(path)) await unlink(path).catch(() => {});
  }
}

type Upload = Checked & { bytes: number; sha256: string };

/** Writes the body to `path`, checking it on the way. The rest of a refused body is discarded. */
async function receive(path: string, body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Upload | Refusal> {
  const handle = await open(path, "wx", 0o600);
  const check = new ImportCheck();
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for await (const chunk of uploaded(body)) {
      if (!chunk) return cutOff();
      bytes += chunk.length;
      const refused = bytes > maxBytes ? tooLarge(maxBytes) : await check.push(chunk);
      if (refused) return refused;
      hash.update(chunk);
      await writeAll(handle, chunk);
    }
    const checked = await check.end();
    if (!checked.ok) return checked;
    await handle.sync();
    return { ...checked, bytes, sha256: hash.digest("hex") };
  } finally {
    await handle.close();
  }
}

/** What arrives; null when it stops before its end. What nobody reads on is discarded. */
export async function* uploaded(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array | null> {
  const reader = body.getReader();
  try {
    for (;;) {
      const next = await reader.read().catch(() => null);
      if (next?.done) return;
      yield next?.value ?? null;
      if (!next) return;
    }
  } finally {
    void discardRest(reader);
  }
}

/** Nobody hears this answer: whoever sent is gone. */
export function cutOff(): Refusal {
  return { ok: false, code: "bad_request", message: "The upload was cut off. Nothing was stored." };
}

export async function writeAll(handle: FileHandle, data: Uint8Array): Promise<void> {
  for (let done = 0; done < data.length; ) {
    const { bytesWritten } = await handle.write(data, done);
    if (bytesWritten === 0) throw new Error("The file system wrote nothing.");
    done += bytesWritten;
  }
}

/** Under the lock of this Session id: refuse a known id, note the import, make the file visible. */
async function place(
  layout: Layout,
  ref: AgentRef,
  from: string,
  upload: Upload,
  { by, isTaken }: ImportOptions,
): Promise<ImportOutcome> {
  const { session_id, damaged, bytes, lines, sha256 } = upload;
  if (isTaken?.(session_id) || (await findFiles(layout, ref, session_id)).size > 0) return sessionExists(session_id);
  const told = dateFolder(new Date(upload.timestamp));
  const date = isDateFolder(told) ? told : dateFolder(new Date());
  const target = layout.traceFile(ref, date, session_id, 1);
  await makeFolder(dirname(target));
  await appendImportMark(layout, ref, { session_id, index: 1, sha256, bytes, lines, by, at: new Date().toISOString() });
  try {
    await link(from, target);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return sessionExists(session_id);
    throw error;
  }
  await syncFolder(dirname(target));
  await syncFolder(layout.traces(ref));
  return { ok: true, session_id, index: 1, date, damaged };
}

export function tooLarge(maxBytes: number): Refusal {
  const limit_mb = Math.floor(maxBytes / MIB);
  const message = `The file is larger than ${limit_mb} MB, the limit of this server. Nothing was stored.`;
  return { ok: false, code: "file_too_large", message, details: { limit_mb, limit_bytes: maxBytes } };
}

function damagedTrace({ damaged, damaged_total }: Checked): Refusal {
  const lines = damaged.slice(0, 20).map(({ line }) => line);
  const named = `${lines.join(", ")}${damaged_total > lines.length ? ", …" : ""}`;
  const message = `${damaged_total === 1 ? "Line" : "Lines"} ${named} of this Trace cannot be read. Nothing was stored.`;
  return { ok: false, code: "damaged_trace", message, details: { damaged, total: damaged_total } };
}

export function sessionExists(session_id: string): Refusal {
  const message = `The conversation ${session_id} already exists under this Agent. Nothing was stored.`;
  return { ok: false, code: "session_exists", message, details: { session_id } };
}
