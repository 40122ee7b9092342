// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { begin, end, of, usage, user } from "@/lib/trace/fixtures/conversation";
import type { Transcript } from "@/lib/trace/transcript-items";
import { ContextMeter } from "./conversation-header";

afterEach(cleanup);
const shownOf = (transcript: Transcript, window?: number) =>
  render(<ContextMeter transcript={transcript} window={window} />).container.textContent;

it("UC13 the meter shows full when the provider says so, whatever it showed before and whatever the window is", () => {
  const before = [user("a"), begin(), usage(62), end()];
  expect(shownOf(of(...before), 400)).toMatch(/^62/);
  const over = of(...before, user("b"), begin(), end("failed", { refused: true, context_too_long: true }));
  expect(shownOf(over, 400)).toMatch(/^100.*The provider found the last request too long/);
  expect(shownOf(over)).toMatch(/^100/);
});
