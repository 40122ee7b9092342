import { execFileSync } from "node:child_process";
import { mkdir, open, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LineWindow } from "./line-window";
import { type Bench, bench, REF, SESSION } from "./test-session";

let b: Bench;
beforeAll(async () => {
  b = await bench({ readableTraces: (path) => path.includes(SESSION) });
});
afterAll(() => b.cleanup());

const put = (name: string, content: string | Uint8Array) => writeFile(join(b.workspace, name), content);
const read = (file_path: string, more: object = {}) => b.run("read_file", { file_path, ...more });

describe("read_file (FF 6.4)", () => {
  it("numbers lines like cat -n, without a note when everything is shown", async () => {
    await put("two.txt", "line one\nline two");
    expect((await read("two.txt")).output).toBe("     1\tline one\n     2\tline two");
    await put("newline.txt", "line one\n");
    expect((await read("newline.txt")).output).toBe("     1\tline one");
  });

  it("windows by offset and limit, and says how to go on", async () => {
    await put("many.txt", Array.from({ length: 5000 }, (_, i) => `l${i + 1}`).join("\n"));
    const first = (await read("many.txt")).output;
    expect(first).toMatch(/ {2}2000\tl2000\n\[lines 1-2000 of 5000; continue with offset=2001\]$/);
    expect((await read("many.txt", { offset: 4999, limit: 5 })).output).toBe(
      "  4999\tl4999\n  5000\tl5000\n[lines 4999-5000 of 5000; end of file]",
    );
    expect((await read("many.txt", { offset: 3, limit: 1 })).output).toBe(
      "     3\tl3\n[line 3 of 5000; continue with offset=4]",
    );
    expect(await read("many.txt", { offset: 6000 })).toMatchObject({
      stop_reason: "failed",
      output: 'offset 6000 is past the end: "many.txt" has 5000 lines.',
    });
  });

  it("ends before the output limit, so that its note is never cut off", async () => {
    await put("wide.txt", `${"x".repeat(1500)}\n`.repeat(100));
    const { output } = await read("wide.txt");
    expect(output.length).toBeLessThan(64_000);
    const next = Number(/\[lines 1-(\d+) of 100; continue with offset=(\d+)\]$/.exec(output)?.[2]);
    expect(next).toBeGreaterThan(30);
    expect((await read("wide.txt", { offset: next })).output.startsWith(`${String(next).padStart(6)}\t`)).toBe(true);
  });

  it("counts at most 8 MiB ahead, but finds any offset", async () => {
    await put("long.txt", "0123456789abcde\n".repeat(700_000));
    expect((await read("long.txt", { limit: 1 })).output).toMatch(
      /\[line 1 of more than \d+; continue with offset=2\]$/,
    );
    expect((await read("long.txt", { offset: 700_000 })).output).toBe(
      "700000\t0123456789abcde\n[line 700000 of 700000; end of file]",
    );
  });

  it("CRLF is noted, empty files and missing newlines are no trouble", async () => {
    await put("crlf.txt", "a\r\nb\r\n");
    expect((await read("crlf.txt")).output).toBe("     1\ta\n     2\tb\n(file uses CRLF line endings)");
    await put("empty.txt", "");
    expect(await read("empty.txt")).toMatchObject({
      output: 'The file is empty: "empty.txt".',
      stop_reason: "completed",
    });
    await put("blank.txt", "\n");
    expect((await read("blank.txt")).output).toBe("     1\t");
  });

  it("refuses binary files, folders, and never waits for a FIFO", async () => {
    await put("bin", Buffer.from([80, 75, 0, 1]));
    expect((await read("bin")).output).toContain("binary file");
    await mkdir(join(b.workspace, "dir"));
    expect((await read("dir")).output).toBe('"dir" is a directory.');
    execFileSync("mkfifo", [join(b.workspace, "fifo")]);
    expect((await read("fifo")).output).toBe('"fifo" is not a regular file.');
  });

  it("a missing path names what exists, the first missing part and the nearest names", async () => {
    await mkdir(join(b.workspace, "src/deep"), { recursive: true });
    for (const name of ["server.ts", "servers.ts", "zebra.md", ".vault.toml"]) await put(`src/${name}`, "");
    const { output, stop_reason } = await read("src/sever.ts");
    expect(stop_reason).toBe("failed");
    expect(output).toMatch(
      /^File not found: "src\/sever\.ts"\. "sever\.ts" in ".*\/src" does not exist\. Nearest names: server\.ts, servers\.ts/,
    );
    expect(output).not.toContain("vault");
    expect((await read("src/nope/a/b.ts")).output).toMatch(/"nope" in ".*\/src" does not exist\./);
    expect((await read("two.txt/x")).output).toMatch(/"two.txt" in ".*" is not a directory\.$/);
  });

  it("the secret guard: path and real path, any case", async () => {
    await symlink(join(b.workspace, "src/.vault.toml"), join(b.workspace, "innocent"));
    for (const path of ["src/.vault.toml", "src/.VAULT.TOML", "innocent"])
      expect((await read(path)).output).toMatch(/^Refused: .*credentials/);
  });
});

