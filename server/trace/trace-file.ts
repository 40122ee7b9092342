/**
 * One Trace file that is being appended to: its descriptor, its exact length in bytes and physical lines, and whether
 * its last line is torn. Owns single writes; the order between writes is `writer.ts`'s business.
 */
import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  write,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { RecordAddress } from "../../lib/omni/message";
import { diskFull, syncFolder } from "../files";

/** The calls of the system that can fail; tests pass their own. */
export interface TraceIo {
  open(path: string, flags: number): number;
  write(fd: number, data: string | Uint8Array): number;
  writeLater(fd: number, data: Uint8Array): Promise<number>;
  sync(fd: number): void;
  syncLater(fd: number): Promise<void>;
}

export const nodeIo: TraceIo = {
  open: (path, flags) => openSync(path, flags, 0o600),
  write: (fd, data) => (typeof data === "string" ? writeSync(fd, data) : writeSync(fd, data)),
  writeLater: (fd, data) =>
    new Promise((resolve, reject) => write(fd, data, (error, done) => (error ? reject(error) : resolve(done)))),
  sync: fdatasyncSync,
  syncLater: (fd) => new Promise((resolve, reject) => fdatasync(fd, (error) => (error ? reject(error) : resolve()))),
};

/** Records of one call, encoded: they reach the file in one write. */
export interface Batch {
  text: string;
  bytes: number;
  /** Byte offset behind each record's newline. */
  ends: number[];
  /** TR8: the caller must wait until the data is on the disk. */
  commit: boolean;
}

export type TraceWriteCode = "disk_full" | "io";

