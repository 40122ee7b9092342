import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { WORDS } from "./areas";
import { errorWords } from "./errors";

const HAN = "\\u4e00-\\u9fff";

it("every word of the interface is there in both languages, with the same placeholders", () => {
  expect(readdirSync("lib/i18n").length).toBeGreaterThan(5);
  for (const [key, [english, chinese]] of Object.entries(WORDS)) {
    const names = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
    expect(chinese, key).not.toBe("");
    expect([key, names(chinese)]).toEqual([key, names(english)]);
  }
});

it("Chinese is set as Chinese: with its own commas, colons and marks", () => {
  const all = [...Object.entries(WORDS).map(([key, [, chinese]]) => [key, chinese]), ...Object.entries(errorWords)];
  const wrong = all.filter(([, chinese = ""]) => new RegExp(`[${HAN}][,;:?!]|[,;][${HAN}]`).test(chinese));
  expect(wrong).toEqual([]);
});
