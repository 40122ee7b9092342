import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readArguments } from "../chat/tool-arguments";
import { markdownChunks } from "./markdown-chunks";

const paragraph = (n: number) => `Paragraph ${n} ${"with words ".repeat(40)}\n\n`;
const fence = `\`\`\`js\n${"const a = 1;\n\n".repeat(300)}\`\`\`\n\n`;

describe("markdown in parts", () => {
  it("UI02 joins to the same text, and finished parts never change while it grows", () => {
    const block = fc.constantFrom(
      paragraph(1),
      fence,
      "- a\n- b\n\n",
      "# Title\n\n",
      "| a |\n|---|\n| 1 |\n\n",
      "> quote\n\n",
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 30 }), fc.nat(), (blocks, at) => {
        const text = blocks.join("");
        const chunks = markdownChunks(text);
        expect(chunks.join("")).toBe(text);
        const before = markdownChunks(text.slice(0, at % (text.length + 1)));
        expect(chunks.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
      }),
      { numRuns: 100 },
    );
  });

  it("never cuts within a fence, and not at all where a definition reaches anywhere", () => {
    expect(markdownChunks(fence + paragraph(1)).every((chunk) => (chunk.match(/```/g)?.length ?? 0) % 2 === 0)).toBe(
      true,
    );
    expect(markdownChunks(`${paragraph(1).repeat(20)}[a]: https://example.com\n`)).toHaveLength(1);
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