/** A write that failed. The writer stays usable; `written` are records of the call that are in the file all the same. */
export class TraceWriteError extends Error {
  constructor(
    readonly code: TraceWriteCode,
    cause: unknown,
    readonly written: RecordAddress[] = [],
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function failure(error: unknown, written: RecordAddress[]): TraceWriteError {
  return new TraceWriteError(diskFull(error) ? "disk_full" : "io", error, written);
}

/** A write that was handed to the thread pool and whose result is not known yet. */
interface Flight {
  fd: number;
  batch: Batch;
  data: Uint8Array;
  /** Bytes of `data` that are surely in the file. */
  done: number;
  /** Result, once it is accounted for by whoever comes first. */
  result: { records: RecordAddress[] } | { error: TraceWriteError } | null;
}

const NEWLINE = Buffer.from("\n");
/** How long a signal handler waits for a write that is already on its way. Milliseconds. */
const TAKE_OVER_MS = 400;

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

export class TraceFile {
  #fd: number | null = null;
  #size = 0;
  #torn = false;
  /** Names not yet synced: the file was just created. */
  #fresh = false;
  #flight: Flight | null = null;
  #syncs = 0;
  #released = false;

  constructor(
    readonly path: string,
    readonly index: number,
    /** Physical lines, a torn last one included. */
    public lines: number,
    public exists: boolean,
    private readonly io: TraceIo,
  ) {}

  /** Opens the file (makes it, private, when it is new) and looks once whether its last line is torn. */
  #open(): number {
    if (this.#fd !== null) return this.#fd;
    const { O_APPEND, O_CREAT, O_EXCL, O_RDWR } = constants;
    if (!this.exists) mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const fd = this.io.open(this.path, O_APPEND | O_RDWR | (this.exists ? 0 : O_CREAT | O_EXCL));
    this.#fresh = !this.exists;
    this.exists = true;
    this.#size = fstatSync(fd).size;
    const last = Buffer.from("\n");
    if (this.#size > 0) readSync(fd, last, 0, 1, this.#size - 1);
    this.#torn = last[0] !== NEWLINE[0];
    this.#released = false;
    this.#fd = fd;
    return fd;
  }

  /** Counters after `done` bytes of heal prefix and batch were written; answers the records that are whole. */
  #account(batch: Batch, done: number): RecordAddress[] {
    if (done === 0) return [];
    const body = done - (this.#torn ? 1 : 0);
    // Without its newline a record is whole all the same; the next append gives it one.
    const whole = batch.ends.findLastIndex((end) => end - 1 <= body) + 1;
    const records = Array.from({ length: whole }, (_, i) => ({ file_index: this.index, line: this.lines + i + 1 }));
    const rest = body - (batch.ends[whole - 1] ?? 0);
    this.#torn = rest !== 0;
    this.#size += done;
    this.lines += whole + (rest > 0 ? 1 : 0);
    return records;
  }

  /** One synchronous write. Throws TraceWriteError. */
  writeNow(batch: Batch): RecordAddress[] {
    let done = 0;
    let total = batch.bytes;
    try {
      const fd = this.#open();
      if (this.#torn) total++;
      const text = this.#torn ? `\n${batch.text}` : batch.text;
      done = progress(this.io.write(fd, text));
      if (done < total) {
        const data = Buffer.from(text);
        while (done < total) done += progress(this.io.write(fd, data.subarray(done)));
      }
    } catch (error) {
      const written = this.#account(batch, done);
      if (written.length < batch.ends.length) throw failure(error, written);
      return written;
    }
    return this.#account(batch, done);
  }

  /** One write in the thread pool, for data whose copy would hold up everybody else. Rejects with TraceWriteError. */
  async writeLater(batch: Batch): Promise<RecordAddress[]> {
    let flight: Flight;
    try {
      const fd = this.#open();
      const body = Buffer.from(batch.text);
      flight = { fd, batch, data: this.#torn ? Buffer.concat([NEWLINE, body]) : body, done: 0, result: null };
    } catch (error) {
      throw failure(error, []);
    }
    this.#flight = flight;
    let error: unknown = null;
    try {
      while (flight.done < flight.data.length && flight.result === null) {
        const done = progress(await this.io.writeLater(flight.fd, flight.data.subarray(flight.done)));
        if (flight.result === null) flight.done += done;
      }
    } catch (caught) {
      error = caught;
    }
    const result = flight.result ?? this.#land(flight, error);
    if ("error" in result) throw result.error;
    return result.records;
  }

  #land(flight: Flight, error: unknown): NonNullable<Flight["result"]> {
    const records = this.#account(flight.batch, flight.done);
    this.#flight = null;
    flight.result =
      records.length === flight.batch.ends.length ? { records } : { error: failure(error ?? "interrupted", records) };
    return flight.result;
  }

  /**
   * Synchronous end of a write that is in the thread pool: waits until the file has grown by it, at most
   * `TAKE_OVER_MS`. Afterwards the file may be written to directly; the pool does not go on with the rest.
   */
  takeOver(): void {
    const flight = this.#flight;
    if (!flight) return;
    const start = this.#size;
    const until = Date.now() + TAKE_OVER_MS;
    do {
      flight.done = Math.min(fstatSync(flight.fd).size - start, flight.data.length);
      if (flight.done === flight.data.length) break;
      pause(2);
    } while (Date.now() < until);
    this.#land(flight, "the process ended first");
  }

  /** TR8: resolves when everything written so far is on the disk. Rejects with TraceWriteError naming `records`. */
  async sync(records: RecordAddress[]): Promise<void> {
    const fd = this.#fd;
    if (fd === null) return;
    this.#syncs++;
    try {
      await this.io.syncLater(fd);
      if (this.#fresh) {
        this.#fresh = false;
        for (const folder of this.#folders()) await syncFolder(folder);
      }
      if (fstatSync(fd).nlink === 0) throw new Error("The Trace file was removed from its folder.");
    } catch (error) {
      throw failure(error, records);
    } finally {
      this.#syncs--;
      this.settle();
    }
  }

  syncNow(records: RecordAddress[]): void {
    if (this.#fd === null) return;
    try {
      this.io.sync(this.#fd);
      if (this.#fresh) this.#folders().forEach(syncFolderNow);
      this.#fresh = false;
    } catch (error) {
      throw failure(error, records);
    }
  }

  /** Once per new file: its name, and the name of its date folder, must survive a power cut too. */
  #folders(): string[] {
    return [dirname(this.path), dirname(dirname(this.path))];
  }

  /** Gives the descriptor back as soon as no write and no sync needs it; a later append opens the file again. */
  release(): void {
    this.#released = true;
    this.settle();
  }

  /** Closes a released file if nothing is on its way any more. */
  settle(): void {
    if (!this.#released || this.#fd === null || this.#flight || this.#syncs > 0) return;
    closeSync(this.#fd);
    this.#fd = null;
  }
}

/** A write that makes no progress must not loop. */
function progress(bytes: number): number {
  if (bytes <= 0) throw new Error("The file system wrote nothing.");
  return bytes;
}

function syncFolderNow(folder: string): void {
  const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
