/** SE1, IM5: what a killed server had begun to put in its place is taken back when the next one starts. */
import { existsSync, linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { removeLeftovers } from "./leftovers";
import { layout } from "./paths";
import { newStage, placeAll } from "./placing";

const REF = { project: "default_project", agent: "default_agent" };
const SESSION = "session-2026-11-29-10-00-00-0123abcd";

async function stageOf() {
  const base = mkdtempSync(join(tmpdir(), "placing-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const paths = layout(join(base, "data"));
  const stage = await newStage(paths, REF);
  const files = [1, 2, 3].map((index) => ({
    path: join(stage, String(index)),
    to: paths.traceFile(REF, "2026-11-29", SESSION, index),
  }));
  const folder = { path: join(stage, "scratchpad"), to: paths.scratchpad(REF, SESSION) };
  for (const { path } of files) writeFileSync(path, path);
  mkdirSync(folder.path);
  writeFileSync(join(folder.path, "n.txt"), "note");
  const there = () => [folder, ...files].filter(({ to }) => existsSync(to)).length;
  return { paths, stage, files, folder, there };
}

it("all of it appears, and stays although the stage was not removed", async () => {
  const { paths, stage, files, folder, there } = await stageOf();
  await placeAll(stage, { files, folder });
  expect(there()).toBe(4);
  utimesSync(stage, 0, 0);
  expect(await removeLeftovers(paths, { temporary: dirname(paths.root) })).toBe(1);
  expect(existsSync(stage)).toBe(false);
  expect(there()).toBe(4);
});

it("a name that is taken: nothing appears, and what lies there stays", async () => {
  const { stage, files, folder, there } = await stageOf();
  const taken = files[1]?.to ?? "";
  mkdirSync(dirname(taken), { recursive: true });
  writeFileSync(taken, "mine");
  await expect(placeAll(stage, { files, folder })).rejects.toMatchObject({ code: "EEXIST" });
  expect(there()).toBe(1);
});

it.each([0, 1, 2, 3])(
  "killed after the folder and %d files: all are taken back, and what is somebody else's stays",
  async (count) => {
    const { paths, stage, files, folder, there } = await stageOf();
    writeFileSync(join(stage, "places.json"), JSON.stringify({ files, folder }));
    mkdirSync(dirname(folder.to), { recursive: true });
    renameSync(folder.path, folder.to);
    for (const [at, { path, to }] of files.entries()) {
      mkdirSync(dirname(to), { recursive: true });
      if (at < count) linkSync(path, to);
      else writeFileSync(to, "mine");
    }
    utimesSync(stage, 0, 0);
    await removeLeftovers(paths, { temporary: dirname(paths.root) });
    expect(existsSync(stage)).toBe(false);
    expect(there()).toBe(3 - count);
  },
);
