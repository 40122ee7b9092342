/**
 * A whole Session as .tar.gz: all Trace files as they are, the scratchpad without values of the vault (AC3; a Trace
 * never held one), the children. Streamed, in constant memory.
 */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { Header, Pax } from "tar";
import type { AgentRef, Layout } from "../paths";
import { maskedBytes } from "../tools/mask";
import { fileEntry, isSafe, MANIFEST, traceEntry } from "./bundle-paths";
import type { FoundFile } from "./locate";
import { pieces } from "./scan";

export interface BundledSession {
  ref: AgentRef;
  session: string;
  files: FoundFile[];
  /** Values of its Agent's vault. */
  secrets: readonly string[];
}
interface Entry {
  name: string;
  bytes: number;
  mtime: Date;
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

const BLOCK = 512;
/** Files of one scratchpad that are taken along. */
const MAX_FILES = 20_000;

/** The first one is the Session that was asked for; the others are its children. */
export function bundleStream(layout: Layout, sessions: BundledSession[]): ReadableStream<Uint8Array> {
  const tar = Readable.from(archive(entries(layout, sessions)), { objectMode: false, highWaterMark: 256 * 1024 });
  const gzip = createGzip({ level: 6 });
  tar.on("error", (error) => gzip.destroy(error));
  gzip.on("close", () => tar.destroy());
  // Node's and the DOM's declarations of the same class differ in details.
  return Readable.toWeb(tar.pipe(gzip)) as ReadableStream<Uint8Array>;
}

async function* entries(layout: Layout, sessions: BundledSession[]): AsyncGenerator<Entry> {
  const [first] = sessions;
  const manifest = Buffer.from(
    `${JSON.stringify({
      format: 1,
      session_id: first?.session,
      sessions: sessions.map(({ ref, session }) => ({ session_id: session, agent: ref.agent })),
    })}\n`,
  );
  yield { name: MANIFEST, bytes: manifest.length, mtime: new Date(), content: [manifest] };
  const secrets = [...new Set(sessions.flatMap((one) => one.secrets))];
  for (const { ref, session, files } of sessions) {
    for (const { date, index, bytes, mtime_ms, path } of files) {
      const name = traceEntry(session, date, index);
      yield { name, bytes, mtime: new Date(mtime_ms), content: pieces(path, 0, bytes) };
    }
    yield* scratchpad(layout.scratchpad(ref, session), session, secrets);
  }
}

/** Regular files only: a link could lead anywhere. */
async function* scratchpad(root: string, session: string, secrets: readonly string[]): AsyncGenerator<Entry> {
  const folders: string[][] = [[]];
  let count = 0;
  for (let segments = folders.pop(); segments; segments = folders.pop()) {
    const names = await readdir(join(root, ...segments)).catch(() => []);
    for (const name of names.sort()) {
      const path = [...segments, name];
      const stat = isSafe(path) ? await lstat(join(root, ...path)).catch(() => null) : null;
      if (stat?.isDirectory()) folders.push(path);
      if (!stat?.isFile() || ++count > MAX_FILES) continue;
      const content = () => {
        const bytes = pieces(join(root, ...path), 0, stat.size);
        return secrets.length > 0 ? maskedBytes(bytes, secrets) : bytes;
      };
      // An entry tells its length first: with values to mask the file is read once more for it.
      const bytes = secrets.length > 0 ? await lengthOf(content()) : stat.size;
      yield { name: fileEntry(session, path), bytes, mtime: stat.mtime, content: content() };
    }
  }
}

async function lengthOf(content: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const piece of content) bytes += piece.length;
  return bytes;
}

async function* archive(all: AsyncIterable<Entry>): AsyncGenerator<Uint8Array> {
  for await (const { name, bytes, mtime, content } of all) {
    yield head(name, bytes, mtime);
    let sent = 0;
    for await (const piece of content) {
      // A piece is valid until the next one is asked for; gzip may take its time.
      const part = Buffer.from(piece.subarray(0, bytes - sent));
      sent += part.length;
      if (part.length > 0) yield part;
    }
    // What was cut off meanwhile is filled up: the entry's length is already told.
    for (let missing = bytes - sent; missing > 0; missing -= BLOCK) yield Buffer.alloc(Math.min(BLOCK, missing));
    if (bytes % BLOCK > 0) yield Buffer.alloc(BLOCK - (bytes % BLOCK));
  }
  yield Buffer.alloc(2 * BLOCK);
}

function head(path: string, size: number, mtime: Date): Uint8Array {
  const header = new Header({ path, size, mtime, mode: 0o600, type: "File" });
  const block = Buffer.alloc(BLOCK);
  if (!header.encode(block, 0)) return block;
  return Buffer.concat([new Pax({ path, size, mtime }).encode(), block]);
}
