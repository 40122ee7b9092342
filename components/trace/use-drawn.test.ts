// @vitest-environment happy-dom
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useDrawn } from "./use-drawn";

let time = 0;
let waiting: FrameRequestCallback[] = [];
/** The next frame of the browser. */
function frame() {
  time += 16;
  const now = waiting;
  waiting = [];
  for (const callback of now) callback(time);
}

beforeEach(() => {
  time = 0;
  waiting = [];
  vi.stubGlobal("requestAnimationFrame", (callback: FrameRequestCallback) => waiting.push(callback));
  vi.stubGlobal("cancelAnimationFrame", () => {});
  Object.defineProperty(document, "timeline", {
    configurable: true,
    value: {
      get currentTime() {
        return time;
      },
    },
  });
});

afterEach(() => vi.unstubAllGlobals());

const keys = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => String(from + i));

it("a screen of rows is drawn over several frames, whatever makes the list draw itself meanwhile", () => {
  const all = keys(0, 32);
  const { result, rerender } = renderHook((wanted: string[]) => useDrawn(all, wanted).size, { initialProps: all });
  // The frame went into their places.
  expect(result.current).toBe(0);
  time += 16;
  rerender(all);
  expect(result.current).toBe(6);
  // Records that come, and callbacks of the same frame, bring no more of them.
  rerender(all);
  expect(result.current).toBe(6);
  const sizes = [];
  for (let i = 0; i < 6; i++) {
    act(frame);
    sizes.push(result.current);
  }
  expect(sizes).toEqual([12, 18, 24, 30, 32, 32]);
  expect(waiting).toEqual([]);
});

it("while nobody would see them no rows are drawn, and those that are stay; then they follow", () => {
  const all = keys(0, 32);
  const draw = ({ more }: { more: "some" | "none" }) => useDrawn(all, all, more).size;
  const { result, rerender } = renderHook(draw, { initialProps: { more: "some" } });
  time += 16;
  rerender({ more: "some" });
  expect(result.current).toBe(6);
  rerender({ more: "none" });
  for (let i = 0; i < 5; i++) act(frame);
  expect(result.current).toBe(6);
  rerender({ more: "some" });
  for (let i = 0; i < 5; i++) act(frame);
  expect(result.current).toBe(32);
});

it("what is drawn stays while it is in view; a few rows in each frame come at once", () => {
  const { result, rerender } = renderHook((wanted: string[]) => [...useDrawn(wanted, wanted)], {
    initialProps: keys(0, 4),
  });
  for (let at = 4; at < 800; at += 4) {
    time += 16;
    rerender(keys(at - 4, at + 4));
    expect(result.current).toEqual(keys(at - 4, at + 4));
  }
  time += 16;
  rerender(keys(5000, 5020));
  expect(result.current).toEqual(keys(5000, 5001));
});
