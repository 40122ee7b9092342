/** Where the Trace files of an Agent are. Reads folder listings and file sizes only. */
import { lstatSync } from "node:fs";
import { join, sep } from "node:path";
import { isDateFolder, parseTraceFileName } from "../../lib/trace/name";
import { listNames } from "../files";
import type { AgentRef, Layout } from "../paths";
import { Pace } from "./scan";

export interface TraceFileRef {
  /** Folder, local yyyy-mm-dd. */
  date: string;
  index: number;
  bytes: number;
}
/** A Trace file together with what tells whether it changed. */
export interface FoundFile extends TraceFileRef {
  session_id: string;
  path: string;
  mtime_ms: number;
  ino: number;
  birth_ms: number;
}

interface Named {
  name: string;
  session_id: string;
  index: number;
}
/** Names of Trace files by Session. */
type Listing = ReadonlyMap<string, readonly Named[]>;
interface Kept {
  mtime_ms: number;
  ino: number;
  listing: Listing;
}

/** A folder changed this shortly before it was read may change again within the same tick of its clock. Milliseconds. */
export const SETTLED_MS = 50;
/** The same for file systems that tell time in whole seconds, or two: names that are missed here are missed for good. */
const SURE_MS = 2100;
/** Folders whose names are kept; the one kept longest is dropped first. */
const KEPT = 2000;
/** What folders held: one whose time of change is the same holds the same names. Whether files grew is not in it. */
const listings = new Map<string, Kept>();

async function listingOf(folder: string, pace: Pace): Promise<Listing> {
  const at = Date.now();
  const state = statOf(folder);
  const kept = listings.get(folder);
  if (kept && kept.mtime_ms === state?.mtimeMs && kept.ino === state.ino) return kept.listing;
  listings.delete(folder);
  const listing = new Map<string, Named[]>();
  for (const name of await listNames(folder)) {
    if (pace.due) await pace.rest();
    const parsed = parseTraceFileName(name);
    if (!parsed) continue;
    const names = listing.get(parsed.session_id);
    if (names) names.push({ name, ...parsed });
    else listing.set(parsed.session_id, [{ name, ...parsed }]);
  }
  if (!state || at - state.mtimeMs <= SURE_MS) return listing;
  listings.set(folder, { mtime_ms: state.mtimeMs, ino: state.ino, listing });
  const [oldest] = listings.keys();
  if (listings.size > KEPT && oldest !== undefined) listings.delete(oldest);
  return listing;
}

/**
 * All Trace files of an Agent, or of one of its Sessions, by ascending index. The same index in two date folders: the
 * earlier folder wins. Links and folders are not Trace files. `dates`: only in these folders.
 */
export async function findFiles(
  layout: Layout,
  ref: AgentRef,
  session?: string,
  dates?: Iterable<string>,
): Promise<Map<string, FoundFile[]>> {
  const root = layout.traces(ref);
  const found = new Map<string, FoundFile[]>();
  const pace = new Pace();
  for (const date of dates ? [...dates].sort() : (await listNames(root)).filter(isDateFolder)) {
    const folder = join(root, date);
    const listing = await listingOf(folder, pace);
    const wanted = session === undefined ? listing.values() : [listing.get(session) ?? []];
    for (const names of wanted) {
      for (const { name, session_id, index } of names) {
        if (pace.due) await pace.rest();
        const files = found.get(session_id) ?? [];
        const file = files.some((other) => other.index === index) ? null : fileAt(folder + sep + name);
        if (!file) continue;
        files.push({ date, index, session_id, ...file });
        found.set(session_id, files);
      }
    }
  }
  for (const files of found.values()) if (files.length > 1) files.sort((a, b) => a.index - b.index);
  return found;
}

function fileAt(path: string): Pick<FoundFile, "path" | "bytes" | "mtime_ms" | "ino" | "birth_ms"> | null {
  // In place: for so small a question the way through the thread pool is most of the time.
  const stat = statOf(path);
  if (!stat?.isFile()) return null;
  return { path, bytes: stat.size, mtime_ms: stat.mtimeMs, ino: stat.ino, birth_ms: stat.birthtimeMs };
}

function statOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
