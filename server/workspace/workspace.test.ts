import { mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { layout as layoutOf } from "../paths";
import { acceptWorkspace, createTemporaryWorkspace, type WorkspaceRules } from "./workspace";

const REF = { project: "default_project", agent: "default_agent" };
let home: string;
let rules: WorkspaceRules;

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "home-")));
  rules = { layout: layoutOf(join(home, "penguin")), ref: REF, roots: [], home };
  for (const dir of ["work/sub", ".ssh", "work/.git", "penguin/default_project/agents/other/workspaces/tmp-00000000"]) {
    await mkdir(join(home, dir), { recursive: true });
  }
  await writeFile(join(home, "file"), "");
});
afterEach(() => rm(home, { recursive: true, force: true }));

const accept = async (path: string, changes: Partial<WorkspaceRules> = {}) => {
  const accepted = await acceptWorkspace(path, { ...rules, ...changes });
  return accepted.ok ? accepted.path : accepted.code;
};

describe("Workspace rules", () => {
  it("default: below the home directory, without dot-folders and the data root", async () => {
    expect(await accept(join(home, "work/sub"))).toBe(join(home, "work/sub"));
    expect(await accept(home)).toBe(home);
    for (const path of [".ssh", "work/.git", "penguin", "penguin/default_project"]) {
      expect(await accept(join(home, path)), path).toBe("workspace_not_allowed");
    }
    expect(await accept("/etc")).toBe("workspace_not_allowed");
  });

  it("missing, relative and not a directory: not found, nothing created", async () => {
    for (const path of [join(home, "nope"), join(home, "file"), "work", "a\0b"]) {
      expect(await accept(path)).toBe("workspace_not_found");
    }
    await expect(stat(join(home, "nope"))).rejects.toThrow();
  });

  it("answers with the real path and judges that", async () => {
    await symlink("work", join(home, "link"));
    await symlink("/etc", join(home, "etc"));
    await symlink(".ssh", join(home, "ssh"));
    expect(await accept(join(home, "link/sub"))).toBe(join(home, "work/sub"));
    expect(await accept(join(home, "etc"))).toBe("workspace_not_allowed");
    expect(await accept(join(home, "ssh"))).toBe("workspace_not_allowed");
  });

  it("configured roots replace the default; a name that only begins the same is elsewhere", async () => {
    await mkdir(join(home, "work2"));
    const roots = [join(home, "work")];
    expect(await accept(join(home, "work"), { roots })).toBe(join(home, "work"));
    expect(await accept(join(home, "work2"), { roots })).toBe("workspace_not_allowed");
    expect(await accept(join(home, ".ssh"), { roots: [home] })).toBe("workspace_not_allowed");
    expect(await accept(join(home, ".ssh"), { roots: [home, join(home, ".ssh")] })).toBe(join(home, ".ssh"));
    expect(await accept(join(home, "penguin"), { roots: [home] })).toBe("workspace_not_allowed");
  });

  it("temporary Workspaces of this Agent and those of readable Sessions always pass", async () => {
    const own = await createTemporaryWorkspace(rules.layout, REF);
    const other = join(home, "penguin/default_project/agents/other/workspaces/tmp-00000000");
    expect(await accept(own, { roots: ["/srv"] })).toBe(own);
    expect(await accept(join(own, ".."))).toBe("workspace_not_allowed");
    expect(await accept(other)).toBe("workspace_not_allowed");
    expect(await accept(other, { known: [other] })).toBe(other);
  });
});

it("createTemporaryWorkspace: tmp-<8hex>, private, never the same", async () => {
  const made = await Promise.all(Array.from({ length: 20 }, () => createTemporaryWorkspace(rules.layout, REF)));
  expect(new Set(made).size).toBe(20);
  for (const path of made) expect(path).toMatch(/\/workspaces\/tmp-[0-9a-f]{8}$/);
  expect((await stat(made[0] ?? "")).mode & 0o777).toBe(0o700);
});
