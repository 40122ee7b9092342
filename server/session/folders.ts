/** Where a new Session may work: folders below the allowed roots, and Workspaces that are in use. */
import { AppError } from "../../lib/api/errors";
import type { FoldersView } from "../../lib/api/schemas";
import type { AgentRef } from "../paths";
import { listFolders } from "../workspace/folders";
import { acceptWorkspace } from "../workspace/workspace";
import type { SessionHost } from "./open";
import { isKnownWorkspace, recentWorkspaces } from "./workspaces";

const MAX_RECENT = 6;

type Host = Pick<SessionHost, "layout" | "store" | "workspaceRoots">;

/** Throws `workspace_not_found` or `workspace_not_allowed`. */
export async function foldersFor(
  host: Host,
  ref: AgentRef,
  person: string,
  given: string | null,
): Promise<FoldersView> {
  const roots = await host.workspaceRoots(ref.project);
  const known = given !== null && (await isKnownWorkspace(host, ref.project, given, person)) ? [given] : [];
  const rules = { layout: host.layout, ref, roots };
  const listed = await listFolders(given, { ...rules, known });
  if (!listed.ok) throw new AppError(listed.code);
  const { ok: _, ...view } = listed;
  const recent: string[] = [];
  for (const path of await recentWorkspaces(host, ref.project, person)) {
    if (recent.length === MAX_RECENT) break;
    if ((await acceptWorkspace(path, { ...rules, known: [path] })).ok) recent.push(path);
  }
  return { ...view, recent };
}