describe("long lines, piece by piece", () => {
  /** Follows the hints of the notes until the line is complete. */
  async function walk(path: string, offset: number): Promise<string> {
    let whole = "";
    for (let column = 1; ; ) {
      const { output, stop_reason } = await read(path, { offset, column });
      expect(stop_reason).toBe("completed");
      const [line = "", ...notes] = output.split("\n");
      whole += line.slice(line.indexOf("\t") + 1);
      const next = /continue it with offset=(\d+), column=(\d+)\]/.exec(notes.join("\n"));
      if (!next) return whole;
      expect(Number(next[1])).toBe(offset);
      expect(Number(next[2])).toBeGreaterThan(column);
      column = Number(next[2]);
    }
  }

  it("lines above 2000 characters are cut, and the note says where to go on", async () => {
    await put("line.txt", `${"a".repeat(2001)}\n${"b".repeat(2000)}\n`);
    const [first, second, ...notes] = (await read("line.txt")).output.split("\n");
    expect(first).toBe(`     1\t${"a".repeat(2000)}… [line truncated]`);
    expect(second).toBe(`     2\t${"b".repeat(2000)}`);
    expect(notes).toEqual(["[line 1 is longer: continue it with offset=1, column=2001]"]);
    expect((await read("line.txt", { offset: 1, column: 2001 })).output).toMatch(/^ {5}1\ta\n/);
  });

  it("a long Trace line with characters of every width is walked completely, between other lines", async () => {
    const text = '─😀é"x'.repeat(60_000);
    const path = b.context.layout.traceFile(REF, "2026-11-29", SESSION, 1);
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, `first\n${text}\r\nlast\n`);
    expect(await walk(path, 2)).toBe(text);
    expect((await b.run("write_file", { file_path: path, content: "" })).output).toMatch(/^Refused/);
  });

  it("reaches the far end of a 17 MB line", async () => {
    const handle = await open(join(b.workspace, "17mb.json"), "w");
    for (let i = 0; i < 17; i++) await handle.write("z".repeat(1_000_000));
    await handle.write("END");
    await handle.close();
    expect((await read("17mb.json", { column: 17_000_001 })).output).toMatch(
      /^ {5}1\tEND\n\[line 1 of 1 from character 17000001; end of file\]$/,
    );
    expect((await read("17mb.json", { column: 8_500_000 })).output).toMatch(
      /continue it with offset=1, column=8563000\]/,
    );
  });

  it("LineWindow gives the same for any chunking", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "bb", "\n", "\r\n", "😀", "─", "\r")).map((parts) => parts.join("")),
        fc.array(fc.nat(40)),
        fc.record({
          offset: fc.integer({ min: 1, max: 4 }),
          limit: fc.integer({ min: 1, max: 4 }),
          column: fc.integer({ min: 1, max: 4 }),
        }),
        (text, cuts, at) => {
          const window = () => new LineWindow({ ...at, lineChars: 3, totalChars: 30 });
          const [whole, pieces] = [window(), window()];
          whole.push(text);
          whole.end();
          const points = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((x, y) => x - y);
          for (const [i, from] of [0, ...points].entries()) pieces.push(text.slice(from, points[i] ?? text.length));
          pieces.end();
          expect([pieces.shown, pieces.lines, pieces.crlf]).toEqual([whole.shown, whole.lines, whole.crlf]);
          const lines = text.split("\n");
          expect(whole.lines).toBe(lines.length - (text.endsWith("\n") || text === "" ? 1 : 0));
        },
      ),
    );
  });
});
