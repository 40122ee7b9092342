/**
 * Files of a Session's Workspace (and of its scratchpad, by path) for the page: list, read, find, save. Real paths,
 * opened without following links; values of the Agent's vault are masked in whatever leaves the server (AC3).
 */
import { lstat, readdir, realpath } from "node:fs/promises";
import { basename, relative, sep } from "node:path";
import { Readable } from "node:stream";
import { AppError } from "../../lib/api/errors";
import type { FileEntry, FolderView, KnownFile } from "../../lib/api/files";
import type { SessionRef } from "../../lib/api/routes";
import { StreamMask } from "../../lib/mask";
import { SECRET_FILES } from "../paths";
import { maskedBytes } from "../tools/mask";
import { Confinement } from "../workspace/confine";
import { type Failure, openDir, openFile } from "../workspace/open";
import { replaceConfined } from "../workspace/replace";
import type { Lookup } from "./access";
import { foundSession } from "./found";
import { requireConfirmed } from "./imported";
import { refOfAgent } from "./open";
import { dispositionOf, headersOf, type Shown } from "./shown-file";

const MAX_ENTRIES = 2_000;
/** A preview of text ends here; the whole file can be saved. */
export const TEXT_BYTES = 512 * 1024;

const below = (path: string, root: string) => path === root || path.startsWith(root + sep);

function refused({ code }: Failure): AppError {
  if (code === "ENOSPC" || code === "EDQUOT") return new AppError("disk_full");
  if (code === "EISDIR" || code === "ENOTREG") return new AppError("bad_request", "This is not a regular file.");
  if (code === "EACCES" || code === "EROFS") return new AppError("bad_request", `The file cannot be used: ${code}.`);
  return new AppError("not_found");
}

/** Names on Linux are bytes. What is no UTF-8 is shown with marks in its place, and cannot be asked for by name. */
function nameIn(raw: Buffer): { name: string; no_text?: true } {
  const name = raw.toString("utf8");
  return Buffer.from(name, "utf8").equals(raw) ? { name } : { name, no_text: true };
}

export class SessionFiles {
  private constructor(
    private readonly confinement: Confinement,
    private readonly scratchpad: string,
    private readonly secrets: readonly string[],
  ) {}

  /** Throws `not_found`, `workspace_missing`, or `import_unconfirmed`: what a file says of a Workspace opens none. */
  static async of(lookup: Lookup, ref: SessionRef, person: { id: string }): Promise<SessionFiles> {
    const session = await foundSession(lookup, ref, person);
    const { host } = lookup;
    const agent = refOfAgent(ref);
    await requireConfirmed(host, ref, session.meta, { confirm: false, by: person.id });
    const workspace = await realpath(/* turbopackIgnore: true */ session.meta.workspace ?? "").catch(() => null);
    if (!workspace || !(await lstat(workspace)).isDirectory()) throw new AppError("workspace_missing");
    const confinement = new Confinement({ layout: host.layout, ref: agent, sessionId: ref.session, workspace });
    const scratchpad = await confinement.realPlace(host.layout.scratchpad(agent, ref.session));
    return new SessionFiles(confinement, scratchpad, Object.values(await host.agents.vault(agent)));
  }

  async #resolve(path: string, right: "read" | "write"): Promise<{ path: string; exists: boolean }> {
    const found = await this.confinement.resolveInside(path === "" ? "." : path, right);
    if (!found.ok) throw new AppError(found.reason === "refused" ? "not_found" : "bad_request", undefined);
    const { workspace } = this.confinement;
    const open = below(found.path, workspace) || (right === "read" && below(found.path, this.scratchpad));
    if (!open) throw new AppError("not_found");
    return found;
  }

  /** How the page names a file: from the Workspace on, or absolute. */
  #name(real: string): string {
    const { workspace } = this.confinement;
    return below(real, workspace) ? relative(workspace, real) : real;
  }

  /** What is in a folder, folders first. Links are named, never followed. */
  async list(path: string): Promise<FolderView> {
    const { path: real } = await this.#resolve(path, "read");
    const dir = await openDir(real);
    if (!dir.ok) throw dir.code === "ENOTDIR" ? new AppError("bad_request", "This is not a folder.") : refused(dir);
    try {
      const named = (await readdir(dir.entry("."), { encoding: "buffer" })).map((raw) => ({ raw, ...nameIn(raw) }));
      const all = named.filter(({ name }) => !SECRET_FILES.has(name.toLowerCase()));
      const names = all.sort((a, b) => a.name.localeCompare(b.name)).slice(0, MAX_ENTRIES);
      const found = await Promise.all(
        names.map(async ({ raw, name, no_text }): Promise<FileEntry | null> => {
          const stat = await lstat(dir.rawEntry(raw)).catch(() => null);
          if (!stat) return null;
          const type = stat.isDirectory()
            ? "folder"
            : stat.isFile()
              ? "file"
              : stat.isSymbolicLink()
                ? "link"
                : "other";
          return { name, type, bytes: stat.size, changed_at: stat.mtime.toISOString(), ...(no_text && { no_text }) };
        }),
      );
      const entries = found.filter((entry) => entry !== null);
      const folders = entries.filter(({ type }) => type === "folder");
      const files = entries.filter(({ type }) => type !== "folder");
      const { workspace } = this.confinement;
      return {
        workspace,
        path: this.#name(real),
        entries: [...folders, ...files],
        ...(all.length > names.length ? { more: all.length - names.length } : {}),
      };
    } finally {
      await dir.close();
    }
  }

  /** The file as it is to be shown; a text only up to `TEXT_BYTES`. */
  async read(path: string, shown: Shown): Promise<Response> {
    const { path: real } = await this.#resolve(path, "read");
    const file = await openFile(real);
    if (!file.ok) throw refused(file);
    const bytes = shown === "text" ? Math.min(file.size, TEXT_BYTES) : file.size;
    // The stream closes the file, also when its reader leaves.
    const stream = file.handle.createReadStream(bytes > 0 ? { end: bytes - 1 } : {});
    const mask = new StreamMask(this.secrets);
    const body = Readable.toWeb(mask.active ? Readable.from(maskedBytes(stream, this.secrets)) : stream);
    const headers = headersOf(basename(real), shown);
    if (!mask.active) headers["content-length"] = String(bytes);
    headers["content-disposition"] = dispositionOf(basename(real), shown);
    headers["x-file-bytes"] = String(file.size);
    return new Response(body as ReadableStream<Uint8Array>, { headers });
  }

  /** Which of these names are files here. */
  async known(names: readonly string[]): Promise<KnownFile[]> {
    const found = await Promise.all(
      names.map(async (name): Promise<KnownFile | null> => {
        try {
          const { path, exists } = await this.#resolve(name, "read");
          const stat = exists ? await lstat(path) : null;
          return stat?.isFile() ? { name, path: this.#name(path), bytes: stat.size } : null;
        } catch {
          return null;
        }
      }),
    );
    return found.filter((file) => file !== null);
  }

  /** Saves a file into the Workspace. Throws `exists` unless it may replace one. */
  async save(path: string, data: Uint8Array, replace: boolean): Promise<KnownFile> {
    const { path: real, exists } = await this.#resolve(path, "write");
    if (real === this.confinement.workspace) throw new AppError("bad_request", "The file has no name.");
    if (exists && !replace) throw new AppError("exists", "A file with this name is there already.");
    const saved = await replaceConfined(real, data);
    if (!saved.ok) throw refused(saved);
    return { name: basename(real), path: this.#name(real), bytes: data.byteLength };
  }
}
