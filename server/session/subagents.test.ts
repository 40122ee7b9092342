import { afterEach, describe, expect, it } from "vitest";
import type { OmniMessage } from "../../lib/omni/message";
import { answer, failing, sequence } from "../engine/testing/script";
import type { Session } from "./session";
import { ann, type FamilyServer, familyServer, settled, spawn } from "./testing/family";
import { idle, Reader, text, until } from "./testing/host";

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

const order = (records: OmniMessage[]) =>
  sequence(records)
    .replaceAll("session_info", "I")
    .replaceAll("subagent", "P")
    .replace(/([CDO])c/g, "$1");
const outputs = (records: OmniMessage[]) =>
  records.flatMap(({ payload }) => (payload.type === "tool_call_output" ? [payload] : []));
const pointers = (records: OmniMessage[]) =>
  records.flatMap(({ payload }) => (payload.type === "subagent" ? [payload.session_id] : []));
const userTexts = (records: OmniMessage[]) =>
  records.flatMap(({ payload }) => (payload.type === "text" && payload.role === "user" ? [payload] : []));
const childOf = async (made: FamilyServer, parent: Session) => {
  await until(() => made.children(parent).length > 0);
  const [child] = made.children(parent);
  if (!child) throw new Error("no child");
  return child;
};

describe("run_subagent", () => {
  it("TR2, FF 6.6: the child is a Session of its own; the parent's Trace holds one pointer and no origin record", async () => {
    const made = await family({
      parent: [answer(spawn("c1", "child do it")), answer({ say: "parent done" }, { usage: 5 })],
      child: [answer({ say: "child answer" }, { usage: 7 })],
    });
    const session = await made.start();
    const reader = new Reader();
    session.subscribe(null, reader);
    await settled(session);
    const records = await made.server.records(session);
    expect(order(records).replace("E(completed) P O1", "P E(completed) O1")).toBe(
      "M I U B C1 D1 P E(completed) O1 B A K E(completed)",
    );
    const child = await childOf(made, session);
    const own = await made.server.records(child);
    expect(order(own)).toBe("M I U B A K E(completed)");
    expect(own[0]?.payload).toMatchObject({
      source: "subagent",
      parent: { agent: "a", session_id: session.ref.session, tool_call_id: "c1" },
      workspace: session.meta.workspace,
      provider: "fake",
      model_id: "m",
      created_by: "ann",
    });
    expect(own[2]?.payload).toMatchObject({ sender: "parent_agent", text: "child do it" });
    expect(own.find(({ payload }) => payload.type === "token_usage")?.payload).toMatchObject({ user: "ann" });
    expect(pointers(records)).toEqual([child.ref.session]);
    expect(records.some(({ origin }) => origin)).toBe(false);
    expect(outputs(records)[0]?.output).toMatch(/^child answer\n\[subagent_id subagent-[0-9a-f]{8}\]$/);
    const forwarded = reader.frames.flatMap((frame) =>
      frame.event === "message" && frame.data.message.origin ? [frame.data] : [],
    );
    expect(forwarded[0]?.message.type).toBe("session_meta");
    expect(forwarded[1]?.message.payload).toMatchObject({ text: "child do it" });
    expect(forwarded.every(({ address, message }) => !address && message.origin?.[0] === child.ref.session)).toBe(true);
    const usage = records.find(({ payload }) => payload.type === "token_usage")?.payload;
    expect(usage).toMatchObject({ session: { total: 5 } });
  });

  it("depth 1: a child is offered no subagent tools, also after a restart", async () => {
    const made = await family({
      parent: [answer(spawn("c1", "child")), answer({ say: "done" })],
      child: [answer({ say: "x" })],
    });
    const session = await made.start();
    await settled(session);
    const child = await childOf(made, session);
    const names = () =>
      made.llm
        .of("child")
        .at(-1)
        ?.tools.map(({ name }) => name);
    expect(made.llm.of("parent")[0]?.tools.map(({ name }) => name)).toContain("run_subagent");
    expect(names()?.filter((name) => name.includes("subagent"))).toEqual([]);
    made.restart();
    const again = await made.server.registry.open(child.ref);
    await again?.submit({ id: "t9", parts: text("more"), author: "ann" }, false);
    await until(() => made.llm.of("child").length === 2 && again?.status === "idle");
    expect(names()?.filter((name) => name.includes("subagent"))).toEqual([]);
  });

  it("refuses half of a model pair, an unknown model and an unknown Agent, and starts nothing", async () => {
    const calls = [
      { provider: "fake" },
      { provider: "gone", model_id: "m" },
      { agent_id: "nobody" },
      { agent_id: "../a" },
    ];
    const made = await family({
      parent: [answer(...calls.map((more, i) => spawn(`c${i}`, "child", more))), answer({ say: "done" })],
    });
    const session = await made.start();
    await settled(session);
    const records = await made.server.records(session);
    expect(outputs(records).map(({ stop_reason }) => stop_reason)).toEqual(["failed", "failed", "failed", "failed"]);
    expect(pointers(records)).toEqual([]);
    expect(made.children(session)).toEqual([]);
  });

  it("limits: the ninth is refused while eight work; an idle one makes room", async () => {
    const nine = Array.from({ length: 9 }, (_, i) => spawn(`c${i}`, `child ${i}`, { run_in_background: true }));
    const made = await family({
      parent: [answer(...nine), answer({ say: "done" }), answer(spawn("again", "quick")), answer({ say: "end" })],
      child: [answer({ hang: "..." })],
      quick: [answer({ say: "quick" })],
    });
    const session = await made.start();
    await idle(session);
    const first = outputs(await made.server.records(session));
    expect(first.filter(({ stop_reason }) => stop_reason === "failed")).toHaveLength(1);
    expect(first.at(-1)?.output ?? "").toBeTruthy();
    expect(session.subagents.running).toHaveLength(8);
    made.children(session)[0]?.abort("ann");
    await until(() => session.subagents.running.length === 7);
    await idle(session);
    const again = outputs(await made.server.records(session)).find(({ tool_call_id }) => tool_call_id === "again");
    expect(again?.output).toContain("quick");
  });
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

describe("together", () => {
  it("Stop of the parent stops its children, also those in the background, and no report follows", async () => {
    const made = await family({
      parent: [answer(spawn("c1", "one", { run_in_background: true }), spawn("c2", "two"))],
      one: [answer({ hang: "" })],
      two: [answer({ hang: "" })],
    });
    const session = await made.start();
    await until(() => session.subagents.running.length === 2);
    expect(session.abort("ann")).toBe(true);
    await settled(session);
    expect(made.children(session).map(({ status }) => status)).toEqual(["idle", "idle"]);
    for (const child of made.children(session)) expect(order(await made.server.records(child))).toMatch(/X$/);
    expect(userTexts(await made.server.records(session))).toHaveLength(1);
  });

  it("a child's question is asked through the parent, decided there, and recorded in the child", async () => {
    const made = await family({
      parent: [answer(spawn("c1", "child")), answer({ say: "done" })],
      child: [
        answer({ call: "write_file", id: "w1", args: JSON.stringify({ file_path: "f.txt", content: "x" }) }),
        answer({ say: "written" }),
      ],
    });
    const session = await made.start("read-only");
    await until(() => session.approvals.pending().length === 1);
    session.approvals.decide(session.approvals.pending()[0]?.id ?? "", "allow", "ann");
    await until(() => session.approvals.pending().length === 1);
    const [asked] = session.approvals.pending();
    const child = await childOf(made, session);
    expect(asked).toMatchObject({ origin: [child.ref.session], tool_call: { name: "write_file" } });
    expect(child.approvals.pending().map(({ id }) => id)).toEqual([asked?.id]);
    expect(session.approvals.decide(asked?.id ?? "", "allow", "bob")).toMatchObject({ first: true });
    expect(session.approvals.decide(asked?.id ?? "", "deny", "ann")).toMatchObject({
      first: false,
      decided: { by: "bob" },
    });
    await settled(session);
    const decided = (await made.server.records(child)).find(({ payload }) => payload.type === "approval_decision");
    expect(decided?.payload).toMatchObject({ decision: "allow", by: "bob", tool_call_id: "w1" });
    expect(session.approvals.pending()).toEqual([]);
  });

  it("the parent's mode holds for its children, also when it changes", async () => {
    const write = { call: "write_file", id: "w1", args: JSON.stringify({ file_path: "f.txt", content: "x" }) };
    const made = await family({
      parent: [answer(spawn("c1", "child")), answer({ say: "done" })],
      child: [answer(write), answer({ say: "written" })],
    });
    const session = await made.start();
    await settled(session);
    const decided = (await made.server.records(await childOf(made, session))).find(
      ({ payload }) => payload.type === "approval_decision",
    );
    expect(decided?.payload).toMatchObject({ by: "mode:allow-all" });
  });

  it("CC05: a message to the parent while a child runs is queued visibly and answered; without queue it is refused", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const made = await family({
      parent: [answer(spawn("c1", "child")), answer({ say: "done" }), answer({ say: "hello to you" })],
      child: [answer({ wait: gate }, { say: "x" })],
    });
    const session = await made.start();
    await childOf(made, session);
    const hello = { id: "t2", parts: text("hello"), author: ann.id };
    await expect(session.submit(hello, false)).rejects.toMatchObject({ code: "task_in_progress" });
    await session.submit(hello, true);
    const reader = new Reader();
    session.subscribe(null, reader);
    expect(reader.queue.items).toMatchObject([{ id: "t2", text: "hello" }]);
    release();
    await until(() => made.llm.of("parent").length === 3 && session.status === "idle");
    expect(userTexts(await made.server.records(session)).map(({ text }) => text)).toEqual(["parent", "hello"]);
    expect(session.queue.items).toEqual([]);
  });

  it("input_subagent goes on with the same conversation and writes no second pointer, also after a restart", async () => {
    const made = await family({
      parent: [answer(spawn("c1", "child")), answer({ say: "done" })],
      child: [answer({ say: "one" }), answer({ say: "two" }), answer({ say: "three" })],
    });
    const session = await made.start();
    await settled(session);
    const id = session.subagents.known()[0] ?? "";
    const found = await session.subagents.find(id);
    expect(await found?.send("go on")).toBeNull();
    await found?.ended;
    made.server.registry.closeAll();
    made.restart();
    const again = await made.server.registry.open(session.ref);
    const child = await again?.subagents.find(id);
    expect(await child?.send("and on")).toBeNull();
    expect(await child?.ended).toMatchObject({ status: "completed" });
    expect(made.llm.of("child")).toHaveLength(3);
    expect(pointers(await made.server.records(session.ref))).toHaveLength(1);
  });

  it("SA02: killed while a child runs: after the restart the parent's call has an output, and both say interrupted", async () => {
    const made = await family({
      parent: [answer(spawn("c1", "child")), answer({ say: "done" })],
      child: [answer({ hang: "half" })],
    });
    const session = await made.start();
    const child = await childOf(made, session);
    await until(() => pointers(session.records.map(({ message }) => message)).length === 1);
    made.restart();
    for (const ref of [session.ref, child.ref]) {
      const reader = new Reader();
      (await made.server.registry.open(ref))?.subscribe(null, reader);
      const snapshot = reader.frames.find(({ event }) => event === "snapshot");
      expect(snapshot).toMatchObject({ data: { state: { state: "idle" }, recovery: { interrupted: true } } });
    }
    const again = await made.server.registry.open(session.ref);
    await again?.submit({ id: "t2", parts: text("what happened?"), author: "ann" }, false);
    await until(() => made.llm.of("parent").length === 2 && again?.status === "idle");
    expect(JSON.stringify(made.llm.of("parent").at(-1)?.history)).toContain("process exited");
    session.closeNow("test over");
    child.closeNow("test over");
  });
});
