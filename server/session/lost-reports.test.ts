/** FF 6.6: reports of work in the background that an earlier process did not come to give. */
import { afterEach, describe, expect, it } from "vitest";
import { readBackgroundTaskDone } from "../../lib/omni/blocks";
import { answer, historyProblem } from "../engine/testing/script";
import { childOf, type FamilyServer, familyServer, spawn } from "./testing/family";
import { idle, text, until } from "./testing/host";

const open: FamilyServer[] = [];
async function family(...given: Parameters<typeof familyServer>): Promise<FamilyServer> {
  const made = await familyServer(...given);
  open.push(made);
  return made;
}
afterEach(async () => {
  for (const { server } of open.splice(0)) {
    server.registry.closeAll();
    await server.remove();
  }
});

const exec = (id: string, cmd: string) => ({
  call: "exec_command",
  id,
  args: JSON.stringify({ description: "d", cmd, run_in_background: true }),
});

/** The same Session in a new process. */
async function restarted(made: FamilyServer, ref: Parameters<FamilyServer["server"]["registry"]["open"]>[0]) {
  made.restart();
  const again = await made.server.registry.open(ref);
  if (!again) throw new Error("not found");
  return again;
}
/** What the model is told about work in the background in its last Request. */
const told = (made: FamilyServer, request = made.llm.of("parent").at(-1)) =>
  (request?.history ?? []).flatMap((payload) => {
    const done = payload.type === "text" ? readBackgroundTaskDone(payload.text) : null;
    return done ? [done] : [];
  });

describe("reports lost by a restart", () => {
  it("a command: told once, ahead of the next prompt; opening writes nothing and starts nothing", async () => {
    const made = await family({
      parent: [answer(exec("c1", "sleep 300")), answer({ say: "started" }), answer({ say: "noted" })],
    });
    const session = await made.start();
    await until(() => made.llm.of("parent").length === 2 && session.status === "idle");
    const first = made.server.registry;
    const before = await made.server.raw(session);
    let again = await restarted(made, session.ref);
    expect(again.status).toBe("idle");
    expect(await made.server.raw(session)).toBe(before);
    expect(again.evictable).toBe(true);
    for (const id of ["t2", "t3"]) {
      again = await restarted(made, session.ref);
      await again.submit({ id, parts: text(id), author: "ann" }, false);
      await idle(again);
      expect(told(made)).toMatchObject([
        { kind: "command", status: "failed", detail: expect.stringContaining("anew") },
      ]);
    }
    const last = made.llm.of("parent").at(-1)?.history ?? [];
    expect(historyProblem(last)).toBe("");
    first.closeAll();
  });

  it("a command that was started before a compaction: told in the context that follows", async () => {
    const made = await family({
      parent: [
        answer(exec("c1", "sleep 300")),
        answer({ say: "started" }),
        answer({ say: "[summary]a command runs[/summary]" }),
      ],
    });
    const session = await made.start();
    await until(() => made.llm.of("parent").length === 2 && session.status === "idle");
    await session.compact("ann");
    await idle(session);
    const first = made.server.registry;
    const again = await restarted(made, session.ref);
    await again.submit({ id: "t2", parts: text("t2"), author: "ann" }, false);
    await idle(again);
    expect(again.records[0]?.address.file_index).toBe(2);
    const last = () => told(made, made.llm.requests.at(-1)?.request);
    expect(last()).toMatchObject([{ kind: "command", status: "failed", detail: expect.stringContaining("anew") }]);
    const later = await restarted(made, session.ref);
    await later.submit({ id: "t3", parts: text("t3"), author: "ann" }, false);
    await idle(later);
    expect(last()).toHaveLength(1);
    first.closeAll();
  });

  it("a subagent that was compacted behind its answer: its words are the answer, not the summary", async () => {
    const made = await family({
      parent: [
        answer(spawn("c1", "quick work", { run_in_background: true })),
        answer({ hang: "waiting" }),
        answer({ say: "noted" }),
      ],
      "quick work": [
        answer({ say: "the result" }, { usage: 2_000 }),
        answer({ say: "[summary]what was done[/summary]" }),
      ],
    });
    made.server.config += "compaction: { max_context_length: 2000, mode: summarize, prompt: sum up }\n";
    const session = await made.start();
    const child = await childOf(made, session);
    await until(
      () => made.llm.of("parent").length === 2 && child.records.at(-1)?.message.payload.type === "compaction_end",
    );
    const first = made.server.registry;
    const again = await restarted(made, session.ref);
    await again.submit({ id: "t2", parts: text("t2"), author: "ann" }, false);
    await idle(again);
    expect(told(made)).toMatchObject([{ kind: "subagent", status: "completed", rest: "the result" }]);
    first.closeAll();
  });

  it("a subagent: one that was done is told with its words, one that was not can be continued", async () => {
    const made = await family({
      parent: [
        answer(
          spawn("c1", "quick work", { run_in_background: true }),
          spawn("c2", "endless work", { run_in_background: true }),
        ),
        answer({ hang: "waiting" }),
        answer({ say: "noted" }),
      ],
      "quick work": [answer({ say: "the result" })],
      "endless work": [answer({ hang: "at it" })],
    });
    const session = await made.start();
    await childOf(made, session);
    await until(() => made.llm.of("parent").length === 2 && session.subagents.running.length === 1);
    const first = made.server.registry;
    const again = await restarted(made, session.ref);
    await again.submit({ id: "t2", parts: text("t2"), author: "ann" }, false);
    await idle(again);
    expect(told(made)).toMatchObject([
      { kind: "subagent", status: "completed", rest: "the result" },
      { kind: "subagent", status: "stopped", detail: expect.stringContaining("input_subagent") },
    ]);
    first.closeAll();
  });
});
