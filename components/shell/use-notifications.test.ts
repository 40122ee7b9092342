// @vitest-environment happy-dom
/** Who is told of what: only a person who sees the Project in no window of this browser. */
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { LiveState } from "./conversations";
import { isInSight } from "./in-sight";
import { useNotifications } from "./use-notifications";

/** What browsers do with locks that many may hold. */
class Locks {
  readonly held: { name: string }[] = [];
  async request(name: string, _: object, run: () => Promise<void>) {
    const lock = { name };
    this.held.push(lock);
    await run();
    this.held.splice(this.held.indexOf(lock), 1);
  }
  query = async () => ({ held: [...this.held] });
}

let told: string[];
let locks: Locks;
let visible: "visible" | "hidden";
beforeEach(() => {
  told = [];
  visible = "visible";
  locks = new Locks();
  vi.stubGlobal("navigator", { locks });
  vi.stubGlobal(
    "Notification",
    class {
      static permission = "granted";
      constructor(title: string, { body = "" }: { body?: string } = {}) {
        told.push(`${title}: ${body}`);
      }
    },
  );
  localStorage.setItem("penguin:notify", "on");
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visible);
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function become(state: typeof visible) {
  visible = state;
  await act(async () => void document.dispatchEvent(new Event("visibilitychange")));
}
const states = (approvals: number) => new Map<string, LiveState>([["a/s1", { state: "running", approvals }]]);

/** This window is hidden and hears that a Session asks, again and again. */
async function hidden() {
  const hook = renderHook(({ live }) => useNotifications("p", live, [], () => {}), {
    initialProps: { live: states(0) },
  });
  await become("hidden");
  return async (approvals: number) => {
    hook.rerender({ live: states(approvals) });
    await act(async () => {});
  };
}

it("a hidden window is silent while its Project is in sight in another window, and tells once it is not", async () => {
  const hear = await hidden();
  const other = { name: "penguin-in-sight:p" };
  locks.held.push(other);
  await hear(1);
  expect(told).toEqual([]);
  // Another Project in sight is no reason to be silent.
  other.name = "penguin-in-sight:q";
  await hear(2);
  expect(told).toHaveLength(1);
});

it("a window is in sight as long as it is open and visible", async () => {
  const hook = renderHook(() => useNotifications("p", null, [], () => {}));
  expect([await isInSight("p"), await isInSight("q")]).toEqual([true, false]);
  await become("hidden");
  expect(await isInSight("p")).toBe(false);
  await become("visible");
  expect(await isInSight("p")).toBe(true);
  hook.unmount();
  await act(async () => {});
  expect(locks.held).toEqual([]);
});

it("without locks every window tells for itself", async () => {
  vi.stubGlobal("navigator", {});
  const hear = await hidden();
  await hear(1);
  expect(told).toHaveLength(1);
});
