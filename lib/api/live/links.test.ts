import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { StreamHub } from "./hub";
import { elected } from "./links";
import type { FromHub, Link } from "./wire";

/** Only what hangs is to end by time. */
const PATIENT = { timeout: 20_000 };

/** Web Locks: one holder, the others wait. */
function locks() {
  const waiting: (() => void)[] = [];
  let held = false;
  const next = () => {
    held = false;
    waiting.shift()?.();
  };
  return {
    request: async (_: string, { signal }: { signal: AbortSignal }, run: () => Promise<void>) => {
      if (held) await new Promise<void>((resolve) => waiting.push(resolve));
      if (signal.aborted) return next();
      held = true;
      await run();
      next();
    },
  };
}

const links: Link[] = [];
beforeEach(() => void vi.stubGlobal("navigator", { locks: locks() }));
afterEach(() => {
  for (const link of links.splice(0)) link.close();
  vi.unstubAllGlobals();
});

/** A window without SharedWorker, and what the server is asked over it. */
function window(asked: string[], name: string) {
  const heard: FromHub[] = [];
  const lost = vi.fn();
  const hub = () =>
    new StreamHub({
      connect: ({ onEvent }) => {
        asked.push(`${name} connects`);
        queueMicrotask(() => onEvent({ sub: "", id: "", event: "hello", data: '{"id":"c"}' }));
        return { close: () => {} };
      },
      change: async (_, { subscribe }) => {
        asked.push(`${name} asks for ${subscribe.map(({ project }) => project)}`);
        return { status: 200, refused: [] };
      },
    });
  const link = elected({ receive: (batch) => void heard.push(...batch), lost }, hub);
  links.push(link);
  const open = (sub: number, project: string) => link.send({ type: "open", sub, target: { project }, last_id: "" });
  return { link, heard, open, lost };
}

it("SS14 without a SharedWorker one window owns the connection of all, and another takes over when it goes", async () => {
  const asked: string[] = [];
  const one = window(asked, "one");
  one.open(1, "p1");
  await vi.waitFor(() => expect(asked).toEqual(["one connects", "one asks for p1"]), PATIENT);
  const two = window(asked, "two");
  two.open(1, "p2");
  await vi.waitFor(() => expect(asked.at(-1)).toBe("one asks for p2"), PATIENT);
  await vi.waitFor(() => expect(two.heard).toContainEqual({ type: "opened", sub: 1 }), PATIENT);
  expect(one.heard).toEqual([{ type: "opened", sub: 1 }]);
  one.link.close();
  await vi.waitFor(() => expect(two.lost).toHaveBeenCalledTimes(1), PATIENT);
  two.open(2, "p2");
  await vi.waitFor(() => expect(asked.slice(-2)).toEqual(["two connects", "two asks for p2"]), PATIENT);
});
