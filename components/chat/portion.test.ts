import fc from "fast-check";
import { expect, it } from "vitest";
import type { Frame } from "@/lib/api/frames";
import * as say from "@/lib/trace/fixtures/conversation";
import { portion } from "./portion";

const frames = (...texts: string[]): Frame[] =>
  say.text(...texts).map((message) => ({ event: "message", data: { message } }));
const idle: Frame = { event: "state", data: { state: "idle" } };

it("UI02 what usually comes between two drawings is drawn at once, whatever else is among it", () => {
  const some = [...frames("a few words ", "and a few more"), idle];
  expect(portion(some)).toBe(some.length);
  expect(portion([])).toBe(0);
});

it("UI02 of more text a drawing takes 1,000 characters, of very much a third", () => {
  const words = (count: number) => frames(...Array.from({ length: count }, () => "x".repeat(100)));
  const drawn = (list: Frame[]) => JSON.stringify(list.slice(0, portion(list))).match(/x{100}/g)?.length;
  expect(drawn(words(25))).toBe(10);
  expect(drawn(words(300))).toBe(100);
});

it("UI02 every drawing takes something, and in the end all", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 60 }), (sizes) => {
      const all = [...frames(...sizes.map((size) => "x".repeat(size))), idle];
      let left = all;
      for (let turns = 0; left.length > 0; turns++) {
        const count = portion(left);
        expect(count).toBeGreaterThan(0);
        expect(turns).toBeLessThan(all.length);
        left = left.slice(count);
      }
    }),
  );
});
