/** Atomic writes inside a confined place: a temporary file beside the target, then rename. Links are never followed. */
import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { lstat, open, readdir, rename, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { type Dir, errnoOf, type Failure, openDir } from "./open";

/** Leaves room for the temporary file's prefix and suffix within the usual 255 bytes of a name. */
const MAX_STEM = 60;

async function fill(dir: Dir, temp: string, data: Uint8Array, previous: Stats | null): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(dir.entry(temp), flags, previous ? 0o600 : 0o666);
  try {
    await handle.writeFile(data);
    if (previous) {
      // Best effort: only a privileged server can give a file back to its owner.
      await handle.chown(previous.uid, previous.gid).catch(() => {});
      await handle.chmod(previous.mode & 0o7777);
    }
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Of a replacement that a killed server left half-done; nobody takes so long over one. Milliseconds. */
const STALE_MS = 60 * 60 * 1000;
const TEMPORARY = /^\..{0,60}\.tmp-\d+-[0-9a-f]{12}$/s;
/** Folders that this server has tidied, by device and inode. */
const tidied = new Set<string>();
const TIDIED_MAX = 10_000;

/** Once per folder: removes what earlier servers left half-written here. Trouble with it costs space, not truth. */
async function tidy(dir: Dir): Promise<void> {
  const here = await lstat(dir.entry(".")).catch(() => null);
  const id = `${here?.dev}:${here?.ino}`;
  if (!here || tidied.has(id)) return;
  if (tidied.size >= TIDIED_MAX) tidied.clear();
  tidied.add(id);
  for (const name of await readdir(dir.entry(".")).catch(() => [])) {
    if (!TEMPORARY.test(name)) continue;
    const found = await lstat(dir.entry(name)).catch(() => null);
    if (found?.isFile() && found.mtimeMs < Date.now() - STALE_MS) await unlink(dir.entry(name)).catch(() => {});
  }
}

/**
 * Replaces or creates the file at a real path; parents are made when missing, the mode of an existing file is kept.
 * A reader sees the old content or the new, never a mixture.
 */
export async function replaceConfined(
  real: string,
  data: Uint8Array,
): Promise<{ ok: true; created: boolean } | Failure> {
  const name = basename(real);
  const dir = await openDir(dirname(real), 0o777);
  if (!dir.ok) return dir;
  const temp = `.${name.slice(0, MAX_STEM)}.tmp-${process.pid}-${randomBytes(6).toString("hex")}`;
  try {
    const previous = await lstat(dir.entry(name)).catch(() => null);
    if (previous?.isDirectory()) return { ok: false, code: "EISDIR", at: real };
    if (previous && !previous.isFile()) return { ok: false, code: "ENOTREG", at: real };
    await fill(dir, temp, data, previous);
    await rename(dir.entry(temp), dir.entry(name));
    await tidy(dir);
    return { ok: true, created: previous === null };
  } catch (error) {
    await unlink(dir.entry(temp)).catch(() => {});
    return { ok: false, code: errnoOf(error), at: real };
  } finally {
    await dir.close();
  }
}
