/**
 * One TOML file that this server reads often and writes rarely. Reads are cached by inode, size and mtime, so that
 * edits made on disk are noticed; writes are serialised per path, atomic and 0600. Keys nobody knows are kept.
 */
import { stat } from "node:fs/promises";
import { parse, stringify } from "smol-toml";
import { readText, replaceFile } from "./files";

/** Configuration is written by people and by forms; nothing legitimate comes near this. */
const MAX_BYTES = 8 * 1024 * 1024;

/** A file that cannot be understood. The message names the file, never its content: it may hold keys. */
export class TomlError extends Error {
  constructor(path: string, line: number | undefined) {
    super(`${path} is not valid TOML${line ? ` (line ${line})` : ""}.`);
  }
}

/** A parsed file: parse members with zod, keep the rest. */
export type Table = Record<string, unknown>;

function parseToml(path: string, text: string): Table {
  try {
    return parse(text, { integersAsBigInt: "asNeeded" });
  } catch (error) {
    const line = error instanceof Error && "line" in error && typeof error.line === "number" ? error.line : undefined;
    throw new TomlError(path, line);
  }
}

interface Cached {
  stamp: string;
  table: Table;
}

export class TomlFiles {
  private readonly cache = new Map<string, Cached>();
  private readonly writing = new Map<string, Promise<unknown>>();

  /** The parsed file; null when it is missing. The table is shared: treat it as read-only. */
  async read(path: string): Promise<Table | null> {
    const info = await stat(path, { bigint: true }).catch(() => null);
    if (!info?.isFile()) {
      this.cache.delete(path);
      return null;
    }
    const stamp = `${info.ino}:${info.size}:${info.mtimeNs}`;
    const hit = this.cache.get(path);
    if (hit?.stamp === stamp) return hit.table;
    const text = await readText(path, MAX_BYTES);
    if (text === null) return null;
    const table = parseToml(path, text);
    this.cache.set(path, { stamp, table });
    return table;
  }

  /** Replaces the file by what `change` makes of a private copy of it. `undefined` writes nothing. */
  async update<T>(
    path: string,
    change: (table: Table) => Promise<{ table?: Table; result: T }> | { table?: Table; result: T },
  ): Promise<T> {
    const before = this.writing.get(path) ?? Promise.resolve();
    const mine = before
      .catch(() => {})
      .then(async () => {
        const text = await readText(path, MAX_BYTES);
        const { table, result } = await change(text === null ? {} : parseToml(path, text));
        if (table) await replaceFile(path, stringify(table), 0o600);
        return result;
      });
    this.writing.set(path, mine);
    try {
      return await mine;
    } finally {
      if (this.writing.get(path) === mine) this.writing.delete(path);
    }
  }
}
