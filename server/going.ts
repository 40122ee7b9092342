/** Folders that are being deleted: out of sight at once, and gone with whatever was still on its way to them. */
import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "../lib/api/errors";
import { codeOf } from "./files";

/** What is on its way is a request or two that were let in before. */
const MOST_ROUNDS = 10;

/** What a folder is called until it is gone. */
const trashName = (name: string, at: number, round: number) => `.deleted-${name}-${at}-${round}`;
/** Since when what is called so goes, in milliseconds; undefined: it is something else. */
export const goesSince = (name: string): number | undefined => {
  const at = /^\.deleted-.+?-(\d{13})(?:-\d+)?$/.exec(name)?.[1];
  return at === undefined ? undefined : Number(at);
};

export class Going {
  readonly #folders = new Set<string>();

  /** Nobody finds it any more, and nobody takes its name yet. */
  has(folder: string): boolean {
    return this.#folders.has(folder);
  }

  /**
   * Removes the folder, once `stop` ended what works in it; asked again while something was begun there meanwhile.
   * Throws `not_found` when it goes already.
   */
  async remove(folder: string, name: string, stop: () => Promise<void>): Promise<void> {
    if (this.has(folder)) throw new AppError("not_found");
    this.#folders.add(folder);
    try {
      for (let round = 1; round <= MOST_ROUNDS; round++) {
        await stop();
        const gone = join(dirname(folder), trashName(name, Date.now(), round));
        try {
          await rename(folder, gone);
        } catch (error) {
          if (codeOf(error) !== "ENOENT") throw error;
          if (round > 1) return;
          throw new AppError("not_found");
        }
        await rm(gone, { recursive: true, force: true, maxRetries: 3 });
      }
    } finally {
      this.#folders.delete(folder);
    }
  }
}
