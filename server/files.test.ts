import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { appendLine, createFile, diskFull, listNames, readText, replaceFile } from "./files";

let dir: string;
const umask = process.umask();
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "files-"));
});
afterEach(async () => {
  process.umask(umask);
  await rm(dir, { recursive: true, force: true });
});
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe("private from the first moment (FS01, FS02)", () => {
  test.each([0o022, 0o000])("umask %o: file 0600, new folders 0700, also after a second save", async (mask) => {
    process.umask(mask);
    const path = join(dir, "a", "b", "config.toml");
    await replaceFile(path, "one");
    await replaceFile(path, "two");
    await appendLine(join(dir, "a", "log.jsonl"), "{}");
    expect(await readFile(path, "utf8")).toBe("two");
    expect(await modeOf(path)).toBe(0o600);
    expect(await modeOf(join(dir, "a", "log.jsonl"))).toBe(0o600);
    expect(await modeOf(join(dir, "a"))).toBe(0o700);
    expect(await modeOf(join(dir, "a", "b"))).toBe(0o700);
  });

  test("another mode on request is exact whatever the umask", async () => {
    process.umask(0o077);
    await replaceFile(join(dir, "AGENTS.md"), "x", 0o644);
    expect(await modeOf(join(dir, "AGENTS.md"))).toBe(0o644);
  });
});

test("IE08: a replace that fails leaves the old file and no temporary one", async () => {
  const path = join(dir, "file");
  await replaceFile(path, "old");
  await chmod(path, 0o600);
  const target = join(dir, "folder");
  await replaceFile(join(target, "inner"), "x");
  await expect(replaceFile(target, "new")).rejects.toThrow();
  expect(await readFile(join(target, "inner"), "utf8")).toBe("x");
  expect((await readdir(dir)).sort()).toEqual(["file", "folder"]);
});

test("createFile is exclusive: of many at once exactly one wins, whole", async () => {
  const path = join(dir, "lock");
  const won = await Promise.all(Array.from({ length: 20 }, (_, i) => createFile(path, `owner ${i}`)));
  expect(won.filter(Boolean)).toHaveLength(1);
  expect(await readFile(path, "utf8")).toBe(`owner ${won.indexOf(true)}`);
  expect(await readdir(dir)).toEqual(["lock"]);
});

test("appendLine puts a line behind a torn tail on a line of its own", async () => {
  const path = join(dir, "audit.jsonl");
  await writeFile(path, '{"a":1}\n{"b"');
  await appendLine(path, '{"c":3}');
  await appendLine(path, '{"d":4}\n');
  expect(await readFile(path, "utf8")).toBe('{"a":1}\n{"b"\n{"c":3}\n{"d":4}\n');
});

test("readText: missing is null, too large and links are refused (FS14)", async () => {
  await writeFile(join(dir, "x"), "12345");
  await symlink("/etc/hostname", join(dir, "link"));
  expect(await readText(join(dir, "x"), 5)).toBe("12345");
  expect(await readText(join(dir, "none"), 5)).toBeNull();
  await expect(readText(join(dir, "x"), 4)).rejects.toMatchObject({ code: "file_too_large" });
  await expect(readText(join(dir, "link"), 500)).rejects.toMatchObject({ code: "not_found" });
  await expect(readText(dir, 500)).rejects.toMatchObject({ code: "not_found" });
});

test("listNames is sorted; a missing folder is empty", async () => {
  for (const name of ["b", "a", "C"]) await writeFile(join(dir, name), "");
  expect(await listNames(dir)).toEqual(["C", "a", "b"]);
  expect(await listNames(join(dir, "none"))).toEqual([]);
});

test("diskFull knows the two ways of being full", () => {
  expect(diskFull(Object.assign(new Error(), { code: "ENOSPC" }))).toBe(true);
  expect(diskFull(Object.assign(new Error(), { code: "EDQUOT" }))).toBe(true);
  expect(diskFull(Object.assign(new Error(), { code: "EACCES" }))).toBe(false);
  expect(diskFull("ENOSPC")).toBe(false);
});
