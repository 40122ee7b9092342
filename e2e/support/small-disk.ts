/** A disk so small that it can be filled: a tmpfs mounted on a folder. Needs the right to mount. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

export class SmallDisk {
  readonly #filler: string;
  private constructor(readonly folder: string) {
    this.#filler = join(folder, "filler");
  }

  /** null: this process may not mount. */
  static mount(folder: string, size: `${number}m`): SmallDisk | null {
    const made = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=700`, "tmpfs", folder]);
    return made.status === 0 ? new SmallDisk(folder) : null;
  }

  /** Takes all space there is. What lies in the last page of a file can still grow to that page's end. */
  fill(): void {
    const fd = openSync(this.#filler, "a");
    for (const size of [65_536, 512]) {
      const piece = Buffer.alloc(size);
      while (grows(fd, piece));
    }
    closeSync(fd);
  }

  free(): void {
    rmSync(this.#filler, { force: true });
  }

  unmount(): void {
    spawnSync("umount", ["-l", this.folder]);
  }
}

function grows(fd: number, piece: Buffer): boolean {
  try {
    return writeSync(fd, piece) === piece.length;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOSPC") return false;
    throw error;
  }
}
