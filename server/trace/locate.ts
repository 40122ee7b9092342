/** Where the Trace files of an Agent are. Reads folder listings and file sizes only; nothing is remembered. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
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

/**
 * All Trace files of an Agent, or of one of its Sessions, by ascending index. The same index in two date folders: the
 * earlier folder wins. Links and folders are not Trace files.
 */
export async function findFiles(layout: Layout, ref: AgentRef, session?: string): Promise<Map<string, FoundFile[]>> {
  const root = layout.traces(ref);
  const dates = (await listNames(root)).filter(isDateFolder);
  const names = await Promise.all(dates.map((date) => listNames(join(root, date))));
  const wanted = dates.flatMap((date, i) =>
    (names[i] ?? []).flatMap((name) => {
      const parsed = parseTraceFileName(name);
      if (!parsed || (session !== undefined && parsed.session_id !== session)) return [];
      return [{ ...parsed, date, path: join(root, date, name) }];
    }),
  );
  const found = new Map<string, FoundFile[]>();
  const pace = new Pace();
  for (const file of wanted) {
    // In place: for so small a question the way through the thread pool is most of the time.
    const stat = statOf(file.path);
    if (pace.due) await pace.rest();
    if (!stat?.isFile()) continue;
    const files = found.get(file.session_id) ?? [];
    if (files.some((other) => other.index === file.index)) continue;
    files.push({ ...file, bytes: stat.size, mtime_ms: stat.mtimeMs, ino: stat.ino, birth_ms: stat.birthtimeMs });
    found.set(file.session_id, files);
  }
  for (const files of found.values()) files.sort((a, b) => a.index - b.index);
  return found;
}

function statOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
