// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Frame, SnapshotFrame } from "@/lib/api/frames";
import type { OmniMessage } from "@/lib/omni/message";
import * as say from "@/lib/trace/fixtures/conversation";
import type { OpenStream, StreamHandlers } from "./event-stream";
import { SessionStore } from "./session-store";

const prior = {
  more: false,
  tokens: { cache_read: 0, cache_write: 0, output: 0, total: 0 },
  context: 0,
  elapsed_ms: 0,
  tasks: 0,
};
const snapshot = (messages: (OmniMessage | OmniMessage[])[], more: Partial<SnapshotFrame> = {}): Frame => ({
  event: "snapshot",
  data: {
    records: say.addressed(messages.flat()).filter(say.isRecord),
    open: [],
    state: { state: "idle" },
    queue: { items: [] },
    approvals: [],
    prior,
    ...more,
  },
});

function setup(opening?: Promise<string | null>) {
  const streams: { lastId: string; handlers: StreamHandlers; closed: boolean }[] = [];
  const open: OpenStream = (_, lastId, handlers) => {
    const stream = { lastId, handlers, closed: false };
    streams.push(stream);
    return { close: () => (stream.closed = true) };
  };
  const store = new SessionStore({ project: "p", agent: "a", session: "s" }, open, opening);
  const heard = vi.fn();
  const stop = store.subscribe(heard);
  const last = () =>
    streams.at(-1) ?? { lastId: "", handlers: { onOpen() {}, onEvent() {}, onEnd() {} }, closed: true };
  const event = (id: string, frame: Frame) => {
    last().handlers.onEvent({ id, frame });
    vi.advanceTimersByTime(60);
  };
  return { store, streams, last, event, heard, stop };
}
const hide = (hidden: boolean) => {
  Object.defineProperty(document, "visibilityState", {
    configurable: true,
    get: () => (hidden ? "hidden" : "visible"),
  });
  document.dispatchEvent(new Event("visibilitychange"));
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => setTimeout(run, 16));
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
});
afterEach(() => {
  hide(false);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("session store", () => {
  it("tells its listeners once per animation frame, however many fragments came", () => {
    const { store, last, event, heard } = setup();
    event("e-1", snapshot([say.user("q"), say.begin()], { state: { state: "running" } }));
    heard.mockClear();
    say.text("a", "b", "c", "d").forEach((message, i) => {
      last().handlers.onEvent({ id: `e-${i + 2}`, frame: { event: "message", data: { message } } });
    });
    expect(heard).not.toHaveBeenCalled();
    vi.advanceTimersByTime(60);
    expect(heard).toHaveBeenCalledTimes(1);
    expect(store.getSnapshot().run.state).toBe("running");
  });

  it("UI02, CH1 draws a heap in portions, and whole when the connection ends", () => {
    const { store, last, event, stop } = setup();
    event("e-1", snapshot([say.user("q"), say.begin()], { state: { state: "running" } }));
    const pieces = Array.from({ length: 40 }, (_, i) => `${i} ${"x".repeat(200)} `);
    const partial = say.text(...pieces).slice(0, -1);
    partial.forEach((message, i) => {
      last().handlers.onEvent({ id: `e-${i + 2}`, frame: { event: "message", data: { message } } });
    });
    const shown = () => JSON.stringify(store.getSnapshot().transcript).match(/x{200}/g)?.length ?? 0;
    vi.advanceTimersByTime(60);
    expect(shown()).toBeGreaterThan(0);
    expect(shown()).toBeLessThan(30);
    last().handlers.onEnd(0);
    expect(shown()).toBe(40);
    stop();
  });

  it("CH1 shows what came with the page, and the stream goes on behind it; a page that comes back asks anew", async () => {
    const { data } = snapshot([say.user("q")], { state: { state: "running" } });
    const opening = Promise.resolve(JSON.stringify({ id: "e-7", snapshot: data }));
    const { store, streams, last, event, stop } = setup(opening);
    expect(streams).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(store.getSnapshot()).toMatchObject({ loaded: true, run: { state: "running" } });
    expect(last().lastId).toBe("e-7");
    last().handlers.onOpen();
    event("e-8", { event: "state", data: { state: "idle" } });
    expect(store.getSnapshot()).toMatchObject({ connection: "live", run: { state: "idle" } });
    stop();
    const again = setup(opening);
    expect(again.last().lastId).toBe("");
    expect(again.store.getSnapshot().loaded).toBe(false);
  });

  it.each([() => Promise.resolve(null), () => Promise.reject(new Error("cut off"))])(
    "without an opening (%#) the stream tells everything",
    async (opening) => {
      const { streams } = setup(opening());
      await vi.advanceTimersByTimeAsync(0);
      expect(streams.map(({ lastId }) => lastId)).toEqual([""]);
    },
  );

  it("SS05 connects again after a break, names the last event, and goes on in the same text", () => {
    const { store, streams, last, event } = setup();
    event("e-1", snapshot([say.user("q"), say.begin()], { state: { state: "running" } }));
    const pieces = say.text("one ", "two");
    for (const message of pieces.slice(0, 2)) event("e-2", { event: "message", data: { message } });
    last().handlers.onEnd(0);
    expect(store.getSnapshot()).toMatchObject({ connection: "reconnecting", loaded: true });
    vi.advanceTimersByTime(1_000);
    expect(streams).toHaveLength(2);
    expect(last().lastId).toBe("e-2");
    last().handlers.onOpen();
    event("e-3", { event: "message", data: { message: pieces[2] ?? say.begin() } });
    expect(store.getSnapshot().transcript.tasks[0]?.open).toMatchObject([{ text: "one two" }]);
    expect(store.getSnapshot().connection).toBe("live");
  });

  it("CH2 takes a fresh snapshot, keeps the older records it meets, and says that the server restarted", () => {
    const all = [
      say.user("a"),
      say.begin(),
      say.text("x"),
      say.end(),
      say.user("b"),
      say.begin(),
      say.text("y"),
      say.end(),
    ].flat();
    const { store, event } = setup();
    event("e-1", snapshot(all, { state: { state: "running" } }));
    const late = snapshot(all);
    if (late.event !== "snapshot") throw new Error();
    event("f-1", {
      event: "snapshot",
      data: { ...late.data, records: late.data.records.slice(4), prior: { ...prior, more: true } },
    });
    const { transcript, restarted } = store.getSnapshot();
    expect(restarted).toBe(true);
    expect(transcript.tasks).toHaveLength(2);
    expect(transcript.more).toBe(false);
  });

  it.each([
    [401, "signed_out"],
    [404, "gone"],
  ])("stops at %i and says so", (status, connection) => {
    const { store, streams, last } = setup();
    last().handlers.onEnd(status);
    vi.advanceTimersByTime(60_000);
    expect(store.getSnapshot().connection).toBe(connection);
    expect(streams).toHaveLength(1);
  });

  it("SS14 gives the connection of a hidden page back, and takes one when it is shown", () => {
    const { store, streams, last } = setup();
    hide(true);
    vi.advanceTimersByTime(3_000);
    expect(last().closed).toBe(false);
    vi.advanceTimersByTime(3_000);
    expect(last().closed).toBe(true);
    expect(store.getSnapshot().connection).toBe("paused");
    hide(false);
    expect(streams).toHaveLength(2);
  });

  it("AP01 an approval that ended elsewhere goes away", () => {
    const { store, event } = setup();
    const tool_call = {
      type: "tool_call" as const,
      role: "assistant" as const,
      name: "x",
      arguments: "{}",
      tool_call_id: "c1",
    };
    event("e-1", snapshot([], { approvals: [{ id: "ap1", tool_call, since: "" }] }));
    event("e-2", { event: "approval", data: { id: "ap1", decision: "deny", by: "ben" } });
    expect(store.getSnapshot()).toMatchObject({ approvals: [], decided: { ap1: { by: "ben" } } });
  });

  it("closes with the last listener", () => {
    const { last, stop } = setup();
    stop();
    expect(last().closed).toBe(true);
  });
});
