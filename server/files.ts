/**
 * The few ways in which this server touches single files: atomic replace, exclusive create, one-write append, bounded
 * read, sorted listing. Files and folders are private (0600, 0700) from the first moment they exist.
 */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, mkdir, open, readdir, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { AppError } from "../lib/api/errors";

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** What the system calls this error, such as ENOENT; undefined: it is not one of the system. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Is this the error of a full disk or an exceeded quota? */
export function diskFull(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOSPC" || code === "EDQUOT";
}

/** Makes a folder and its missing parents, all of them private. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });
}

/** Makes names that were just created or renamed in `folder` survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Is this the name of a file that was to replace another? */
export const isTemporary = (name: string): boolean => /^\..+\.[0-9a-f]{12}\.tmp$/.test(name);

/** Writes `data` to a new file beside `path` and syncs it; on any failure nothing is left. Returns its path. */
async function writeBeside(path: string, data: string | Uint8Array, mode: number): Promise<string> {
  const folder = dirname(path);
  await makeFolder(folder);
  const temp = join(folder, `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  const handle = await open(temp, "wx", mode);
  try {
    await handle.chmod(mode);
    await handle.writeFile(data);
    await handle.sync();
  } catch (error) {
    await unlink(temp).catch(() => {});
    throw error;
  } finally {
    await handle.close();
  }
  return temp;
}

/**
 * Replaces a file as a whole: readers see the old content or the new one. On a full disk the old file stays as it was
 * and no temporary file is left; the error is thrown (see `diskFull`).
 */
export async function replaceFile(path: string, data: string | Uint8Array, mode = PRIVATE_FILE): Promise<void> {
  const temp = await writeBeside(path, data, mode);
  try {
    await rename(temp, path);
  } catch (error) {
    await unlink(temp).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Creates a file with its whole content, or answers false when the name is taken. */
export async function createFile(path: string, data: string | Uint8Array, mode = PRIVATE_FILE): Promise<boolean> {
  const temp = await writeBeside(path, data, mode);
  try {
    await link(temp, path);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    await unlink(temp);
  }
  await syncFolder(dirname(path));
  return true;
}

async function endsTorn(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  await handle.read(last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}

/** Appends one line with one write and syncs it. A torn last line of an earlier crash stays a line of its own. */
export async function appendLine(path: string, line: string, mode = PRIVATE_FILE): Promise<void> {
  await makeFolder(dirname(path));
  const handle = await open(path, "a+", mode);
  try {
    const start = (await endsTorn(handle)) ? "\n" : "";
    await handle.appendFile(`${start}${line.endsWith("\n") ? line : `${line}\n`}`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/**
 * The text of a regular file; null when there is none. Links are not followed. Throws `file_too_large` above
 * `maxBytes` and `not_found` for a link, a folder or a device.
 */
export async function readText(path: string, maxBytes: number): Promise<string | null> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    if (code === "ELOOP") throw new AppError("not_found", `${basename(path)} is a link, which is not followed.`);
    throw error;
  }
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new AppError("not_found", `${basename(path)} is not a regular file.`);
    if (stat.size > maxBytes) throw new AppError("file_too_large");
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

/** Names in a folder, sorted by code unit; a missing folder has none. */
export async function listNames(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).sort();
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}
