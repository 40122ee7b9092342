/** The folders of the server in which a Session may work, one level at a time: what a folder picker shows. */
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { acceptWorkspace, type WorkspaceRules } from "./workspace";

const MAX_FOLDERS = 500;

export interface FolderList {
  /** Real path; null: the choice of roots. */
  path: string | null;
  /** The folder above, if it may be used too. */
  parent: string | null;
  folders: { name: string; path: string }[];
  truncated?: boolean;
  roots: string[];
}
export type Listed = ({ ok: true } & FolderList) | { ok: false; code: "workspace_not_found" | "workspace_not_allowed" };

/** `given` null: the only root there is, or the choice between several. Links are judged by where they lead. */
export async function listFolders(given: string | null, rules: WorkspaceRules): Promise<Listed> {
  const roots = await rootsOf(rules);
  const start = given ?? (roots.length === 1 ? roots[0] : undefined);
  if (start === undefined) {
    return { ok: true, path: null, parent: null, folders: roots.map((path) => ({ name: path, path })), roots };
  }
  const accepted = await acceptWorkspace(start, rules);
  if (!accepted.ok) return accepted;
  const { path } = accepted;
  const above = dirname(path);
  const parent = above !== path && (await acceptWorkspace(above, { ...rules, known: [] })).ok ? above : null;
  return { ok: true, path, parent, ...(await childrenOf(path, rules)), roots };
}

async function rootsOf({ roots, home, ...rules }: WorkspaceRules): Promise<string[]> {
  const given = roots.length > 0 ? roots : [home ?? homedir()];
  const accepted = await Promise.all(given.map((root) => acceptWorkspace(root, { ...rules, roots, home })));
  return [...new Set(accepted.flatMap((one) => (one.ok ? [one.path] : [])))];
}

async function childrenOf(path: string, rules: WorkspaceRules): Promise<Pick<FolderList, "folders" | "truncated">> {
  // A folder that cannot be read is an empty one to a person who looks for a Workspace.
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => !entry.name.startsWith(".") && (entry.isDirectory() || entry.isSymbolicLink()))
    .map(({ name }) => name)
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true, sensitivity: "base" }));
  const folders: FolderList["folders"] = [];
  for (const name of names.slice(0, MAX_FOLDERS)) {
    const accepted = await acceptWorkspace(join(path, name), { ...rules, known: [] });
    if (accepted.ok) folders.push({ name: basename(name), path: accepted.path });
  }
  return { folders, ...(names.length > MAX_FOLDERS ? { truncated: true } : {}) };
}
