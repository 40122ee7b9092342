import { existsSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { event } from "../../lib/omni/build";
import { answer } from "../engine/testing/script";
import { listSessions, projectStatus } from "./list";
import {
  ann,
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
import { AGENT, idle, Reader, text, until } from "./testing/host";

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

  it("deleting a conversation deletes those of its subagents, and its temporary Workspace", async () => {
    const made = await family({
      parent: [answer(spawn("c1", "one", { run_in_background: true }), spawn("c2", "two")), answer({ say: "done" })],
      one: [answer({ hang: "" })],
      two: [answer({ say: "x" })],
    });
    const session = await made.start();
    await idle(session);
    const refs = [session.ref, ...made.children(session).map(({ ref }) => ref)];
    await made.server.registry.remove(session.ref, "ann");
    for (const ref of refs) expect(await made.server.host.store.files(ref, ref.session)).toEqual([]);
    expect(made.server.registry.live()).toEqual([]);
    expect(existsSync(session.meta.workspace ?? "")).toBe(false);
  });

  it("lists: a child stands in its own category, and what it asks is counted with its parent", async () => {
    const made = await family({
      parent: [answer(spawn("c1", "child")), answer({ say: "done" })],
      child: [answer({ call: "write_file", id: "w", args: '{"file_path":"f","content":"x"}' }), answer({ say: "x" })],
    });
    const session = await made.start("read-only");
    await until(() => session.approvals.pending().length === 1);
    session.approvals.decide(session.approvals.pending()[0]?.id ?? "", "allow", "ann");
    await until(() => session.approvals.pending()[0]?.origin !== undefined);
    const { registry } = made.server;
    const ids = async (category: "active" | "subagent") =>
      (await listSessions(registry, AGENT, "ann", { limit: 10, category })).sessions.map(({ id }) => id);
    expect(await ids("active")).toEqual([session.ref.session]);
    expect(await ids("subagent")).toEqual(made.children(session).map(({ ref }) => ref.session));
    expect((await projectStatus(registry, "p", "ann")).sessions).toMatchObject([
      { session_id: session.ref.session, pending_approvals: 1 },
    ]);
    session.abort("ann");
    await settled(session);
  });

  it("AC2: a pointer to a Session that is no child of this one opens nothing", async () => {
    const made = await family({ parent: [answer({ say: "x" })] });
    const other = await made.start();
    await idle(other);
    const session = await made.start();
    await idle(session);
    Object.assign(session.records[0] ?? {}, {
      message: event({ type: "subagent", session_id: other.ref.session, agent: "a" }),
    });
    const id = `subagent-${other.ref.session.slice(-8)}`;
    expect(session.subagents.known()).toEqual([id]);
    expect(await session.subagents.find(id)).toBeNull();
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
