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

it("UI02 draws with the next frame, and then no more often than the eye follows", () => {
  const draw = vi.fn();
  const pacer = new Pacer(draw);
  pacer.plan();
  pacer.plan();
  frame();
  expect(draw).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  pacer.plan();
  vi.advanceTimersByTime(48);
  expect(frames).toHaveLength(0);
  vi.advanceTimersByTime(1);
  frame();
  expect(draw).toHaveBeenCalledTimes(2);
});

it("UI02 a page that needs long for its drawing rests twice as long, layout and paint included", () => {
  const draw = vi.fn(() => pacer.begin());
  const pacer: Pacer = new Pacer(draw);
  pacer.plan();
  frame();
  // It is drawn in slices; what comes meanwhile waits for their end.
  pacer.plan();
  vi.advanceTimersByTime(30);
  expect(frames).toHaveLength(0);
  pacer.end();
  // The wait for the frame costs nothing, what the frame does with it does.
  vi.advanceTimersByTime(10);
  frame();
  expect(draw).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(frames).toHaveLength(0);
  vi.advanceTimersByTime(58);
  expect(frames).toHaveLength(0);
  vi.advanceTimersByTime(5);
  frame();
  expect(draw).toHaveBeenCalledTimes(2);
});

it("UI02 who types goes first: it is drawn behind a key's own frame, or once nobody types, and not too late", () => {
  const draw = vi.fn();
  const pacer = new Pacer(draw);
  pacer.attach();
  const type = () => window.dispatchEvent(new KeyboardEvent("keydown", { key: "a" }));
  type();
  vi.advanceTimersByTime(40);
  pacer.plan();
  vi.advanceTimersByTime(50);
  expect(frames).toHaveLength(0);
  type();
  frame();
  // The frame is the key's.
  expect(draw).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(draw).toHaveBeenCalledTimes(1);
  // What comes during the rest waits for a key behind it, or for a pause.
  pacer.plan();
  vi.advanceTimersByTime(20);
  type();
  frame();
  vi.advanceTimersByTime(149);
  expect(draw).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  frame();
  expect(draw).toHaveBeenCalledTimes(2);
  pacer.detach();
});

it("UI02 a drawing that left something is followed sooner than one that drew all there was", () => {
  const restOf = (left: boolean) => {
    let drawn = 0;
    const pacer: Pacer = new Pacer(() => {
      drawn += 1;
      pacer.begin();
      if (left) pacer.plan();
    });
    pacer.plan();
    frame();
    vi.advanceTimersByTime(60);
    if (!left) pacer.plan();
    pacer.end();
    frame();
    vi.advanceTimersByTime(1);
    let rest = 0;
    for (; drawn < 2 && rest < 1_000; rest += 1) {
      vi.advanceTimersByTime(1);
      frame();
    }
    return rest;
  };
  const [brief, whole] = [restOf(true), restOf(false)];
  expect(brief).toBeGreaterThan(50);
  expect(brief).toBeLessThan(70);
  expect(whole).toBeGreaterThan(110);
  expect(whole).toBeLessThan(130);
});

it("a drawing whose end is never told does not stop the next one", () => {
  const draw = vi.fn(() => pacer.begin());
  const pacer: Pacer = new Pacer(draw);
  pacer.plan();
  frame();
  pacer.plan();
  vi.advanceTimersByTime(1_500);
  expect(draw).toHaveBeenCalledTimes(2);
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
