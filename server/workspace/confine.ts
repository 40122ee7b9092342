/**
 * What the file tools and file routes of one Session may touch: the table of SPEC section "What a Session may touch".
 * A path is judged by its real path (here) and opened without following links (`open.ts`), so that a link which is
 * swapped in between is refused, not followed.
 */
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { codeOf } from "../files";
import { type AgentRef, type Layout, layout as layoutOf, SECRET_FILES } from "../paths";

export type Right = "read" | "write";

interface Place {
  /** How the refusal calls it. */
  name: string;
  path: string;
  right: "read" | "read and write";
  /** Only this one file, not what lies below. */
  exact?: boolean;
}

export interface ConfinementOptions {
  layout: Layout;
  ref: AgentRef;
  sessionId: string;
  /** Real path, as `acceptWorkspace` gave it: a Workspace that has become a link since is not followed. */
  workspace: string;
  /** May this Session read that Trace file or scratchpad (its own, its lineage, their children)? Gets a path below `layout.root`. */
  readableTraces?: (path: string) => boolean | Promise<boolean>;
}

export type Resolved =
  | { ok: true; path: string; exists: boolean }
  | { ok: false; reason: "refused" | "unusable"; message: string };

/** Every level costs a few system calls. */
const MAX_PATH = 4_096;
const MAX_DEPTH = 256;

/** Is it this folder, or in it? Of absolute paths. */
export const below = (path: string, root: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

/** Does any part of the path name a file with secrets, or a temporary copy of one? */
function namesSecret(path: string): boolean {
  const lower = path.toLowerCase();
  return [...SECRET_FILES].some((name) => lower.includes(name));
}

/** Real path of what exists, with the missing rest joined to it. A dangling link is not "missing". */
async function realOrNearest(path: string): Promise<Resolved> {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return { ok: true, path: join(await realpath(at), ...missing), exists: missing.length === 0 };
    } catch (error) {
      const code = codeOf(error) ?? "EIO";
      if (code !== "ENOENT" && code !== "ENOTDIR") {
        return { ok: false, reason: "unusable", message: `Cannot use "${path}": ${code}.` };
      }
      const found = await lstat(at).catch(() => null);
      if (found?.isSymbolicLink()) {
        return { ok: false, reason: "refused", message: `Refused: "${at}" is a symbolic link that points to nothing.` };
      }
      missing.unshift(basename(at));
    }
  }
}

export class Confinement {
  readonly workspace: string;
  readonly #options: ConfinementOptions;
  #dataRoot: string | null = null;

  constructor(options: ConfinementOptions) {
    this.#options = options;
    this.workspace = resolve(options.workspace);
  }

  /** Absolute form of a path as the model gave it: relative ones count from the Workspace. */
  absolute(given: string): string {
    return isAbsolute(given) ? resolve(given) : resolve(this.workspace, given);
  }

  /**
   * Judges a path for reading or writing. The answer's `path` is real: no part of it was a link when it was looked at.
   */
  async resolveInside(given: string, right: Right): Promise<Resolved> {
    if (given === "") return { ok: false, reason: "unusable", message: "The path is empty." };
    if (given.includes("\0")) return { ok: false, reason: "unusable", message: "The path contains a NUL character." };
    const absolute = this.absolute(given);
    if (absolute.length > MAX_PATH || absolute.split(sep).length > MAX_DEPTH) {
      return { ok: false, reason: "unusable", message: "The path is too long." };
    }
    if (namesSecret(absolute)) return this.#refusal(given, right, "it holds credentials");
    const real = await realOrNearest(absolute);
    if (!real.ok) return real;
    if (namesSecret(real.path)) return this.#refusal(given, right, "it holds credentials");
    const verdict = await this.#verdict(real.path, right);
    if (verdict === "ok" && below(real.path, this.workspace) && !(await this.workspaceExists())) {
      return { ok: false, reason: "unusable", message: `Workspace does not exist: ${this.workspace}` };
    }
    if (verdict !== "ok") return this.#refusal(given, right, verdict, real.path === absolute ? undefined : real.path);
    return real;
  }

  async workspaceExists(): Promise<boolean> {
    return (await lstat(this.workspace).catch(() => null))?.isDirectory() === true;
  }

  /** May a command start in this folder? Anything but the parts of the data root that are none of its business. */
  async allowsWorkdir(real: string): Promise<boolean> {
    const root = await this.#root();
    return !below(real, root) || (await this.#verdict(real, "read")) === "ok";
  }

  /** The real path of a place of the layout: the data root itself may be reached through a link, nothing below it. */
  async realPlace(path: string): Promise<string> {
    return join(await this.#root(), relative(resolve(this.#options.layout.root), path));
  }

  async #root(): Promise<string> {
    if (this.#dataRoot) return this.#dataRoot;
    const real = await realOrNearest(resolve(this.#options.layout.root));
    const path = real.ok ? real.path : resolve(this.#options.layout.root);
    if (real.ok && real.exists) this.#dataRoot = path;
    return path;
  }

  /** "ok" or why not. */
  async #verdict(real: string, right: Right): Promise<string> {
    const root = await this.#root();
    const place = this.#places(root).find((p) => (p.exact ? real === p.path : below(real, p.path)));
    if (place) return right === "read" || place.right === "read and write" ? "ok" : "it may be read but not written";
    if (!below(real, root)) {
      // The data root is out of bounds even when the Workspace contains it; everything else below it is fine.
      return below(real, this.workspace) ? "ok" : "it lies outside the places of this Session";
    }
    if (await this.#options.readableTraces?.(join(resolve(this.#options.layout.root), relative(root, real)))) {
      return right === "read" ? "ok" : "Traces and scratchpads of other Sessions may be read but not written";
    }
    return "this part of the data root is not open to Sessions";
  }

  /** The places inside the data root; first match wins, so the narrower ones stand first. */
  #places(root: string): Place[] {
    const { ref, sessionId } = this.#options;
    const at = layoutOf(root);
    const places: Place[] = [
      { name: "its scratchpad", path: at.scratchpad(ref, sessionId), right: "read and write" },
      { name: "its shared environment", path: at.sharedEnv(ref), right: "read and write" },
      { name: "its memory", path: at.memory(ref), right: "read and write" },
      { name: "its skills", path: at.skills(ref), right: "read and write" },
      { name: "AGENTS.md", path: at.instructions(ref), right: "read and write", exact: true },
      { name: "the Agent State", path: at.agentState(ref), right: "read" },
    ];
    // A Workspace inside the data root is a temporary one, of this Agent or of a Session that was switched from.
    const [project, agents, agent, folder, name] = relative(root, this.workspace).split(sep);
    if (agents === "agents" && project && agent && name) {
      if (below(this.workspace, join(at.workspaces({ project, agent }), name)) && folder) {
        places.unshift({ name: "Workspace", path: this.workspace, right: "read and write" });
      }
    }
    return places;
  }

  #refusal(given: string, right: Right, why: string, real?: string): Resolved {
    const places = this.#places(this.#dataRoot ?? resolve(this.#options.layout.root)).filter(
      (p) => p.name !== "Workspace" && (right === "read" || p.right === "read and write"),
    );
    const allowed = [`Workspace ${this.workspace}`, ...places.map((p) => `${p.name} ${p.path}`)].join("; ");
    const target = real ? `"${given}" (really "${real}")` : `"${given}"`;
    const doing = right === "read" ? "read" : "written";
    return {
      ok: false,
      reason: "refused",
      message: `Refused: ${target} may not be ${doing}: ${why}. Allowed: ${allowed}.`,
    };
  }
}
