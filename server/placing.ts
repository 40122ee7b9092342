/**
 * Files that appear together or not at all, also when the server is killed meanwhile: they are made in a stage of
 * their own, which notes where each of them goes before it puts the first one there. A stage with such a note that is
 * found when a server starts was not finished, and is taken back.
 */
import { link, lstat, mkdtemp, rename, rm, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { createFile, listNames, makeFolder, readText, syncFolder } from "./files";
import type { AgentRef, Layout } from "./paths";

const NOTE = "places.json";
const MAX_NOTE = 64 * 1024 * 1024;

const place = z.object({ path: z.string(), to: z.string() });
const places = z.object({
  files: z.array(place),
  /** Moved as a whole, ahead of the files; nobody else's lies there. */
  folder: place.optional(),
});
export type Places = z.infer<typeof places>;

/** A new, private folder on the file system of the Agent; whoever makes it removes it. */
export async function newStage(layout: Layout, ref: AgentRef): Promise<string> {
  await makeFolder(layout.incomingBundles(ref));
  return mkdtemp(join(layout.incomingBundles(ref), "b-"));
}

/** Puts everything where it belongs; throws when a name is taken, or on a full disk, and then nothing is left there. */
export async function placeAll(stage: string, all: Places): Promise<void> {
  const { files, folder } = all;
  const folders = new Set(files.map(({ to }) => dirname(to)));
  try {
    await createFile(join(stage, NOTE), JSON.stringify(all));
    if (folder) {
      await makeFolder(dirname(folder.to));
      await rename(folder.path, folder.to);
      folders.add(dirname(folder.to));
    }
    for (const { path, to } of files) {
      await makeFolder(dirname(to));
      await link(path, to);
    }
    for (const one of [...folders]) folders.add(dirname(one));
    for (const one of folders) await syncFolder(one);
    await unlink(join(stage, NOTE));
  } catch (error) {
    await takeBack(stage);
    throw error;
  }
}

/** Removes what an unfinished stage has put in its place. */
async function takeBack(stage: string): Promise<void> {
  const text = await readText(join(stage, NOTE), MAX_NOTE).catch(() => null);
  const noted = text === null ? null : parsed(text);
  for (const { path, to } of noted?.files ?? []) if (await isSame(path, to)) await unlink(to).catch(() => {});
  if (noted?.folder && !(await found(noted.folder.path))) await rm(noted.folder.to, { recursive: true, force: true });
}

function parsed(text: string): Places | null {
  try {
    return places.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

const found = (path: string) => lstat(path).catch(() => null);

async function isSame(path: string, to: string): Promise<boolean> {
  const [one, other] = [await found(path), await found(to)];
  return one !== null && other !== null && one.ino === other.ino && one.dev === other.dev;
}

const STAGE = /^b-[A-Za-z0-9]{6}$/;

/** Stages that a killed server left; only while nobody makes new ones. Answers how many there were. */
export async function removeStages(layout: Layout, ref: AgentRef, before: number): Promise<number> {
  let removed = 0;
  for (const name of await listNames(layout.incomingBundles(ref)).catch(() => [])) {
    const stage = join(layout.incomingBundles(ref), name);
    const info = STAGE.test(name) ? await found(stage) : null;
    if (!info?.isDirectory() || info.mtimeMs >= before) continue;
    await takeBack(stage);
    await rm(stage, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}
