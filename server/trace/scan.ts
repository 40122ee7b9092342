/** Files in pieces, without ever holding up the event loop. */
import { closeSync, constants, openSync, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** Small enough that even a piece full of two-byte lines is handled within the time budget. Bytes. */
export const PIECE_BYTES = 256 * 1024;
/** For loops that only look for a few bytes: read in place, even a slow disk gives so much within some milliseconds. Bytes. */
export const LARGE_PIECE_BYTES = 512 * 1024;
/** Less is read at once and in place: handing so little to the thread pool costs several times the read. Bytes. */
export const SMALL_BYTES = 64 * 1024;
/** A link is no Trace file, also when it took the place of one a moment ago. */
export const READ_FILE = constants.O_RDONLY | constants.O_NOFOLLOW;
/** Milliseconds of work between two rests. */
const WORK_MS = 8;

/** Tells a loop over many small steps when to let others run. */
export class Pace {
  #since = performance.now();

  /** Resolves after everybody else had a turn if the work took long enough; costs next to nothing otherwise. */
  get due(): boolean {
    return performance.now() - this.#since > WORK_MS;
  }
  async rest(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}

/** Fills `buffer` from a place in the file; answers the part that was filled, shorter only at the end of the file. */
async function fill(handle: FileHandle, buffer: Buffer, from: number): Promise<Buffer> {
  let done = 0;
  while (done < buffer.length) {
    const { bytesRead } = await handle.read(buffer, done, buffer.length - done, from + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return buffer.subarray(0, done);
}

/** The bytes [from, to) of an open file, read into `space` without leaving the event loop: for short pieces. */
export function readInPlace(fd: number, from: number, to: number, space: Buffer): Buffer {
  const length = Math.min(space.length, Math.max(0, to - from));
  let done = 0;
  while (done < length) {
    const read = readSync(fd, space, done, length - done, from + done);
    if (read === 0) break;
    done += read;
  }
  return space.subarray(0, done);
}

/** The bytes [from, to) of a file, at most `SMALL_BYTES`, without leaving the event loop; into `space` if it is given. */
export function readSmall(path: string, from: number, to: number, space?: Buffer): Buffer {
  const fd = openSync(path, READ_FILE);
  try {
    return readInPlace(fd, from, to, space ?? Buffer.allocUnsafe(Math.max(0, to - from)));
  } finally {
    closeSync(fd);
  }
}

/**
 * The bytes [from, to) of a file in order; the next piece is read while the last one is worked on. A piece is valid
 * until the next one is asked for: two buffers take turns.
 */
export async function* pieces(path: string, from: number, to: number): AsyncGenerator<Buffer> {
  if (to - from <= SMALL_BYTES) {
    const whole = readSmall(path, from, to);
    if (whole.length > 0) yield whole;
    return;
  }
  const handle = await open(path, READ_FILE);
  const size = Math.min(PIECE_BYTES, Math.max(0, to - from));
  let [spare, busy] = [Buffer.allocUnsafe(size), Buffer.allocUnsafe(size)];
  let next: Promise<Buffer> | null = null;
  const ahead = (at: number) => {
    if (at >= to) return null;
    [spare, busy] = [busy, spare];
    return fill(handle, busy.subarray(0, to - at), at);
  };
  try {
    next = ahead(from);
    for (let at = from; next; ) {
      const piece: Buffer = await next;
      at += piece.length;
      next = piece.length === 0 ? null : ahead(at);
      if (piece.length > 0) yield piece;
    }
  } finally {
    await next?.catch(() => {});
    await handle.close();
  }
}

/**
 * The same in larger pieces, read without leaving the event loop: for loops that do so little with a piece that the way
 * through the thread pool would be most of the time. The caller rests in between (`Pace`).
 */
export function* piecesInPlace(path: string, from: number, to: number): Generator<Buffer> {
  const fd = openSync(path, READ_FILE);
  try {
    const buffer = Buffer.allocUnsafe(Math.min(LARGE_PIECE_BYTES, Math.max(0, to - from)));
    for (let at = from; at < to; ) {
      const read = readSync(fd, buffer, 0, Math.min(buffer.length, to - at), at);
      if (read === 0) return;
      at += read;
      yield buffer.subarray(0, read);
    }
  } finally {
    closeSync(fd);
  }
}
