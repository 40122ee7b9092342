/**
 * Opening files without following any link. The path is walked from the file system's root, one folder at a time, each
 * opened with O_NOFOLLOW relative to the one before (through /proc/self/fd on Linux), so nothing that happens to the
 * path meanwhile leads elsewhere. Elsewhere than on Linux each part is checked by lstat instead.
 */
import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open } from "node:fs/promises";
import { basename, dirname, join, parse, sep } from "node:path";
import { codeOf } from "../files";

const LINUX = process.platform === "linux";
/** Not among Node's constants; a folder that may be entered but not listed can be opened with it. */
const O_PATH = 0o10000000;
const DIRECTORY = constants.O_DIRECTORY | constants.O_NOFOLLOW | (LINUX ? O_PATH : constants.O_RDONLY);

export interface Failure {
  ok: false;
  /** errno name: ENOENT, ENOTDIR (also for a link), EACCES, ENOSPC, … */
  code: string;
  /** The part of the path that failed. */
  at: string;
}

export const errnoOf = (error: unknown): string => codeOf(error) ?? "EIO";

/** An open folder. Entries are addressed through it, never again by the path that led to it. */
export class Dir {
  readonly ok = true;
  readonly path: string;
  readonly #handle: FileHandle | null;

  constructor(path: string, handle: FileHandle | null) {
    this.path = path;
    this.#handle = handle;
  }

  /** A path for system calls that names this entry of this very folder. Do not follow links with it. */
  entry(name: string): string {
    return this.#handle ? `/proc/self/fd/${this.#handle.fd}/${name}` : join(this.path, name);
  }

  /** The same for a name that need not be text. */
  rawEntry(name: Uint8Array): Buffer {
    return Buffer.concat([Buffer.from(this.entry("")), name]);
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}

async function enter(parent: Dir, name: string): Promise<Dir> {
  const path = join(parent.path, name);
  if (LINUX) return new Dir(path, await open(parent.entry(name), DIRECTORY));
  const found = await lstat(path);
  if (!found.isDirectory()) throw Object.assign(new Error(path), { code: "ENOTDIR" });
  return new Dir(path, null);
}

/** Opens a folder by its real path. With `create`, missing folders are made with that mode (less the umask). */
export async function openDir(real: string, create?: number): Promise<Dir | Failure> {
  const { root } = parse(real);
  let dir = new Dir(root, LINUX ? await open(root, DIRECTORY) : null);
  for (const name of real.slice(root.length).split(sep).filter(Boolean)) {
    const parent = dir;
    try {
      try {
        dir = await enter(parent, name);
      } catch (error) {
        if (create === undefined || errnoOf(error) !== "ENOENT") throw error;
        await mkdir(parent.entry(name), { mode: create }).catch((e) => {
          if (errnoOf(e) !== "EEXIST") throw e;
        });
        dir = await enter(parent, name);
      }
    } catch (error) {
      return { ok: false, code: errnoOf(error), at: join(parent.path, name) };
    } finally {
      await parent.close();
    }
  }
  return dir;
}

/** Opens a regular file for reading by its real path. FIFOs, devices and folders are refused, never waited for. */
export async function openFile(
  real: string,
): Promise<{ ok: true; handle: FileHandle; size: number; mode: number } | Failure> {
  const dir = await openDir(dirname(real));
  if (!dir.ok) return dir;
  try {
    const handle = await open(
      dir.entry(basename(real)),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    const stat = await handle.stat();
    if (!stat.isFile()) {
      await handle.close();
      return { ok: false, code: stat.isDirectory() ? "EISDIR" : "ENOTREG", at: real };
    }
    return { ok: true, handle, size: stat.size, mode: stat.mode };
  } catch (error) {
    return { ok: false, code: errnoOf(error), at: real };
  } finally {
    await dir.close();
  }
}

/** Creates a file that must not exist yet, below folders that are made 0700 when missing. Blocks are written one by one. */
export async function createPrivate(real: string, data: Uint8Array | Uint8Array[]): Promise<{ ok: true } | Failure> {
  const dir = await openDir(dirname(real), 0o700);
  if (!dir.ok) return dir;
  try {
    const handle = await open(
      dir.entry(basename(real)),
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    );
    try {
      for (const block of Array.isArray(data) ? data : [data]) await handle.writeFile(block);
    } finally {
      await handle.close();
    }
    return { ok: true };
  } catch (error) {
    return { ok: false, code: errnoOf(error), at: real };
  } finally {
    await dir.close();
  }
}
