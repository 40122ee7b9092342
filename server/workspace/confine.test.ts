import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { layout as layoutOf } from "../paths";
import { Confinement, type Right } from "./confine";
import { createPrivate, openDir, openFile } from "./open";
import { replaceConfined } from "./replace";

const REF = { project: "default_project", agent: "default_agent" };
const SESSION = "session-2026-11-29-10-00-00-0123abcd";
const OTHER = "session-2026-11-29-10-00-00-ffffffff";

let base: string;
let layout: ReturnType<typeof layoutOf>;
let workspace: string;
let confinement: Confinement;

async function put(path: string, content = "x"): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "confine-")));
  // The Workspace contains the data root, as a home directory would.
  workspace = base;
  layout = layoutOf(join(base, "data"));
  await mkdir(layout.agentState(REF), { recursive: true });
  confinement = new Confinement({ layout, ref: REF, sessionId: SESSION, workspace });
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function verdict(path: string, right: Right): Promise<string> {
  const resolved = await confinement.resolveInside(path, right);
  return resolved.ok ? "ok" : resolved.reason;
}

describe("AC4: the table of what a Session may touch", () => {
  const rows: [string, (l: typeof layout) => string, Right | null][] = [
    ["its Workspace", () => join(base, "a.txt"), "write"],
    ["its scratchpad", (l) => join(l.scratchpad(REF, SESSION), "n.md"), "write"],
    ["its recovery files", (l) => join(l.truncatedOutput(REF, SESSION), "x.log"), "write"],
    ["shared_env", (l) => join(l.sharedEnv(REF), "venv/x"), "write"],
    ["memory", (l) => join(l.memory(REF), "MEMORY.md"), "write"],
    ["skills", (l) => join(l.skills(REF), "s/SKILL.md"), "write"],
    ["AGENTS.md", (l) => l.instructions(REF), "write"],
    ["a name that begins like AGENTS.md", (l) => `${l.instructions(REF)}.bak`, "read"],
    ["system_config.yaml", (l) => l.systemConfig(REF), "read"],
    ["schedule", (l) => join(l.schedule(REF), "a.toml"), "read"],
    ["tools", (l) => join(l.tools(REF), "a"), "read"],
    ["the vault", (l) => l.vault(REF), null],
    ["a temporary copy of the vault", (l) => `${l.vault(REF)}.tmp-1`, null],
    ["the vault, other case", (l) => join(l.agentState(REF), ".VAULT.toml"), null],
    ["a vault in the Workspace", () => join(base, "x/.vault.toml"), null],
    ["project config", (l) => l.projectConfig("default_project"), null],
    ["members", (l) => l.members("default_project"), null],
    ["users", (l) => l.user("admin"), null],
    ["the root's secret", (l) => l.authSecret, null],
    ["the root's audit", (l) => l.audit, null],
    ["a Trace of another Session", (l) => l.traceFile(REF, "2026-11-29", OTHER, 1), null],
    ["its own Trace without the predicate", (l) => l.traceFile(REF, "2026-11-29", SESSION, 1), null],
    ["another scratchpad", (l) => join(l.scratchpad(REF, OTHER), "n.md"), null],
    ["a scratchpad whose id begins the same", (l) => `${l.scratchpad(REF, SESSION)}-2/n.md`, null],
    ["another Agent", (l) => l.systemConfig({ project: "default_project", agent: "other" }), null],
    ["another Project", (l) => l.projectConfig("other"), null],
    ["a temporary Workspace that is not its own", (l) => join(l.temporaryWorkspace(REF, "00000000"), "a"), null],
    ["the data root itself", (l) => l.root, null],
    ["the system", () => "/etc/passwd", null],
    ["a process's environment", () => "/proc/self/environ", null],
    ["above the Workspace", () => dirname(base), null],
    ["out by ..", () => "../x", null],
  ];
  it.each(rows)("%s", async (_name, path, right) => {
    const target = path(layout);
    // The same answer whether or not the file is there.
    for (const exists of [false, true]) {
      if (exists && target.startsWith(base) && target !== layout.root) await put(target);
      expect(await verdict(target, "read")).toBe(right === null ? "refused" : "ok");
      expect(await verdict(target, "write")).toBe(right === "write" ? "ok" : "refused");
    }
  });

  it("MU07: Traces of the lineage are read, never written, through the predicate", async () => {
    const trace = await put(layout.traceFile(REF, "2026-11-29", OTHER, 1));
    confinement = new Confinement({
      layout,
      ref: REF,
      sessionId: SESSION,
      workspace,
      readableTraces: async (p) => p === trace,
    });
    expect([await verdict(trace, "read"), await verdict(trace, "write")]).toEqual(["ok", "refused"]);
    expect(await verdict(layout.traceFile(REF, "2026-11-29", OTHER, 2), "read")).toBe("refused");
  });

  it("a data root that is reached through a link is the same data root", async () => {
    const trace = await put(layout.traceFile(REF, "2026-11-29", OTHER, 1));
    await symlink(layout.root, join(base, "link"));
    const linked = layoutOf(join(base, "link"));
    const asked: string[] = [];
    const readableTraces = (path: string) => asked.push(path) > 0;
    confinement = new Confinement({ layout: linked, ref: REF, sessionId: SESSION, workspace, readableTraces });
    expect(await verdict(trace, "read")).toBe("ok");
    expect(asked).toEqual([linked.traceFile(REF, "2026-11-29", OTHER, 1)]);
    expect(await verdict(linked.instructions(REF), "write")).toBe("ok");
    expect(await verdict(linked.vault(REF), "read")).toBe("refused");
    const real = await confinement.realPlace(linked.truncatedOutput(REF, SESSION));
    expect(real).toBe(layout.truncatedOutput(REF, SESSION));
    expect(await createPrivate(join(real, "x.log"), Buffer.from("x"))).toEqual({ ok: true });
  });

  it("a temporary Workspace inside the data root is open to its Session", async () => {
    const own = layout.temporaryWorkspace(REF, "0a1b2c3d");
    await mkdir(own, { recursive: true });
    confinement = new Confinement({ layout, ref: REF, sessionId: SESSION, workspace: own });
    expect(await verdict("a.txt", "write")).toBe("ok");
    expect(await verdict(join(own, "../tmp-ffffffff/a"), "read")).toBe("refused");
  });

  it("a Workspace that claims another part of the data root gets nothing", async () => {
    confinement = new Confinement({ layout, ref: REF, sessionId: SESSION, workspace: layout.traces(REF) });
    await mkdir(layout.traces(REF), { recursive: true });
    expect(await verdict("2026-11-29/x", "read")).toBe("refused");
  });

  it("the refusal names what is allowed, and the file that was really meant", async () => {
    await symlink("/etc", join(base, "escape_dir"));
    const resolved = await confinement.resolveInside("escape_dir/passwd", "write");
    expect(resolved.ok ? "" : resolved.message).toMatch(
      /^Refused: "escape_dir\/passwd" \(really "\/etc\/passwd"\) may not be written: .*Allowed: Workspace /,
    );
  });

  it("NUL, empty and over-long paths are values, not throws", async () => {
    for (const path of ["", "a\0b", "x".repeat(300), "x/".repeat(3000)]) {
      const resolved = await confinement.resolveInside(path, "read");
      expect(resolved.ok && resolved.exists).toBe(false);
    }
  });
});

