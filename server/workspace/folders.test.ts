import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { layout } from "../paths";
import { listFolders } from "./folders";

let base: string;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "folders-")));
  for (const dir of ["home/b/sub", "home/a", "home/.ssh", "home/data/p", "elsewhere/deep"]) {
    await mkdir(join(base, dir), { recursive: true });
  }
  await writeFile(join(base, "home/file"), "");
  await symlink(join(base, "elsewhere"), join(base, "home/out"));
});
afterEach(() => rm(base, { recursive: true, force: true }));

const list = (given: string | null, roots: string[] = []) =>
  listFolders(given, {
    layout: layout(join(base, "home/data")),
    ref: { project: "p", agent: "a" },
    roots,
    home: join(base, "home"),
  });

it("one root opens by itself: its folders by name, without files, dot-folders, the data root and links that lead out", async () => {
  expect(await list(null)).toMatchObject({
    ok: true,
    path: join(base, "home"),
    parent: null,
    folders: [
      { name: "a", path: join(base, "home/a") },
      { name: "b", path: join(base, "home/b") },
    ],
  });
  expect(await list(join(base, "home/b"))).toMatchObject({ parent: join(base, "home"), folders: [{ name: "sub" }] });
});

it("several roots are a choice; a folder outside of them cannot be looked into", async () => {
  const roots = [join(base, "home/a"), join(base, "elsewhere")];
  expect(await list(null, roots)).toMatchObject({ path: null, folders: roots.map((path) => ({ path })) });
  expect(await list(join(base, "elsewhere"), roots)).toMatchObject({ parent: null, folders: [{ name: "deep" }] });
  for (const path of [join(base, "home"), "/etc", join(base, "home/a/../..")]) {
    expect(await list(path, roots), path).toEqual({ ok: false, code: "workspace_not_allowed" });
  }
  expect(await list(join(base, "home/a/nope"), roots)).toEqual({ ok: false, code: "workspace_not_found" });
});
