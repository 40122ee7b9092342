/**
 * Real pipes for the output of commands. Node's own "pipe" is a socket, and a program that opens /dev/stdout or
 * /dev/stderr fails on one. They are made a few at a time, because each `mkfifo` is a process and starting one holds
 * the event loop.
 */
import { execFile } from "node:child_process";
import { closeSync, constants, openSync, rmSync, unlinkSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";

const BATCH = 16;

export interface Pipe {
  read: Readable;
  /** Descriptor; the caller closes it. */
  write: number;
}

/** Paths of unused ones, in a folder that only this user may enter. */
let unused: string[] = [];
let folder: string | null = null;
let made = 0;
process.once("exit", () => folder && rmSync(folder, { recursive: true, force: true }));

let filling: Promise<void> | null = null;

async function fill(): Promise<void> {
  const home = folder ?? (await mkdtemp(join(tmpdir(), "penguin-pipe-")));
  folder = home;
  const paths = Array.from({ length: BATCH }, () => join(home, String(made++)));
  await promisify(execFile)("mkfifo", ["-m", "600", ...paths]);
  unused.push(...paths);
}

/** null where `mkfifo` is missing. */
export async function openPipe(): Promise<Pipe | null> {
  // The second try is for a folder that somebody tidied away.
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      while (unused.length === 0) {
        filling ??= fill().finally(() => {
          filling = null;
        });
        await filling;
      }
      return open(unused.shift() ?? "");
    } catch {
      unused = [];
      folder = null;
    }
  }
  return null;
}

function open(path: string): Pipe {
  // The reader opens without waiting; after that a writer does not wait either.
  const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const write = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW);
    unlinkSync(path);
    return { read: new Socket({ fd: read, readable: true, writable: false }), write };
  } catch (error) {
    closeSync(read);
    throw error;
  }
}
