import { afterEach, expect, it, vi } from "vitest";
import { retryNow, sendMessage } from "./session-actions";
import type { Outgoing } from "./use-outgoing";

const REF = { project: "p", agent: "a", session: "session-2026-11-29-10-00-00-0123abcd" };
const STEERING: Outgoing = {
  text: "mind",
  parts: [{ type: "text", text: "mind" }],
  images: [],
  client_id: "c1",
  mode: "steer",
  staged: {},
};

afterEach(() => vi.unstubAllGlobals());

/** Answers one request after the other; tells what was sent. */
function server(...answers: [status: number, code?: string][]) {
  const sent: { path: string; body: unknown }[] = [];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    sent.push({ path, body: typeof init.body === "string" ? JSON.parse(init.body) : null });
    const [status, code] = answers.shift() ?? [500];
    return Response.json(code ? { error: { code, message: code } } : {}, { status });
  });
  return sent;
}

it("CC08: steering has the key of its content: sent again, or as a Task because that one was over, it is one message", async () => {
  const sent = server([409, "not_running"], [202]);
  expect(await sendMessage(REF, STEERING)).toEqual({ ok: true });
  expect(sent.map(({ body }) => body)).toMatchObject([{ client_id: "c1" }, { client_id: "c1", queue: true }]);
});

it("a second click on Retry now is no failure while the Task goes on", async () => {
  const store = (state: "idle" | "running") => ({ ref: REF, getSnapshot: () => ({ run: { state } }) });
  server([202], [409, "nothing_to_retry"], [409, "nothing_to_retry"], [403, "forbidden"]);
  expect(await retryNow(store("running"))).toBeNull();
  expect(await retryNow(store("running"))).toBeNull();
  expect(await retryNow(store("idle"))).toBe("nothing_to_retry");
  expect(await retryNow(store("running"))).not.toBeNull();
});
