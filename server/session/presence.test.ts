import { expect, it, vi } from "vitest";
import { Presence, type Present } from "./presence";

const ann = { id: "ann", name: "Ann" };
const bob = { id: "bob", name: "Bob" };

it("tells everybody in a room who is in it, a person once, and nobody in another room", () => {
  vi.useFakeTimers();
  const presence = new Presence();
  const heard: Record<string, string[]> = {};
  const tell = (who: string) => (people: readonly Present[]) => {
    heard[who] = people.map(({ id }) => id);
  };
  presence.join("a", ann, tell("ann"));
  const second = presence.join("a", ann, tell("ann2"));
  const leave = presence.join("a", bob, tell("bob"));
  presence.join("b", bob, tell("elsewhere"));
  vi.runAllTimers();
  expect(heard).toEqual({ ann: ["ann", "bob"], ann2: ["ann", "bob"], bob: ["ann", "bob"], elsewhere: ["bob"] });
  second();
  vi.runAllTimers();
  expect(heard.bob).toEqual(["ann", "bob"]);
  leave();
  leave();
  vi.runAllTimers();
  expect(heard.ann).toEqual(["ann"]);
  expect(presence.people("nowhere")).toEqual([]);
  vi.useRealTimers();
});
