import { afterEach, expect, it, vi } from "vitest";
import { ScriptedLlm } from "../engine/testing/script";
import { eventStream, PING_MS } from "./event-stream";
import { AGENT, testServer } from "./testing/host";

afterEach(() => void vi.useRealTimers());

it("SS04 a silent stream says something at least every 25 s, so that no proxy takes it for dead; it may not be held back or packed", async () => {
  const server = await testServer(new ScriptedLlm([]));
  const session = await server.registry.create(AGENT, {}, { id: "ann" });
  vi.useFakeTimers();
  const stop = new AbortController();
  const response = eventStream(session, {
    lastId: null,
    signal: stop.signal,
    allowed: async () => true,
    register: () => () => {},
  });
  expect(response.headers.get("x-accel-buffering")).toBe("no");
  expect(response.headers.get("cache-control")).toContain("no-transform");
  expect(PING_MS).toBeLessThanOrEqual(25_000);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain("event: snapshot");
  for (let i = 0; i < 3; i++) {
    await vi.advanceTimersByTimeAsync(PING_MS);
    expect((await reader?.read())?.value).toMatch(/^:/);
  }
  stop.abort();
  expect((await reader?.read())?.done).toBe(true);
  expect(session.channel.subscribers).toBe(0);
  vi.useRealTimers();
  await server.remove();
});
