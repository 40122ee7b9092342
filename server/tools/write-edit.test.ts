import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { applyPatch } from "diff";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, bench } from "./test-session";
import { textDiff } from "./text-diff";

let b: Bench;
beforeEach(async () => {
  b = await bench();
});
afterEach(() => b.cleanup());

const at = (name: string) => join(b.workspace, name);
const write = (file_path: string, content: string) => b.run("write_file", { file_path, content });
const edit = (file_path: string, old_string: string, new_string: string, more: object = {}) =>
  b.run("edit_file", { file_path, old_string, new_string, ...more });

describe("write_file", () => {
  it("creates with parents, and says lines and bytes", async () => {
    expect((await write("b.txt", "hi\n")).output).toBe('Created "b.txt" (1 line, 3 bytes).');
    expect((await write("new/deep/é.txt", "é\nx")).output).toBe('Created "new/deep/é.txt" (2 lines, 4 bytes).');
    expect((await write("none.txt", "")).output).toBe('Created "none.txt" (0 lines, 0 bytes).');
    expect(await readFile(at("new/deep/é.txt"), "utf8")).toBe("é\nx");
  });

  it("overwrites with a short diff, keeps the mode, leaves no temporary file", async () => {
    await writeFile(at("run.sh"), "a\nb\nc\n");
    await chmod(at("run.sh"), 0o755);
    expect((await write("run.sh", "a\nB\nc\n")).output).toBe(
      'Overwrote "run.sh" (3 lines, 6 bytes).\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c',
    );
    expect((await stat(at("run.sh"))).mode & 0o777).toBe(0o755);
    expect(await readdir(b.workspace)).toEqual(["run.sh"]);
    expect((await write("run.sh", "a\nB\nc\n")).output).toContain("same as before");
  });

  it("a long diff is a summary; a binary or large previous file gives none", async () => {
    await writeFile(at("l.txt"), "a\n".repeat(100));
    expect((await write("l.txt", "b\n".repeat(90))).output).toBe(
      'Overwrote "l.txt" (90 lines, 180 bytes).\n(+90/−100 lines)',
    );
    await writeFile(at("huge.txt"), Array.from({ length: 2000 }, (_, i) => `old ${i}\n`).join(""));
    const rewritten = Array.from({ length: 1500 }, (_, i) => `new ${i}\n`).join("");
    expect((await write("huge.txt", rewritten)).output).toMatch(/\n\(\+1500\/−2000 lines\)$/);
    await writeFile(at("b.bin"), Buffer.from([0, 1]));
    expect((await write("b.bin", "x")).output).toBe('Overwrote "b.bin" (1 line, 1 bytes).');
    await writeFile(at("big"), "a".repeat(1024 * 1024 + 1));
    expect((await write("big", "x")).output).toBe('Overwrote "big" (1 line, 1 bytes).');
  });

  it("FS13: refuses links that lead out, folders, and a Workspace that is gone", async () => {
    await symlink("/tmp/never-made-by-this-test", at("dangling"));
    await mkdir(at("dir"));
    expect((await write("dangling", "x")).output).toMatch(/^Refused/);
    expect((await write("dir", "x")).output).toBe('"dir" is a directory.');
    expect((await write("../out.txt", "x")).output).toMatch(
      /^Refused: "..\/out.txt" may not be written: it lies outside/,
    );
    await rm(b.workspace, { recursive: true });
    expect(await write("a.txt", "x")).toMatchObject({
      output: `Workspace does not exist: ${b.workspace}`,
      stop_reason: "failed",
    });
    await expect(stat(b.workspace)).rejects.toThrow();
  });

  it("AGENTS.md, memory and skills are written; the rest of the Agent State is not", async () => {
    const { layout, ref } = b.context;
    expect((await write(layout.instructions(ref), "Be kind.")).stop_reason).toBe("completed");
    expect((await write(join(layout.memory(ref), "MEMORY.md"), "x")).stop_reason).toBe("completed");
    expect((await write(layout.systemConfig(ref), "x")).output).toContain("it may be read but not written");
    expect((await write(layout.vault(ref), "x")).output).toContain("credentials");
  });
});

describe("edit_file", () => {
  it("replaces one exact match and shows the diff", async () => {
    await writeFile(at("a.ts"), "one\ntwo\nthree\n");
    expect((await edit("a.ts", "two", "$& 2")).output).toBe(
      'Edited "a.ts" (1 replacement).\n@@ -1,3 +1,3 @@\n one\n-two\n+$& 2\n three',
    );
    expect(await readFile(at("a.ts"), "utf8")).toBe("one\n$& 2\nthree\n");
  });

  it("refuses an ambiguous match, unless replace_all", async () => {
    await writeFile(at("a.ts"), "x\n".repeat(3));
    expect(await edit("a.ts", "x", "y")).toMatchObject({
      stop_reason: "failed",
      output: expect.stringContaining("occurs 3 times"),
    });
    expect((await edit("a.ts", "x", "y", { replace_all: true })).output).toContain("(3 replacements)");
    expect(await readFile(at("a.ts"), "utf8")).toBe("y\ny\ny\n");
  });

  it("at most five hunks are shown", async () => {
    await writeFile(at("a.ts"), `x\n${"-\n".repeat(9)}`.repeat(8));
    const { output } = await edit("a.ts", "x", "y", { replace_all: true });
    expect(output.match(/^@@/gm)).toHaveLength(5);
    expect(output).toMatch(/\[3 more hunks\]$/);
  });

  it("explains what does not match", async () => {
    await writeFile(at("crlf.txt"), "a\r\nb\r\n");
    expect((await edit("crlf.txt", "", "x")).output).toContain("old_string is empty");
    expect((await edit("crlf.txt", "a", "a")).output).toContain("are equal");
    expect((await edit("crlf.txt", "a\nb", "x")).output).toContain("the file uses CRLF");
    expect((await edit("crlf.txt", " b ", "x")).output).toContain("other whitespace");
    expect((await edit("crlf.txt", "zzz", "x")).output).toContain("was not found");
    expect((await edit("nope.txt", "a", "b")).output).toContain("File not found");
  });

  it("never damages what is not UTF-8 text; keeps a byte order mark", async () => {
    await writeFile(at("latin"), Buffer.from([0x61, 0xe9]));
    expect((await edit("latin", "a", "b")).output).toContain("not UTF-8");
    await writeFile(at("bin"), Buffer.from([0x61, 0]));
    expect((await edit("bin", "a", "b")).output).toContain("binary");
    await writeFile(at("bom"), "\ufeffa");
    await edit("bom", "a", "b");
    expect(await readFile(at("bom"), "utf8")).toBe("\ufeffb");
  });
});

it("textDiff: the hunks turn the old text into the new one", () => {
  const text = fc
    .array(fc.constantFrom("a\n", "b\n", "c\n", "\n", "d"), { maxLength: 40 })
    .map((lines) => lines.join(""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = textDiff(before, after);
      const patch = ["--- a", "+++ b", ...(diff.hunks?.flat() ?? []), ""].join("\n");
      expect(before === after ? before : applyPatch(before, patch)).toBe(after);
    }),
  );
});
