/**
 * What a killed server leaves half-written: files beside those they were to replace, uploads, forks and copies for
 * share links on their way, folders of pipes, Projects and Agents that were being deleted. Removed when a server starts and holds the lock of the data root, so that nobody is writing them.
 */
import { lstat, rm, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSessionId } from "../lib/trace/name";
import { codeOf, isTemporary, listNames } from "./files";
import { goesSince } from "./going";
import { type AgentRef, isGenericId, isShareHash, type Layout } from "./paths";
import { removeStages } from "./placing";

const UPLOAD = /^[0-9a-f]{24}$/;
const PIPES = /^penguin-pipe-(\d+)-[A-Za-z0-9]{6}$/;

async function isStale(path: string, before: number): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found?.isFile() === true && found.mtimeMs < before;
}

async function removeStale(folder: string, before: number, isOurs: (name: string) => boolean): Promise<number> {
  let removed = 0;
  // A folder that cannot be read is no reason not to start.
  for (const name of await listNames(folder).catch(() => [])) {
    const path = join(folder, name);
    if (!isOurs(name) || !(await isStale(path, before))) continue;
    removed += await unlink(path).then(
      () => 1,
      () => 0,
    );
  }
  return removed;
}

/** Folders of an Agent in which files are replaced as a whole. */
async function agentFolders(layout: Layout, ref: AgentRef): Promise<string[]> {
  const sessions = (await listNames(layout.scratchpads(ref)).catch(() => [])).filter(isSessionId);
  return [
    layout.agentState(ref),
    layout.schedule(ref),
    layout.traces(ref),
    layout.queues(ref),
    ...sessions.map((session) => layout.scratchpad(ref, session)),
  ];
}

/** Copies of share links that were never finished, or not quite removed. */
async function ofNoLink(layout: Layout, project: string): Promise<(name: string) => boolean> {
  const names = new Set(await listNames(layout.shares(project)).catch(() => []));
  return (name) => isShareHash(name.slice(0, 64)) && !names.has(`${name.slice(0, 64)}.json`);
}

/** Folders of pipes of spawners that are gone; only this user's. */
async function removePipes(temporary: string): Promise<number> {
  let removed = 0;
  for (const name of await listNames(temporary).catch(() => [])) {
    const pid = PIPES.exec(name)?.[1];
    if (pid === undefined || lives(Number(pid))) continue;
    const path = join(temporary, name);
    const found = await lstat(path).catch(() => null);
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue;
    removed += await rm(path, { recursive: true, force: true }).then(
      () => 1,
      () => 0,
    );
  }
  return removed;
}

/** Folders whose deletion did not come to its end. */
async function removeGoing(folder: string, before: number): Promise<number> {
  const names = await listNames(folder).catch(() => []);
  const going = names.filter((name) => (goesSince(name) ?? before) < before);
  for (const name of going) await rm(join(folder, name), { recursive: true, force: true }).catch(() => {});
  return going.length;
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive too.
    return codeOf(error) === "EPERM";
  }
}

export interface LeftoverOptions {
  /** Where pipes lie. */
  temporary?: string;
  /** Files written later stay: somebody may be at them. Milliseconds. Default: a second ago. */
  before?: number;
}

/** Answers how many files and folders were removed. Trouble with one of them is left alone: it costs space, not truth. */
export async function removeLeftovers(layout: Layout, options: LeftoverOptions = {}): Promise<number> {
  const before = options.before ?? Date.now() - 1_000;
  const folders = [layout.root, layout.users];
  let removed = await removePipes(options.temporary ?? tmpdir());
  removed += await removeGoing(layout.root, before);
  for (const project of (await listNames(layout.root).catch(() => [])).filter(isGenericId)) {
    folders.push(layout.project(project), layout.shares(project));
    removed += await removeStale(layout.shares(project), before, await ofNoLink(layout, project));
    removed += await removeGoing(layout.agents(project), before);
    for (const agent of (await listNames(layout.agents(project)).catch(() => [])).filter(isGenericId)) {
      const ref = { project, agent };
      folders.push(...(await agentFolders(layout, ref)));
      removed += await removeStale(layout.incoming(ref), before, (name) => UPLOAD.test(name));
      removed += await removeStages(layout, ref, before).catch(() => 0);
    }
  }
  for (const folder of folders) removed += await removeStale(folder, before, isTemporary);
  return removed;
}
