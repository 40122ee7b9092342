import { expect, it } from "vitest";
import { fileKind, mentionedNames, nameOf } from "./file-kind";

it("finds names that may be files: in code letters, with a path, with an ending; nothing of addresses or numbers", () => {
  const text =
    "I wrote `src/a b.ts` and notes/todo.md. See ./page.html, /work/x/report.pdf (and main.rs), not 1.2.3, e.g. or https://a.test/b.html; `npm test` and `https://a.test/c`.";
  expect(mentionedNames(text)).toEqual([
    "src/a b.ts",
    "notes/todo.md",
    "./page.html",
    "/work/x/report.pdf",
    "main.rs",
    "e.g",
  ]);
});

it("UI02 costs no more than its length on a long run of letters", () => {
  expect(mentionedNames(`${"x".repeat(150_000)} ${"a/".repeat(20_000)}`)).toEqual([]);
});

it("tells how a file is shown by its ending", () => {
  expect(["a.PNG", "b/c.pdf", "x.html", "README.md", "Makefile", "a.tar.gz"].map(fileKind)).toEqual([
    "image",
    "pdf",
    "page",
    "markdown",
    "text",
    "text",
  ]);
  expect(nameOf("a/b.ts")).toBe("b.ts");
});
