/** Which folder a Session may work in, and the temporary ones the server makes itself. */
import { randomBytes } from "node:crypto";
import { mkdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, relative, sep } from "node:path";
import { codeOf } from "../files";
import type { AgentRef, Layout } from "../paths";

export interface WorkspaceRules {
  layout: Layout;
  ref: AgentRef;
  /** PENGUIN_WORKSPACE_ROOTS and what admins added; empty: the home directory without dot-folders. */
  roots: readonly string[];
  /** Workspaces of Sessions of the same Project that this person may read; these always pass. */
  known?: readonly string[];
  /** Default: the server account's home directory. */
  home?: string;
}

export type Accepted =
  | { ok: true; path: string }
  | { ok: false; code: "workspace_not_found" | "workspace_not_allowed" };

const MAX_TRIES = 16;
const real = (path: string) => realpath(path).catch(() => path);

/** Path from `root` to `path`, "" for the root itself, null when it lies elsewhere. */
function inside(path: string, root: string): string | null {
  const rest = relative(root, path);
  return rest === ".." || rest.startsWith(`..${sep}`) || isAbsolute(rest) ? null : rest;
}

/** Judges a Workspace by its real path. Creates nothing. */
export async function acceptWorkspace(given: string, rules: WorkspaceRules): Promise<Accepted> {
  if (!isAbsolute(given) || given.includes("\0")) return { ok: false, code: "workspace_not_found" };
  let path: string;
  try {
    path = await realpath(given);
    if (!(await stat(path)).isDirectory()) return { ok: false, code: "workspace_not_found" };
  } catch {
    return { ok: false, code: "workspace_not_found" };
  }
  return (await allowed(path, rules)) ? { ok: true, path } : { ok: false, code: "workspace_not_allowed" };
}

async function allowed(path: string, rules: WorkspaceRules): Promise<boolean> {
  const own = inside(path, await real(rules.layout.workspaces(rules.ref)));
  if (own && /^tmp-[^/\\]+$/.test(own)) return true;
  for (const known of rules.known ?? []) if (path === (await real(known))) return true;
  if (inside(path, await real(rules.layout.root)) !== null) return false;
  const home = await real(rules.home ?? homedir());
  for (const given of rules.roots.length > 0 ? rules.roots : [home]) {
    const root = await real(given);
    const rest = inside(path, root);
    if (rest === null) continue;
    // Below the home directory dot-folders hold credentials.
    if (root !== home || !rest.split(sep).some((part) => part.startsWith("."))) return true;
  }
  return false;
}

/** Makes `workspaces/tmp-<8hex>` of this Agent; an existing folder is never taken. */
export async function createTemporaryWorkspace(layout: Layout, ref: AgentRef): Promise<string> {
  for (let tries = 1; ; tries++) {
    const path = layout.temporaryWorkspace(ref, randomBytes(4).toString("hex"));
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      await mkdir(path, { mode: 0o700 });
      return await realpath(path);
    } catch (error) {
      if (codeOf(error) !== "EEXIST" || tries === MAX_TRIES) throw error;
    }
  }
}
