/**
 * Import of a bundle: received to a private place, unpacked there name by name, checked as single files are, and made
 * visible under all its Session ids or not at all. File indexes and folders stay as they were.
 */
import { createHash } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { Parser, type ReadEntry } from "tar";
import { z } from "zod";
import type { BundleResult } from "../../lib/api/trace-bundle";
import { diskFull } from "../files";
import type { AgentRef, Layout } from "../paths";
import { newStage, placeAll } from "../placing";
import { type BundlePart, partOf } from "./bundle-paths";
import { unzipped } from "./bundle-unzip";
import { cutOff, type ImportOptions, locked, sessionExists, tooLarge, uploaded, writeAll } from "./import";
import { ImportCheck, type Refusal, refusal } from "./import-check";
import { appendImportMark } from "./imports";
import { findFiles } from "./locate";

export type BundleOutcome = ({ ok: true } & BundleResult) | Refusal;

interface Staged {
  path: string;
  bytes: number;
  sha256: string;
}
type StagedTrace = Staged & Extract<BundlePart, { kind: "trace" }> & { lines?: number };
type StagedFile = Staged & Extract<BundlePart, { kind: "file" }>;
interface Unpacked {
  main: string | null;
  traces: StagedTrace[];
  files: StagedFile[];
  damaged: BundleResult["damaged"];
}

const manifest = z.looseObject({ session_id: z.string() });
const MAX_MANIFEST = 1024 * 1024;
const MAX_ENTRIES = 100_000;
const MAX_NAMED = 1000;
/** What an archive needs for one entry beside its content, at most. */
const ENTRY_BYTES = 4096;

