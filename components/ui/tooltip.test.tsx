// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Tooltip } from "./tooltip";

let past = 0;
beforeEach(() => {
  vi.useFakeTimers();
  // The one of the test before was shown long ago.
  past += 60_000;
  vi.advanceTimersByTime(past);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const clicked = vi.fn();
function show() {
  render(
    <>
      <Tooltip text="Copies the answer">
        <button type="button" onClick={clicked}>
          Copy
        </button>
      </Tooltip>
      <Tooltip text="Opens the Trace">
        <a href="/trace">Trace</a>
      </Tooltip>
    </>,
  );
  return { copy: screen.getByRole("button"), trace: screen.getByRole("link") };
}
const shown = () => screen.queryAllByRole("tooltip").map((tip) => tip.textContent);
const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

it("explains on focus at once, describes its element meanwhile, and Escape or the next focus ends it", () => {
  const { copy, trace } = show();
  expect(copy.getAttribute("aria-describedby")).toBeNull();
  act(() => copy.focus());
  expect(shown()).toEqual(["Copies the answer"]);
  expect(copy.getAttribute("aria-describedby")).toBe(screen.getByRole("tooltip").id);
  act(() => trace.focus());
  expect(shown()).toEqual(["Opens the Trace"]);
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(shown()).toEqual([]);
  expect(trace.getAttribute("aria-describedby")).toBeNull();
});

it("explains after the pointer rests, stays while it is on the explanation, and the next one needs no rest", () => {
  const { copy, trace } = show();
  fireEvent.pointerEnter(copy, { pointerType: "mouse" });
  wait(300);
  expect(shown()).toEqual([]);
  wait(200);
  expect(shown()).toEqual(["Copies the answer"]);
  fireEvent.pointerLeave(copy);
  fireEvent.pointerEnter(screen.getByRole("tooltip"));
  wait(1_000);
  expect(shown()).toEqual(["Copies the answer"]);
  fireEvent.pointerLeave(screen.getByRole("tooltip"));
  fireEvent.pointerEnter(trace, { pointerType: "mouse" });
  wait(1);
  expect(shown()).toEqual(["Opens the Trace"]);
});

it("a press ends it and does what the element is for; a touch explains nothing", () => {
  const { copy } = show();
  fireEvent.pointerEnter(copy, { pointerType: "touch" });
  wait(1_000);
  expect(shown()).toEqual([]);
  fireEvent.pointerEnter(copy, { pointerType: "mouse" });
  wait(500);
  fireEvent.pointerDown(copy);
  act(() => copy.focus());
  fireEvent.click(copy);
  expect(clicked).toHaveBeenCalledTimes(1);
  expect(shown()).toEqual([]);
});
