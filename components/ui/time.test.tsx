// @vitest-environment happy-dom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Time } from "./time";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-30T12:00:00Z") });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it("times go on by themselves, all by one clock, which stops with the last of them", () => {
  const before = vi.getTimerCount();
  const { rerender, unmount } = render(
    <>
      <Time at="2026-11-30T11:57:00Z" />
      <Time at="2026-11-30T11:00:00Z" />
    </>,
  );
  expect(screen.getAllByRole("time").map((one) => one.textContent)).toEqual(["3 min. ago", "1 hr. ago"]);
  expect(vi.getTimerCount()).toBe(before + 1);
  act(() => void vi.advanceTimersByTime(120_000));
  // One that comes between two ticks is not in the future.
  vi.advanceTimersByTime(10_000);
  rerender(
    <>
      <Time at="2026-11-30T11:57:00Z" />
      <Time at="2026-11-30T12:02:10Z" />
    </>,
  );
  expect(screen.getAllByRole("time").map((one) => one.textContent)).toEqual(["5 min. ago", "now"]);
  unmount();
  expect(vi.getTimerCount()).toBe(before);
});