/** Imports what `body` streams. Expected trouble is a value; nothing is left on disk then. */
export async function importBundle(
  layout: Layout,
  ref: AgentRef,
  body: ReadableStream<Uint8Array>,
  options: ImportOptions,
): Promise<BundleOutcome> {
  if ((options.contentLength ?? 0) > options.maxBytes) return tooLarge(options.maxBytes);
  const stage = await newStage(layout, ref);
  try {
    const archive = join(stage, "archive");
    const refused = await receive(archive, body, options.maxBytes);
    if (refused) return refused;
    const unpacked = await new Unpacking(stage, options.maxBytes).run(archive);
    if ("ok" in unpacked) return unpacked;
    if (unpacked.damaged.length > 0 && !options.acceptDamage) return damagedBundle(unpacked.damaged);
    return await place(layout, ref, stage, unpacked, options);
  } catch (error) {
    if (diskFull(error)) return { ok: false, code: "disk_full", message: "The disk is full. Nothing was stored." };
    const unplaced = nameInTheWay(error);
    if (unplaced) return refusal(`The bundle has two entries of one name, or ${unplaced}. Nothing was stored.`);
    throw error;
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

async function receive(path: string, body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Refusal | null> {
  const handle = await open(path, "wx", 0o600);
  let bytes = 0;
  try {
    for await (const chunk of uploaded(body)) {
      if (!chunk) return cutOff();
      bytes += chunk.length;
      if (bytes > maxBytes) return tooLarge(maxBytes);
      await writeAll(handle, chunk);
    }
    return bytes === 0 ? refusal("The file is empty.") : null;
  } finally {
    await handle.close();
  }
}

/** Why the rest is not looked at. */
class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

class Unpacking {
  readonly #result: Unpacked = { main: null, traces: [], files: [], damaged: [] };
  #bytes = 0;
  #entries = 0;
  /** The first thing that stops it. */
  #stopped: unknown = null;
  #last: Promise<void> = Promise.resolve();
  #entry: ReadEntry | null = null;

  constructor(
    private readonly stage: string,
    private readonly maxBytes: number,
  ) {}

  async run(archive: string): Promise<Unpacked | Refusal> {
    // What is packed once more stays packed: the parser would unpack it in one go, and everybody would wait.
    const parser = new Parser({ strict: true, brotli: false, zstd: false });
    let unreadable = (_: unknown): void => {};
    const broken = new Promise<void>((resolve) => {
      const stop = (error: unknown) => {
        this.#stopped ??= error;
        // Whoever reads it would wait for ever.
        this.#entry?.destroy();
        resolve();
      };
      unreadable = (error) =>
        stop(
          error instanceof Refused
            ? error
            : new Refused(refusal(`The file is no .tar.gz that can be read: ${messageOf(error)}.`)),
        );
      parser.on("error", unreadable);
      parser.on("abort", unreadable);
      parser.on("entry", (entry: ReadEntry) => {
        const taken = this.#last.then(() => this.#take(entry));
        this.#last = taken.catch((error) => {
          stop(error);
          entry.resume();
        });
      });
    });
    const ended = new Promise<void>((resolve) => parser.once("end", () => resolve()));
    let over = false;
    parser.once("eof", () => {
      over = true;
    });
    try {
      let left = this.maxBytes + MAX_ENTRIES * ENTRY_BYTES;
      for await (const chunk of unzipped(archive)) {
        left -= chunk.length;
        if (left < 0) throw new Refused(tooLarge(this.maxBytes));
        if (this.#stopped) break;
        // The parser would gather what stands behind the end of the archive, copying all of it with each piece.
        if (over) continue;
        if (!parser.write(chunk))
          await Promise.race([broken, new Promise<void>((go) => parser.once("drain", () => go()))]);
      }
      if (!this.#stopped) parser.end();
    } catch (error) {
      unreadable(error);
    }
    await Promise.race([broken, ended]);
    if (this.#stopped === null) await this.#last;
    if (this.#stopped instanceof Refused) return this.#stopped.refusal;
    if (this.#stopped) throw this.#stopped;
    if (this.#result.traces.length === 0) return refusal("The bundle holds no Trace file.");
    return this.#result;
  }

  async #take(entry: ReadEntry): Promise<void> {
    this.#entry = entry;
    if (this.#stopped || entry.type === "Directory") return void entry.resume();
    if (++this.#entries > MAX_ENTRIES) throw new Refused(refusal(`The bundle holds more than ${MAX_ENTRIES} files.`));
    const part = partOf(entry.path);
    const plain = entry.type === "File" || entry.type === "OldFile";
    if (!part || !plain) {
      const what = plain ? "is no part of a bundle" : `is a ${entry.type}`;
      throw new Refused(refusal(`The entry "${entry.path.slice(0, 300)}" ${what}. Nothing was stored.`));
    }
    if (part.kind === "manifest") return this.#manifest(entry);
    const path = join(this.stage, String(this.#entries));
    const check = part.kind === "trace" ? new ImportCheck({ headless: part.index > 1 }) : null;
    const staged = await this.#write(entry, path, check, entry.path);
    if (part.kind === "file") return void this.#result.files.push({ ...part, ...staged });
    const checked = await check?.end();
    if (checked && !checked.ok) throw new Refused(inEntry(checked, entry.path));
    if (checked?.ok && checked.session_id !== "" && checked.session_id !== part.session)
      throw new Refused(refusal(`The entry "${entry.path}" is a Trace of another Session (${checked.session_id}).`));
    for (const { line, error } of checked?.ok ? checked.damaged : []) {
      if (this.#result.damaged.length < MAX_NAMED)
        this.#result.damaged.push({ session_id: part.session, index: part.index, line, error });
    }
    this.#result.traces.push({ ...part, ...staged, ...(checked?.ok ? { lines: checked.lines } : {}) });
  }

  async #manifest(entry: ReadEntry): Promise<void> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of entry) {
      bytes += chunk.length;
      if (bytes > MAX_MANIFEST) throw new Refused(refusal("The bundle's list of contents is too long."));
      chunks.push(chunk);
    }
    try {
      const parsed = manifest.safeParse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
      if (parsed.success) this.#result.main = parsed.data.session_id;
    } catch {
      throw new Refused(refusal("The bundle's list of contents is not JSON."));
    }
  }

  async #write(entry: ReadEntry, path: string, check: ImportCheck | null, name: string): Promise<Staged> {
    const handle = await open(path, "wx", 0o600);
    const hash = createHash("sha256");
    let bytes = 0;
    try {
      for await (const chunk of entry) {
        bytes += chunk.length;
        this.#bytes += chunk.length;
        if (this.#bytes > this.maxBytes) throw new Refused(tooLarge(this.maxBytes));
        const refused = await check?.push(chunk);
        if (refused) throw new Refused(inEntry(refused, name));
        hash.update(chunk);
        await writeAll(handle, chunk);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    return { path, bytes, sha256: hash.digest("hex") };
  }
}

/** The name that could not be given, where that is why nothing was placed. */
function nameInTheWay(error: unknown): string | null {
  if (!(error instanceof Error && "code" in error)) return null;
  if (!["EEXIST", "ENOTDIR", "EISDIR", "ENAMETOOLONG"].includes(String(error.code))) return null;
  const place = "dest" in error ? error.dest : "path" in error ? error.path : "";
  return `"${basename(String(place)).slice(0, 100)}" cannot be made here`;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
const inEntry = (refused: Refusal, name: string): Refusal => ({ ...refused, message: `${name}: ${refused.message}` });

/** Under the locks of all its Session ids: refuse a known id, note the import, make the files visible. */
async function place(
  layout: Layout,
  ref: AgentRef,
  stage: string,
  unpacked: Unpacked,
  options: ImportOptions,
): Promise<BundleOutcome> {
  const { traces, files, damaged } = unpacked;
  const ids = [...new Set(traces.map(({ session }) => session))].sort();
  const stray = files.find(({ session }) => !ids.includes(session));
  if (stray) return refusal(`The bundle holds files of ${stray.session}, but no Trace of it.`);
  const named = new Set(traces.map(({ session, index }) => `${session} ${index}`));
  if (named.size < traces.length) return refusal("The bundle holds one Trace file twice. Nothing was stored.");
  const main = unpacked.main && ids.includes(unpacked.main) ? unpacked.main : (ids[0] ?? "");
  return locked(layout, ref, ids, async () => {
    for (const id of ids) {
      if (options.isTaken?.(id) || (await findFiles(layout, ref, id)).size > 0) return sessionExists(id);
    }
    const at = new Date().toISOString();
    for (const { session: session_id, index, sha256, bytes, lines } of traces) {
      await appendImportMark(layout, ref, { session_id, index, sha256, bytes, lines, by: options.by, at });
    }
    await show(layout, ref, stage, traces, files);
    const sessions = ids.map((session_id) => {
      const own = traces.filter(({ session }) => session === session_id);
      return { session_id, files: own.length, bytes: own.reduce((sum, { bytes }) => sum + bytes, 0) };
    });
    return { ok: true, session_id: main, sessions, damaged };
  });
}

/** The scratchpad first, so that a Session that can be seen has all its files. */
async function show(
  layout: Layout,
  ref: AgentRef,
  stage: string,
  traces: StagedTrace[],
  files: StagedFile[],
): Promise<void> {
  await placeAll(stage, {
    files: [
      ...files.map(({ path, session, segments }) => ({ path, to: join(layout.scratchpad(ref, session), ...segments) })),
      ...traces.map(({ path, session, date, index }) => ({ path, to: layout.traceFile(ref, date, session, index) })),
    ],
  });
}

function damagedBundle(damaged: BundleResult["damaged"]): Refusal {
  const named = damaged.map(({ session_id, index, line, error }) => ({
    line,
    error: `${session_id}, file ${String(index).padStart(3, "0")}: ${error}`,
  }));
  const lines = named.slice(0, 20).map(({ line }) => line);
  const message = `Lines ${lines.join(", ")}${named.length > 20 ? ", …" : ""} cannot be read. Nothing was stored.`;
  return { ok: false, code: "damaged_trace", message, details: { damaged: named, total: named.length } };
}
