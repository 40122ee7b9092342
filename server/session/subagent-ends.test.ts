/** Whatever becomes of a subagent, its parent gets one terminal result. */
import { afterEach, describe, expect, it } from "vitest";
import { answer, failing } from "../engine/testing/script";
import type { Session } from "./session";
import {
  childOf,
  type FamilyServer,
  familyServer,
  order,
  outputs,
  pointers,
  settled,
  spawn,
  userTexts,
} from "./testing/family";
import { idle, until } from "./testing/host";

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

describe("terminal results", () => {
  it("SA01: three children, one hangs: it is stopped alone, the parent goes on with all three results", async () => {
    const made = await family({
      parent: [answer(spawn("c1", "one"), spawn("c2", "two"), spawn("c3", "hang")), answer({ say: "done" })],
      one: [answer({ say: "first result" })],
      two: [answer({ say: "second result" })],
      hang: [answer({ hang: "half" })],
    });
    const session = await made.start();
    const hanging = () =>
      made
        .children(session)
        .find(({ records }) => userTexts(records.map(({ message }) => message))[0]?.text === "hang");
    await until(() => hanging() !== undefined && session.subagents.running.length === 1);
    hanging()?.abort("ann");
    await settled(session);
    const records = await made.server.records(session);
    expect(
      outputs(records)
        .map(({ output }) => output)
        .join("\n"),
    ).toMatch(/first result[\s\S]*second result/);
    const stopped = outputs(records).find(({ tool_call_id }) => tool_call_id === "c3");
    expect(stopped).toMatchObject({ stop_reason: "failed" });
    expect(stopped?.output).toContain("stopped by ann");
    expect(pointers(records)).toHaveLength(3);
  });

  it("SA01, SA07: the waiting time is over: the parent is told so and goes on; the late result comes as a report", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const made = await family({
      parent: [
        answer(spawn("c1", "slow", { yield_time_ms: 250 })),
        answer({ say: "I go on" }),
        answer({ say: "thanks" }),
      ],
      slow: [answer({ wait: gate }, { say: "late result" })],
    });
    const session = await made.start();
    await idle(session);
    const [output] = outputs(await made.server.records(session));
    expect(output?.output).toContain("timed out after 250 ms of waiting");
    expect(output?.stop_reason).toBe("completed");
    release();
    await until(() => made.llm.of("parent").length === 3 && session.status === "idle");
    const records = await made.server.records(session);
    const report = userTexts(records).at(-1);
    expect(report).toMatchObject({ sender: "harness" });
    expect(report?.text).toMatch(
      /^\[background_task_done\]\nkind: subagent\nid: subagent-[0-9a-f]{8}\nstatus: completed/,
    );
    expect(report?.text).toContain("late result");
    expect(order(records)).toMatch(/U B A E\(completed\)$/);
  });

  it("SA01: a child that never ends is stopped when its time is over, and reported", async () => {
    const made = await family({
      parent: [
        answer(spawn("c1", "hang", { run_in_background: true })),
        answer({ say: "done" }),
        answer({ say: "noted" }),
      ],
      hang: [answer({ hang: "half" })],
    });
    made.server.host.childLimitMs = 300;
    const session = await made.start();
    await until(() => made.llm.of("parent").length === 3 && session.status === "idle");
    expect(session.subagents.running).toEqual([]);
    const [report] = userTexts(await made.server.records(session)).filter(({ text }) =>
      String(text).startsWith("[background"),
    );
    expect(report?.text).toMatch(/status: stopped\ndetail: .*did not finish within 0 minutes/);
  });

  it("SA04: a child that runs into its quota: the output says so, and the child is linked", async () => {
    const message = "429 insufficient_quota: you exceeded your current quota";
    const made = await family({
      parent: [answer(spawn("c1", "child")), answer({ say: "done" })],
      child: [failing("auth", { error_message: message })],
    });
    const session = await made.start();
    await settled(session);
    const records = await made.server.records(session);
    expect(outputs(records)[0]).toMatchObject({ stop_reason: "failed" });
    expect(outputs(records)[0]?.output).toContain(message);
    expect(pointers(records)).toEqual([(await childOf(made, session)).ref.session]);
  });

  it.each(["stop", "delete"] as const)(
    "SA05: %s of the child from outside gives the parent one terminal result",
    async (how) => {
      const made = await family({
        parent: [answer(spawn("c1", "child")), answer({ say: "done" })],
        child: [answer({ hang: "half" })],
      });
      const session = await made.start();
      const child = await childOf(made, session);
      await until(() => child.records.some(({ message }) => message.payload.type === "request_begin"));
      if (how === "stop") child.abort("bob");
      else await made.server.registry.remove(child.ref, "bob");
      await settled(session);
      const records = await made.server.records(session);
      expect(outputs(records)).toHaveLength(1);
      expect(outputs(records)[0]?.output).toContain(how === "stop" ? "stopped by bob" : "session deleted");
      expect(outputs(records)[0]?.stop_reason).toBe("failed");
      expect(order(records)).toMatch(/O\S* B A E\(completed\)$/);
    },
  );

  it("SA05: a background child that is stopped from its own page is reported once; one that the parent kills is not", async () => {
    const id = (session: Session) => `subagent-${session.ref.session.slice(-8)}`;
    const made = await family({
      parent: [
        answer(spawn("c1", "one", { run_in_background: true }), spawn("c2", "two", { run_in_background: true })),
        answer({ say: "waiting" }),
      ],
      one: [answer({ hang: "" })],
      two: [answer({ hang: "" })],
    });
    const session = await made.start();
    await until(() => session.status === "idle" && session.subagents.running.length === 2);
    const [one, two] = made.children(session);
    if (!one || !two) throw new Error("no children");
    await (await session.subagents.find(id(two)))?.kill();
    one.abort("bob");
    await settled(session);
    await until(() => userTexts(session.records.map(({ message }) => message)).length === 2);
    await settled(session);
    const reports = userTexts(await made.server.records(session)).slice(1);
    expect(reports).toHaveLength(1);
    expect(reports[0]?.text).toContain(id(one));
    expect(reports[0]?.text).toContain("stopped by bob");
  });

  it("SA08: a child ends after its parent's Task, with no browser open: the parent is told and goes on", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const made = await family({
      parent: [
        answer(spawn("c1", "child", { run_in_background: true })),
        answer({ say: "ok" }),
        answer({ say: "noted" }),
      ],
      child: [answer({ wait: gate }, { say: "x".repeat(9_000) })],
    });
    const session = await made.start();
    await idle(session);
    expect(session.channel.subscribers).toBe(0);
    expect(session.evictable).toBe(false);
    release();
    await until(() => made.llm.of("parent").length === 3 && session.status === "idle");
    const report = String(userTexts(await made.server.records(session)).at(-1)?.text);
    expect(report.replace(/\[background_task_done\][\s\S]*\[\/background_task_done\]\s*/, "")).toBe("x".repeat(4_000));
  });

  it("a report that comes while a Task runs is delivered with its next input, and opens no Task", async () => {
    let release = () => {};
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const parentWaits = new Promise<void>((resolve) => {
      go = resolve;
    });
    const made = await family({
      parent: [
        answer(spawn("c1", "child", { run_in_background: true })),
        answer({ wait: parentWaits }, { say: "first" }),
        answer({ say: "noted" }),
      ],
      child: [answer({ wait: gate }, { say: "result" })],
    });
    const session = await made.start();
    await until(() => made.llm.of("parent").length === 2);
    release();
    await until(() => session.subagents.running.length === 0);
    go();
    await until(() => made.llm.of("parent").length === 3 && session.status === "idle");
    const last = made.llm.of("parent").at(-1)?.history.at(-1);
    expect(last).toMatchObject({ type: "text", sender: "harness" });
    expect(session.queue.items).toEqual([]);
  });
});
