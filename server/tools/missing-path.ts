/** Turns a failed file operation into a sentence a model can act on. */
import { readdir } from "node:fs/promises";
import { basename, dirname, relative, sep } from "node:path";
import { SECRET_FILES } from "../paths";
import type { Failure } from "../workspace/open";
import { openDir } from "../workspace/open";

const MAX_NAMES = 8;
/** A folder may hold millions of entries; ranking looks at this many. */
const MAX_RANKED = 5_000;

/** Number of single-character edits between two names. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitute = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitute, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The entries whose names come nearest to `wanted`, nearest first. */
export function nearestNames(wanted: string, names: string[]): string[] {
  const target = wanted.toLowerCase().slice(0, 255);
  return names
    .filter((name) => !SECRET_FILES.has(name.toLowerCase()))
    .slice(0, MAX_RANKED)
    .map((name) => {
      const lower = name.toLowerCase();
      const related = lower.includes(target) || target.includes(lower);
      return { name, rank: related ? Math.abs(lower.length - target.length) / 100 : distance(target, lower) };
    })
    .sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_NAMES)
    .map(({ name }) => name);
}

/** Names the deepest folder that exists, the first part that is missing, and what lies beside it. `real` may be read. */
export async function describeMissing(given: string, real: string): Promise<string> {
  let missing = real;
  let what = "does not exist";
  let dir = await openDir(dirname(real));
  if (!dir.ok) {
    missing = dir.at;
    if (dir.code === "ENOTDIR") what = "is not a directory";
    dir = await openDir(dirname(dir.at));
  }
  if (!dir.ok) return `File not found: "${given}".`;
  const names = await readdir(dir.entry("."), { encoding: "utf8" }).catch(() => []);
  await dir.close();
  const segment = basename(missing);
  const near = what === "does not exist" ? nearestNames(segment, names) : [];
  const hint =
    names.length === 0 ? " The folder is empty." : near.length > 0 ? ` Nearest names: ${near.join(", ")}.` : "";
  return `File not found: "${given}". "${segment}" in "${dir.path}" ${what}.${hint}`;
}

const SENTENCES: Record<string, string> = {
  EISDIR: "is a directory",
  ENOTREG: "is not a regular file",
  ENOTDIR: "goes through something that is not a directory, or a link that was put there meanwhile",
  ELOOP: "has become a symbolic link",
  EACCES: "may not be opened by the server (permission denied)",
  EPERM: "may not be changed by the server (not permitted)",
  ENOSPC: "could not be written: the disk is full",
  EROFS: "lies on a read-only file system",
  ENAMETOOLONG: "has a name that is too long",
};

/** Explains a failure to open or write. */
export function describeFailure(given: string, failure: Failure): string {
  const sentence = SENTENCES[failure.code] ?? `could not be used: ${failure.code}`;
  return `"${given}" ${sentence}.`;
}

/** Path as shown to the model: relative inside the Workspace, absolute elsewhere. */
export function shownPath(real: string, workspace: string): string {
  return real.startsWith(workspace + sep) ? relative(workspace, real) : real;
}