describe("FS13, FS14, AT12: links", () => {
  it("links that lead out, dangling links and loops are refused; links that stay inside are fine", async () => {
    await put(join(base, "real.txt"));
    await symlink("/etc/passwd", join(base, "passwd_link"));
    await symlink(join(base, "nowhere"), join(base, "dangling"));
    await symlink("loop", join(base, "loop"));
    await symlink("real.txt", join(base, "inner"));
    await symlink("/etc/passwd", layout.instructions(REF));
    await symlink(layout.root, join(base, "to_data"));
    await put(layout.vault(REF));
    await symlink(layout.vault(REF), join(base, "v"));
    for (const path of [
      "passwd_link",
      "dangling",
      "dangling/x",
      layout.instructions(REF),
      "to_data/.users/a.toml",
      "v",
    ]) {
      expect(await verdict(path, "read"), path).toBe("refused");
      expect(await verdict(path, "write"), path).toBe("refused");
    }
    expect(await verdict("loop", "read")).toBe("unusable");
    expect(await confinement.resolveInside("inner", "write")).toEqual({
      ok: true,
      path: join(base, "real.txt"),
      exists: true,
    });
  });

  it("a folder that becomes a link between check and open is not followed", async () => {
    const outside = await realpath(await mkdtemp(join(tmpdir(), "outside-")));
    await put(join(outside, "f.txt"), "secret");
    await put(join(base, "d/f.txt"), "mine");
    const read = await confinement.resolveInside("d/f.txt", "read");
    const fresh = await confinement.resolveInside("d/new/deep.txt", "write");
    await rename(join(base, "d"), join(base, "d2"));
    await symlink(outside, join(base, "d"));
    if (!read.ok || !fresh.ok) throw new Error("must pass the check");
    expect(await openFile(read.path)).toMatchObject({ ok: false, code: "ENOTDIR", at: join(base, "d") });
    expect(await replaceConfined(read.path, Buffer.from("pwned"))).toMatchObject({ ok: false, code: "ENOTDIR" });
    expect(await replaceConfined(fresh.path, Buffer.from("pwned"))).toMatchObject({ ok: false, code: "ENOTDIR" });
    expect(await createPrivate(fresh.path, Buffer.from("pwned"))).toMatchObject({ ok: false, code: "ENOTDIR" });
    expect(await readFile(join(outside, "f.txt"), "utf8")).toBe("secret");
    await rm(outside, { recursive: true });
  });

  it("a file that becomes a link is not read through, and writing replaces the link, not its target", async () => {
    await put(join(base, "target.txt"), "keep");
    await symlink(join(base, "target.txt"), join(base, "link"));
    expect(await openFile(join(base, "link"))).toMatchObject({ ok: false, code: "ELOOP" });
    expect(await replaceConfined(join(base, "link"), Buffer.from("new"))).toMatchObject({ ok: false, code: "ENOTREG" });
    expect(await readFile(join(base, "target.txt"), "utf8")).toBe("keep");
  });

  it("what a killed server left half-written is removed with the next write there; what is young or foreign stays", async () => {
    const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
    const left = (name: string) => `.${name}.tmp-4711-0123456789ab`;
    for (const name of [left("a.txt"), left(""), ".a.txt.tmp-4711-012345", `x${left("a.txt")}`]) {
      await utimes(await put(join(base, "w", name)), old, old);
    }
    await put(join(base, "w", left("young")));
    await mkdir(join(base, "w", left("folder")));
    expect(await replaceConfined(join(base, "w", "b.txt"), Buffer.from("b"))).toMatchObject({ ok: true });
    const stays = [".a.txt.tmp-4711-012345", `x${left("a.txt")}`, left("young"), left("folder"), "b.txt"];
    expect(await readdir(join(base, "w"))).toEqual(expect.arrayContaining(stays));
    expect(await readdir(join(base, "w"))).toHaveLength(stays.length);
  });

  it("an open folder stays the one that was opened", async () => {
    await put(join(base, "d/f.txt"), "mine");
    const dir = await openDir(join(base, "d"));
    if (!dir.ok) throw new Error(dir.code);
    await rename(join(base, "d"), join(base, "moved"));
    await put(join(base, "d/f.txt"), "other");
    if (process.platform === "linux") expect(await readFile(dir.entry("f.txt"), "utf8")).toBe("mine");
    await dir.close();
  });
});
