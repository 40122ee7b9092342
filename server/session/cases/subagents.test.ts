/** Case SA04 for failures that are tried again: the parent is told what its child ran into. */
import { afterEach, expect, it } from "vitest";
import { answer, failing } from "../../engine/testing/script";
import { childOf, type FamilyServer, familyServer, outputs, pointers, spawn } from "../testing/family";
import { Reader } from "../testing/host";

let made: FamilyServer | null = null;
afterEach(async () => {
  made?.server.registry.closeAll();
  await made?.server.remove();
});

it.each(["429 rate limit reached", "insufficient_quota: quota exceeded"])(
  "SA04 %s, on every attempt of the child: the output says error and reason, the child is linked",
  async (message) => {
    made = await familyServer({
      parent: [answer(spawn("c1", "child")), answer({ say: "done" })],
      child: [failing("timeout", { error_message: message })],
    });
    const session = await made.start();
    const child = await childOf(made, session);
    const reader = new Reader();
    child.subscribe(null, reader);
    while (session.status !== "idle") {
      // The waits between the attempts are skipped.
      if (reader.state.retry) await child.retry("ann").catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const records = await made.server.records(session);
    expect(made.llm.of("child")).toHaveLength(6);
    expect(outputs(records)).toHaveLength(1);
    expect(outputs(records)[0]).toMatchObject({ stop_reason: "failed", output: expect.stringContaining(message) });
    expect(pointers(records)).toEqual([child.ref.session]);
  },
);
