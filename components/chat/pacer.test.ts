// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Pacer } from "./pacer";

let frames: ((now: number) => void)[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  vi.stubGlobal("requestAnimationFrame", (run: (now: number) => void) => frames.push(run));
  vi.stubGlobal("cancelAnimationFrame", (id: number) => {
    if (id <= frames.length) frames.splice(id - 1, 1, () => {});
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const frame = () => {
  for (const run of frames.splice(0)) run(performance.now());
};

it("UI02 draws once per frame; who types, and a page that is busy, get their time first", () => {
  const draw = vi.fn();
  const pacer = new Pacer(draw);
  pacer.attach();
  pacer.plan();
  pacer.plan();
  frame();
  expect(draw).toHaveBeenCalledTimes(1);
  // The frame took 100 ms: the next one is left alone as long.
  vi.advanceTimersByTime(100);
  frame();
  pacer.plan();
  expect(frames).toHaveLength(0);
  vi.advanceTimersByTime(99);
  expect(frames).toHaveLength(0);
  window.dispatchEvent(new KeyboardEvent("keydown", { key: "a" }));
  vi.advanceTimersByTime(59);
  expect(frames).toHaveLength(0);
  vi.advanceTimersByTime(2);
  frame();
  expect(draw).toHaveBeenCalledTimes(2);
  pacer.detach();
});

it("what is drawn in slices is drawn to its end first, and a page that needed long for it gets as much rest", () => {
  const draw = vi.fn(() => pacer.begin());
  const pacer: Pacer = new Pacer(draw);
  pacer.plan();
  frame();
  pacer.plan();
  expect(frames).toHaveLength(0);
  vi.advanceTimersByTime(10);
  pacer.end();
  // One to see how long it took, one to draw again.
  expect(frames).toHaveLength(2);
  frame();
  expect(draw).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(80);
  pacer.end();
  frame();
  pacer.plan();
  vi.advanceTimersByTime(79);
  expect(frames).toHaveLength(0);
  vi.advanceTimersByTime(1);
  frame();
  expect(draw).toHaveBeenCalledTimes(3);
  // Should the end never come, it goes on all the same.
  pacer.plan();
  vi.advanceTimersByTime(250);
  expect(draw).toHaveBeenCalledTimes(4);
});

it("draws without a frame too: a window that others cover gets none", () => {
  const draw = vi.fn();
  new Pacer(draw).plan();
  vi.advanceTimersByTime(249);
  expect(draw).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(draw).toHaveBeenCalledTimes(1);
  frame();
  expect(draw).toHaveBeenCalledTimes(1);
});
