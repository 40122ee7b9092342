// @vitest-environment happy-dom
import { cleanup, render, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { Markdown } from "./markdown";

afterEach(cleanup);

const paragraphs = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `Paragraph ${from + i} ${"of some words ".repeat(40)}`).join("\n\n");
const growing = (text: string) => <Markdown streaming>{text}</Markdown>;
const groupsOf = (container: HTMLElement) => [...(container.firstElementChild?.children ?? [])];
const rests = (group: Element) => group.className.includes("content-visibility:auto");

it("UI02 a long answer stands in groups that stay while it grows and when it ends, also with the definitions of links", async () => {
  const text = `${paragraphs(0, 60)}\n\nSee [one] and more.\n\n${paragraphs(60, 80)}`;
  const { container, rerender } = render(growing(text.slice(0, 20_000)));
  await waitFor(() => expect(container.querySelector("[data-unparsed]")).toBeNull());
  const before = groupsOf(container);
  expect(before.length).toBeGreaterThan(4);
  const first = before[0]?.firstElementChild;
  rerender(growing(text));
  const grown = groupsOf(container);
  expect(before.every((group, i) => group === grown[i])).toBe(true);
  const whole = `${text}\n\n[one]: https://example.com/one\n`;
  rerender(growing(whole));
  rerender(<Markdown>{whole}</Markdown>);
  const ended = groupsOf(container);
  expect(grown.every((group, i) => group === ended[i])).toBe(true);
  expect(ended[0]?.firstElementChild).toBe(first);
  expect(container.querySelector("a")?.getAttribute("href")).toBe("https://example.com/one");
});

it("UI02 groups far above the end are left out of view once they were drawn, those at the end never", async () => {
  const { container } = render(growing(paragraphs(0, 80)));
  expect(groupsOf(container).some(rests)).toBe(false);
  await waitFor(() => expect(groupsOf(container).some(rests)).toBe(true));
  const groups = groupsOf(container).map(rests);
  expect(groups.slice(-4)).toEqual([false, false, false, false]);
  expect(groups.slice(0, -4).every(Boolean)).toBe(true);
});
