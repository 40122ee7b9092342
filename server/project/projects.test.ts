import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Layout, layout } from "../paths";
import { TomlFiles } from "../toml-file";
import { Allowances } from "./allowances";
import { Projects } from "./projects";

let paths: Layout;
let projects: Projects;
let files: TomlFiles;
beforeEach(async () => {
  paths = layout(await mkdtemp(join(tmpdir(), "penguin-projects-")));
  files = new TomlFiles();
  projects = new Projects(paths, files);
  await projects.create("alpha", "Alpha", "ann");
});
afterEach(() => rm(paths.root, { recursive: true, force: true }));

const code = (expected: string) => expect.objectContaining({ code: expected });

describe("what Sessions of a Project begin with", () => {
  it("is read-only and for the team until an owner decides; everything else in the file stays", async () => {
    expect(await projects.defaults("alpha")).toEqual({ visibility: "team", approval_mode: "read-only" });
    const path = paths.projectConfig("alpha");
    await writeFile(path, `${await readFile(path, "utf8")}kept = 1\n[default_chat]\nagent_id = "x"\n`);
    await projects.change("alpha", { visibility: "private" });
    await projects.change("alpha", { name: "Alpha Two", approval_mode: "always-ask" });
    expect(await projects.defaults("alpha")).toEqual({ visibility: "private", approval_mode: "always-ask" });
    expect(await projects.name("alpha")).toBe("Alpha Two");
    const text = await readFile(path, "utf8");
    expect(text).toContain("kept = 1");
    expect(text).toContain('agent_id = "x"');
  });

  it("values that make no sense count as absent, one by one", async () => {
    await writeFile(
      paths.projectConfig("alpha"),
      '[default_chat]\nvisibility = "world"\napproval_mode = "allow-all"\n',
    );
    expect(await projects.defaults("alpha")).toEqual({ visibility: "team", approval_mode: "allow-all" });
    await writeFile(paths.projectConfig("alpha"), "default_chat = 7\n");
    expect(await projects.defaults("alpha")).toEqual({ visibility: "team", approval_mode: "read-only" });
  });
});

describe("members", () => {
  it("the last owner can be neither removed nor made less", async () => {
    const { members } = projects;
    await members.add("alpha", { user: "bob", role: "member" }, []);
    await expect(members.remove("alpha", "ann", [])).rejects.toEqual(code("last_owner"));
    await expect(members.setRole("alpha", { user: "ann", role: "viewer" }, [])).rejects.toEqual(code("last_owner"));
    await members.setRole("alpha", { user: "bob", role: "owner" }, []);
    await members.remove("alpha", "ann", []);
    expect(await members.list("alpha")).toEqual([{ user: "bob", role: "owner" }]);
    await expect(members.add("alpha", { user: "bob", role: "viewer" }, [])).rejects.toEqual(code("exists"));
  });

  it("two owners who remove each other at once leave one", async () => {
    const { members } = projects;
    await members.add("alpha", { user: "bob", role: "owner" }, []);
    const results = await Promise.allSettled([members.remove("alpha", "ann", []), members.remove("alpha", "bob", [])]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await members.list("alpha")).toHaveLength(1);
  });
});

it("AT23 what was on its way to a Project that is deleted does not make it anew, and its id is free only then", async () => {
  await projects.create("gone", "Gone", "ann");
  let round = 0;
  await projects.remove("gone", async () => {
    round += 1;
    expect(await projects.exists("gone")).toBe(false);
    await expect(projects.create("gone", undefined, "bob")).rejects.toMatchObject({ code: "exists" });
    // A request that was let in before.
    if (round === 2) await projects.rename("gone", "Late");
  });
  expect(round).toBe(3);
  expect((await readdir(paths.root)).filter((name) => name.includes("gone"))).toEqual([]);
  await projects.create("gone", "Again", "bob");
});

it("a list of members that cannot be read keeps nobody from the other Projects", async () => {
  for (const id of ["one", "two"]) await projects.create(id, id, "ann");
  await writeFile(paths.members("one"), "[[members]\n");
  expect(await projects.of({ id: "ann", admin: false })).toMatchObject([{ id: "alpha" }, { id: "two", role: "owner" }]);
});

it("what an admin allowed goes with the Project, and one that takes its id begins with nothing", async () => {
  const allowances = new Allowances(paths, files);
  await allowances.set("alpha", { env_keys: true, private_addresses: true, workspace_roots: ["/srv"] });
  expect(await allowances.of("alpha")).toEqual({ env_keys: true, private_addresses: true, workspace_roots: ["/srv"] });
  expect((await allowances.of("beta")).private_addresses).toBe(false);
  await allowances.forget("alpha");
  expect(await allowances.of("alpha")).toEqual({ env_keys: false, private_addresses: false, workspace_roots: [] });
});
