// @vitest-environment happy-dom
import { expect, it } from "vitest";
import * as say from "@/lib/trace/fixtures/conversation";
import { EMPTY, push, start } from "@/lib/trace/transcript";
import { SessionStore } from "./session-store";
import { isOnlyText } from "./use-calm";

it("UI02 what stands around a conversation is drawn again for records and states, and not for words", () => {
  const store = new SessionStore({ project: "p", agent: "a", session: "s" }, () => ({ close: () => {} }));
  const base = { ...store.getSnapshot(), transcript: EMPTY };
  const asked = { ...base, transcript: say.of(say.user("q"), say.begin()) };
  const [first, more, , whole] = say.text("one ");
  if (!first || !more || !whole) throw new Error();
  const after = (state: typeof base, message: typeof first) => ({
    ...state,
    transcript: push(state.transcript, { message }),
  });
  const begun = after(asked, first);
  const grown = after(begun, more);
  expect(isOnlyText(begun, grown)).toBe(true);
  expect(isOnlyText(base, asked)).toBe(false);
  const done = push(grown.transcript, { message: whole, address: { file_index: 1, line: 9 } });
  expect(isOnlyText(grown, { ...grown, transcript: done })).toBe(false);
  expect(isOnlyText(grown, { ...grown, run: { state: "running" } })).toBe(false);
  expect(isOnlyText(grown, { ...grown, transcript: start({ records: [] }) })).toBe(false);
});
