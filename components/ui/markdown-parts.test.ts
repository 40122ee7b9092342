import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readArguments } from "../chat/tool-arguments";
import { finishedParts, type MarkdownPart, MarkdownSplitter } from "./markdown-parts";

const paragraph = (n: number) => `Paragraph ${n} ${"with words ".repeat(40)}\n\n`;
const code = "const a = 1;\n\n".repeat(300);
const fence = `\`\`\`js\n${code}\`\`\`\n\n`;
const nested = "- item\n\n  ```sh\n  ls\n  ```\n\n";
const contents = (parts: readonly MarkdownPart[]) =>
  parts.map((part) => (part.kind === "code" ? part.code : part.text)).join("");
const squeezed = (text: string) => text.replace(/\s+/g, "");

describe("markdown in parts", () => {
  it("UI02 loses nothing, and finished parts stay the same objects while it grows", () => {
    const list = "- a\n- b\n".repeat(700);
    const block = fc.constantFrom(
      paragraph(1),
      fence,
      nested,
      list,
      "# Title\n\n",
      "| a |\n|---|\n| 1 |\n\n",
      "> quote\n\n",
      "one line\n".repeat(900),
      `${"a line without end ".repeat(3_000)}\n\n`,
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 6 }), (blocks, cuts) => {
        const text = blocks.join("");
        const splitter = new MarkdownSplitter();
        let before: readonly MarkdownPart[] = [];
        for (const at of [...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length]) {
          const parts = splitter.split(text.slice(0, at));
          before.slice(0, -2).forEach((part, i) => {
            expect(parts[i]).toBe(part);
          });
          before = parts;
        }
        expect(before).toEqual(new MarkdownSplitter().split(text));
        expect(squeezed(contents(before))).toBe(squeezed(text.replace(/^```(js)?$/gm, "")));
      }),
      { numRuns: 60 },
    );
  });

  it("gives the code of a fence exactly, closed or still growing", () => {
    const splitter = new MarkdownSplitter();
    expect(splitter.split("Look:\n```ts")).toEqual([
      { kind: "text", text: "Look:\n" },
      { kind: "code", language: "ts", code: "", closed: false },
    ]);
    expect(splitter.split("Look:\n```ts\n  a\n\n\tb").at(-1)).toEqual({
      kind: "code",
      language: "ts",
      code: "  a\n\n\tb",
      closed: false,
    });
    expect(splitter.split("Look:\n```ts\n  a\n\n\tb\n```").at(-1)).toMatchObject({ code: "  a\n\n\tb", closed: true });
    expect(splitter.split("````md\n```js\nx\n```\n````\nafter")).toEqual([
      { kind: "code", language: "md", code: "```js\nx\n```", closed: true },
      { kind: "text", text: "after" },
    ]);
  });

  it("cuts long texts even where no paragraph ends", () => {
    expect(new MarkdownSplitter().split("line\n".repeat(20_000)).length).toBeGreaterThan(5);
    expect(new MarkdownSplitter().split("word ".repeat(20_000)).length).toBeGreaterThan(5);
  });

  it("cuts a long table between rows: every piece knows the header, and nothing else goes into the last one", () => {
    const head = "| a | b |\n|---|---|\n";
    const parts = new MarkdownSplitter().split(`Look:\n\n${head}${"| 1 | 2 |\n".repeat(2_000)}\n- after it\n`);
    expect(parts.length).toBeGreaterThan(5);
    expect(parts[0]).toMatchObject({ text: expect.stringMatching(/^Look:\n\n\| a /), table: { head: "" } });
    for (const part of parts.slice(1, -1)) {
      expect(part).toMatchObject({ text: expect.stringMatching(/^(\| 1 \| 2 \|\n)+\n?$/), table: { head } });
    }
    expect(parts.at(-1)).toEqual({ kind: "text", text: "- after it\n" });
    // The lines of a header alone are no table yet, and a short one stays whole.
    expect(new MarkdownSplitter().split(`${head}| 1 | 2 |\n`)).toEqual([{ kind: "text", text: `${head}| 1 | 2 |\n` }]);
  });

  it("lets every part of a finished text know the links that are defined elsewhere", () => {
    const parts = finishedParts(`See [the page][a].\n\n${paragraph(1).repeat(20)}\n[a]: https://example.com\n`);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts[0]).toMatchObject({ text: expect.stringContaining("[a]: https://example.com") });
  });
});

describe("arguments while they stream", () => {
  it("reads every prefix without throwing, and what is complete in it", () => {
    const whole = '{"file_path":"src/a.ts","list":[1,{"b":"c\\n\\u00e9"}],"n":12}';
    for (let end = 0; end <= whole.length; end++) readArguments(whole.slice(0, end), true);
    expect(readArguments('{"file_path":"src/a.ts","old_st', true)).toEqual({ file_path: "src/a.ts" });
    expect(readArguments('{"cmd":"ls -l', true)).toEqual({ cmd: "ls -l" });
    expect(readArguments("[1]", false)).toBeNull();
    expect(readArguments("", false)).toEqual({});
  });
});
