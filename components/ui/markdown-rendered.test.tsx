// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import MarkdownRendered from "./markdown-rendered";

afterEach(cleanup);

function show(text: string, more: { streaming?: boolean; table?: { head: string } } = {}): HTMLElement {
  return render(<MarkdownRendered text={text} streaming={more.streaming ?? false} table={more.table} />).container;
}

describe("markdown on the page", () => {
  it("UI02 shows what models write: headings, lists, tasks, tables, code, quotes, notes, links, entities", () => {
    const page = show(
      [
        "## A *title*",
        "1. one\n2. two\n   - nested **strong**\n\n   more",
        "- [x] done\n- [ ] open",
        "| a | b |\n|:--|--:|\n| `x` | y<br>z |",
        "> quoted\n>\n> twice",
        "- item\n\n  ```sh\n  ls -la\n  ```",
        "Fish &amp; chips, 1 &lt; 2, `a&amp;b`, ~~gone~~, \\*kept\\*, www.example.com and <https://example.org/?a=1&b=2>.  \nnew line",
        "See [the page][p].[^1]",
        "[p]: https://example.com/p\n[^1]: A *note*.",
        "---",
      ].join("\n\n"),
    );
    const texts = (selector: string) => [...page.querySelectorAll(selector)].map((one) => one.textContent);
    expect(page.querySelector("h2")?.innerHTML).toBe("A <em>title</em>");
    expect(texts("ol > li")[0]).toBe("one");
    expect(texts("ol ul li")).toEqual(["nested strong"]);
    expect([...page.querySelectorAll("input")].map((box) => [box.checked, box.disabled])).toEqual([
      [true, true],
      [false, true],
    ]);
    expect(texts("th")).toEqual(["a", "b"]);
    expect(page.querySelector("td:nth-child(2)")?.getAttribute("style")).toContain("right");
    expect(page.querySelector("td br")).not.toBeNull();
    expect(texts("blockquote p")).toEqual(["quoted", "twice"]);
    expect(texts("li figure code")).toEqual(["ls -la"]);
    expect(page.textContent).toContain("Fish & chips, 1 < 2, a&amp;b, gone, *kept*,");
    expect(texts("del")).toEqual(["gone"]);
    expect([...page.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual([
      "http://www.example.com",
      "https://example.org/?a=1&b=2",
      "https://example.com/p",
    ]);
    expect(texts("sup")).toEqual(["1", "1"]);
    expect(page.textContent).toContain("1 A note.");
    expect(page.textContent).not.toContain("[p]:");
    expect(page.querySelectorAll("hr")).toHaveLength(1);
  });

  it("UI03 AT14 makes no element of HTML and no link of a script, also where entities hide them", () => {
    const page = show(
      [
        "<b onclick=alert(1)>bold</b> <img src=x onerror=alert(1)>",
        "<script>alert(1)</script>",
        "[a](java&#115;cript:alert(1)) [b](javascript&colon;alert(1)) [c](vbscript:x) [d](<javascript:alert(1)>)",
        "![x](javascript:alert(1)) &lt;iframe&gt;",
        "<javascript:alert(1)>",
      ].join("\n\n"),
    );
    expect(page.querySelector("b, img, script, iframe, a")).toBeNull();
    expect(page.textContent).toContain("<b onclick=alert(1)>bold</b>");
    expect(page.textContent).toContain("<script>alert(1)</script>");
    expect(page.textContent).toContain("<iframe>");
  });

  it("closes what is half open while it grows, and only then", () => {
    expect(show("Some **bold", { streaming: true }).querySelector("strong")?.textContent).toBe("bold");
    cleanup();
    expect(show("Some **bold").textContent).toBe("Some **bold");
    cleanup();
    const link = show("See [the page](https://exam", { streaming: true });
    expect(link.querySelector("a")).toBeNull();
    expect(link.textContent).toContain("the page");
  });

  it("shows a text that is nested beyond all reason as it is", () => {
    const deep = ">".repeat(20_000);
    expect(show(deep).textContent).toBe(deep);
  });

  it("a long table of many columns scrolls sideways instead of breaking its numbers", () => {
    const row = (cell: string) => `|${` ${cell} |`.repeat(30)}\n`;
    const page = show(row("1000"), { table: { head: row("a") + row("--") } });
    expect(page.querySelector("table")?.style.minWidth).toBe("150rem");
    expect(page.querySelectorAll("td")).toHaveLength(30);
  });

  it("goes on with a table that was cut under the header of its beginning", () => {
    const page = show("| 3 | 4 |\n", { table: { head: "| a | b |\n|---|--:|\n" } });
    expect(page.querySelector("thead")?.className).toBe("sr-only");
    expect([...page.querySelectorAll("td")].map((cell) => cell.textContent)).toEqual(["3", "4"]);
  });
});
