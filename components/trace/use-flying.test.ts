// @vitest-environment happy-dom
import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useFlying } from "./use-flying";

const HEIGHT = 700;
let time = 0;
beforeEach(() => {
  time = 0;
  vi.spyOn(performance, "now").mockImplementation(() => time);
});
afterEach(() => vi.restoreAllMocks());

/** A list that is drawn again with each frame; answers whether it flies in each of them. */
function scroll(steps: { by: number; frames: number; rest?: boolean }[]): boolean[][] {
  const list = { scrollOffset: 0, scrollRect: { width: 1000, height: HEIGHT }, isScrolling: false };
  const { result, rerender } = renderHook(() => useFlying(list));
  return steps.map(({ by, frames, rest = false }) =>
    Array.from({ length: frames }, () => {
      time += 16;
      list.scrollOffset += by;
      list.isScrolling = !rest;
      rerender();
      return result.current;
    }),
  );
}

it("a bar that is dragged flies after a moment, and no longer once it is slow or rests", () => {
  const [dragged, slow, rests, again] = scroll([
    { by: 300, frames: 60 },
    { by: 40, frames: 30 },
    { by: 0, frames: 1, rest: true },
    { by: 40, frames: 10 },
  ]);
  expect(dragged?.slice(0, 5)).toEqual([false, false, false, false, false]);
  expect(dragged?.slice(8)).not.toContain(false);
  expect(slow?.slice(10)).not.toContain(true);
  expect([...(rests ?? []), ...(again ?? [])]).not.toContain(true);
});

it("a wheel does not fly, and a jump does not either, however far and after however long a rest", () => {
  expect(scroll([{ by: 100, frames: 60 }]).flat()).not.toContain(true);
  time = 60_000;
  const jumps = scroll([
    { by: 500_000, frames: 1 },
    { by: 0, frames: 10, rest: true },
    { by: -500_000, frames: 1 },
  ]);
  expect(jumps.flat()).not.toContain(true);
});
